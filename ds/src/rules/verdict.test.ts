/** What a connector is told to do, by its version, its system and the versions there are. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { decideVerdict } from './verdict.ts'

type Flag = 'recommended' | 'mandatory' | 'forbidden'

const release = (
  id: string,
  flags: readonly Flag[] = [],
  systems = ['UNIX', 'WIN64'] as const,
) => ({
  id,
  recommended: flags.includes('recommended'),
  mandatory: flags.includes('mandatory'),
  allowed: !flags.includes('forbidden'),
  uris: systems.map((os) => ({ os })),
})
const elsewhere = (id: string, flags: readonly Flag[]) => ({
  ...release(id, flags),
  uris: [{ os: 'WIN64' as const }],
})
const rolledOut = (id: string) => ({ ...release(id, ['mandatory']), isRolledOut: true })
const own = release('4.0.0')

test.each([
  { when: 'it is the only version', releases: [own], action: 'none' },
  { when: 'no version is registered', releases: [], action: 'none' },
  { when: 'newer ones say nothing', releases: [own, release('4.1.0')], action: 'none' },
  {
    when: 'a newer one is recommended',
    releases: [own, release('4.1.0', ['recommended'])],
    action: 'recommend',
    target: '4.1.0',
  },
  {
    when: 'the newest is not the one that is recommended',
    releases: [own, release('4.1.0', ['recommended']), release('4.2.0')],
    action: 'recommend',
    target: '4.1.0',
  },
  {
    when: 'two newer ones are recommended',
    releases: [own, release('4.10.0', ['recommended']), release('4.9.0', ['recommended'])],
    action: 'recommend',
    target: '4.10.0',
  },
  {
    when: 'it is the recommended one itself',
    releases: [release('4.0.0', ['recommended'])],
    action: 'none',
  },
  {
    when: 'it is the mandatory one itself',
    releases: [release('4.0.0', ['mandatory'])],
    action: 'none',
  },
  {
    when: 'an older one is mandatory and recommended',
    releases: [own, release('3.9.0', ['mandatory', 'recommended'])],
    action: 'none',
  },
  {
    when: 'a newer one is mandatory, and the link leads past it to the latest',
    releases: [own, release('4.1.0', ['mandatory']), release('4.2.0')],
    action: 'require',
    target: '4.2.0',
  },
  {
    when: 'a rollout requires a newer one, and the link leads to that and no further',
    releases: [own, rolledOut('4.1.0'), release('4.2.0')],
    action: 'require',
    target: '4.1.0',
  },
  {
    when: 'a rollout requires a newer one, and another is recommended',
    releases: [own, rolledOut('4.1.0'), release('4.2.0', ['recommended'])],
    action: 'require',
    target: '4.1.0',
  },
  {
    when: 'a rollout requires a newer one, and a later one is mandatory for all',
    releases: [own, rolledOut('4.1.0'), release('4.2.0', ['mandatory']), release('4.3.0')],
    action: 'require',
    target: '4.3.0',
  },
  {
    when: 'a rollout requires a newer one that has no installer for the system',
    releases: [own, { ...elsewhere('4.1.0', ['mandatory']), isRolledOut: true }, release('4.2.0')],
    action: 'require',
    target: '4.2.0',
  },
  {
    when: 'a newer one is mandatory and another recommended',
    releases: [own, release('4.1.0', ['mandatory']), release('4.2.0', ['recommended'])],
    action: 'require',
    target: '4.2.0',
  },
  {
    when: 'the mandatory one has been forbidden since',
    releases: [own, release('4.1.0', ['mandatory', 'forbidden']), release('4.2.0')],
    action: 'require',
    target: '4.2.0',
  },
  {
    when: 'the mandatory one has been forbidden since, and nothing later is there',
    releases: [own, release('4.1.0', ['mandatory', 'recommended', 'forbidden'])],
    action: 'none',
  },
  {
    when: 'the mandatory one has been forbidden since, and a later one has no installer for the system',
    releases: [own, release('4.1.0', ['mandatory', 'forbidden']), elsewhere('4.2.0', [])],
    action: 'none',
  },
  {
    when: 'two mandatory ones have been forbidden since, and one between is there',
    releases: [
      own,
      release('4.1.0', ['mandatory', 'forbidden']),
      release('4.2.0'),
      release('4.3.0', ['mandatory', 'forbidden']),
    ],
    action: 'require',
    target: '4.2.0',
  },
  {
    when: 'a newer one has an installer, and would itself have to update to one without',
    releases: [own, release('4.1.0'), elsewhere('4.2.0', ['mandatory'])],
    action: 'require',
  },
  {
    when: 'its own version is forbidden, and the latest would itself have to update to one without an installer',
    releases: [
      release('4.0.0', ['forbidden']),
      release('4.1.0'),
      elsewhere('4.2.0', ['mandatory']),
    ],
    action: 'stop',
  },
  {
    when: 'a mandatory one has no installer for the system',
    releases: [own, elsewhere('4.1.0', ['mandatory'])],
    action: 'require',
  },
  {
    when: 'a recommended one has no installer for the system',
    releases: [own, elsewhere('4.1.0', ['recommended'])],
    action: 'none',
  },
  {
    when: 'a recommended one is forbidden',
    releases: [own, release('4.1.0', ['recommended', 'forbidden'])],
    action: 'none',
  },
  {
    when: 'its own version is forbidden',
    releases: [release('4.0.0', ['forbidden']), release('3.9.0')],
    action: 'stop',
    target: '3.9.0',
  },
  {
    when: 'its own version is forbidden and a newer one mandatory',
    releases: [release('4.0.0', ['forbidden']), release('4.1.0', ['mandatory'])],
    action: 'stop',
    target: '4.1.0',
  },
  {
    when: 'its own version is forbidden and nothing else is there',
    releases: [release('4.0.0', ['forbidden'])],
    action: 'stop',
  },
  {
    when: 'another version is forbidden',
    releases: [own, release('3.9.0', ['forbidden'])],
    action: 'none',
  },
  {
    when: 'its prerelease was mandatory',
    releases: [own, release('4.0.0-rc.1', ['mandatory'])],
    action: 'none',
  },
  {
    when: 'a prerelease of the next is mandatory',
    releases: [own, release('4.1.0-rc.1', ['mandatory'])],
    action: 'require',
    target: '4.1.0-rc.1',
  },
])('decideVerdict returns $action when $when', ({ releases, action, target }) => {
  proves('verdict')
  const decision = decideVerdict('4.0.0', 'UNIX', releases)

  expect([decision.action, decision.target?.id]).toEqual([action, target])
})
