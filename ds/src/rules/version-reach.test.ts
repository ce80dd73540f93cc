/** Whom a change to a version reaches. */
import { expect, test } from 'vitest'
import { findReach } from './version-reach.ts'

const release = (id: string, changes: object = {}, ...systems: ('UNIX' | 'WIN64')[]) => ({
  ...{ id, recommended: false, mandatory: false, allowed: true },
  ...changes,
  uris: systems.map((os) => ({ os })),
})
const group = (version: string, platform: 'UNIX' | 'WIN64', count: number) => ({
  ...{ version, platform, count },
})
const devices = [group('1.0.0', 'UNIX', 3), group('1.0.0', 'WIN64', 40), group('2.0.0', 'UNIX', 9)]
const before = [release('1.0.0', {}, 'UNIX', 'WIN64'), release('2.0.0', {}, 'UNIX')]
const withSecond = (changes: object) => [
  before[0] ?? release('1.0.0'),
  release('2.0.0', changes, 'UNIX'),
]

test('findReach of a version that becomes mandatory stops the older ones, and counts those without an installer', () => {
  expect(findReach(devices, before, withSecond({ mandatory: true }))).toEqual({
    reach: 43,
    stopped: 43,
    withoutInstaller: 40,
    changes: [
      { ...group('1.0.0', 'WIN64', 40), before: 'none', after: 'require' },
      { ...group('1.0.0', 'UNIX', 3), before: 'none', after: 'require', target: '2.0.0' },
    ],
  })
})

test('findReach of a version that is not allowed any more stops exactly it', () => {
  expect(findReach(devices, before, withSecond({ allowed: false }))).toEqual({
    reach: 9,
    stopped: 9,
    withoutInstaller: 0,
    changes: [{ ...group('2.0.0', 'UNIX', 9), before: 'none', after: 'stop', target: '1.0.0' }],
  })
})

test('findReach of a recommendation stops nobody', () => {
  expect(findReach(devices, before, withSecond({ recommended: true }))).toMatchObject({
    reach: 3,
    stopped: 0,
    withoutInstaller: 0,
  })
})

test('findReach of a removal names those that are released', () => {
  const mandatory = withSecond({ mandatory: true })

  expect(findReach(devices, mandatory, mandatory.slice(0, 1))).toMatchObject({
    reach: 43,
    stopped: 0,
    withoutInstaller: 0,
  })
})

test('findReach counts a device whose target changes, but not as stopped again', () => {
  const mandatory = withSecond({ mandatory: true })
  const third = [...mandatory, release('3.0.0', { mandatory: true }, 'UNIX')]

  expect(findReach(devices, mandatory, third)).toMatchObject({ reach: 12, stopped: 9 })
})

test('findReach of a change that devices do not notice is empty', () => {
  expect(findReach(devices, before, before)).toEqual({
    reach: 0,
    stopped: 0,
    withoutInstaller: 0,
    changes: [],
  })
})
