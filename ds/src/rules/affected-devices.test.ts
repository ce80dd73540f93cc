/** Whom a change to a version reaches. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { findAffectedDevices } from './affected-devices.ts'

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

type Find = typeof findAffectedDevices
type Releases = Parameters<Find>[1][number]['before']

/** Where no version is rolled out. */
const findAffected = (
  groups: Parameters<Find>[0],
  before: Releases,
  after: Releases,
  hasAllowlist: Parameters<Find>[2],
) => findAffectedDevices(groups, [{ before, after }], hasAllowlist)

/** Every version has an allowlist. */
const everywhere = () => true

test('findAffectedDevices of a version that becomes mandatory stops the older ones, and counts those without an installer', () => {
  proves('affected-by-version')
  expect(findAffected(devices, before, withSecond({ mandatory: true }), everywhere)).toEqual({
    reach: 43,
    stopped: 43,
    withoutAllowlist: 0,
    withoutInstaller: 40,
    stoppedWithoutInstaller: 0,
    withOtherInstaller: 0,
    changes: [
      { ...group('1.0.0', 'WIN64', 40), before: 'none', after: 'require' },
      { ...group('1.0.0', 'UNIX', 3), before: 'none', after: 'require', target: '2.0.0' },
    ],
  })
})

test('findAffectedDevices does not count devices that are stopped already among those that stop', () => {
  proves('affected-by-version')
  const blocked = [release('1.0.0', { allowed: false }), release('2.0.0', {}, 'WIN64')]
  const after = [...blocked, release('3.0.0', { mandatory: true }, 'UNIX')]
  const stopping = [group('1.0.0', 'WIN64', 40), group('1.5.0', 'WIN64', 7)]
  const reach = findAffected(stopping, blocked, after, everywhere)
  expect(reach).toMatchObject({ reach: 47, stopped: 7, withoutInstaller: 7 })
})

test('findAffectedDevices counts all devices without an installer that its changes show, those that stopped before apart', () => {
  proves('affected-by-version')
  const old = [
    release('1.0.0', { allowed: false }),
    release('1.5.0'),
    release('2.0.0', {}, 'UNIX', 'WIN64'),
  ]
  const next = [...old, release('3.0.0', { mandatory: true }, 'WIN64')]
  const groups = [
    ...[group('1.0.0', 'UNIX', 5), group('1.0.0', 'WIN64', 2)],
    ...[group('1.5.0', 'UNIX', 70), group('1.5.0', 'WIN64', 11)],
  ]
  const found = findAffected(groups, old, next, everywhere)
  expect(found).toMatchObject({ reach: 88, stopped: 81, withoutInstaller: 70 })
  expect(found.stoppedWithoutInstaller).toBe(5)
  expect(found.changes).toContainEqual({
    ...group('1.0.0', 'UNIX', 5),
    ...{ before: 'stop', after: 'stop' },
  })
})

test('findAffectedDevices of a version that is not allowed any more stops exactly it', () => {
  proves('affected-by-version')
  expect(findAffected(devices, before, withSecond({ allowed: false }), everywhere)).toEqual({
    reach: 9,
    stopped: 9,
    withoutAllowlist: 0,
    withoutInstaller: 0,
    stoppedWithoutInstaller: 0,
    withOtherInstaller: 0,
    changes: [{ ...group('2.0.0', 'UNIX', 9), before: 'none', after: 'stop', target: '1.0.0' }],
  })
})

test('findAffectedDevices of a recommendation stops nobody', () => {
  proves('affected-by-version')
  expect(
    findAffected(devices, before, withSecond({ recommended: true }), everywhere),
  ).toMatchObject({
    reach: 3,
    stopped: 0,
    withoutAllowlist: 0,
    withoutInstaller: 0,
  })
})

test('findAffectedDevices of a removal names those that are released', () => {
  proves('affected-by-version')
  const mandatory = withSecond({ mandatory: true })

  expect(findAffected(devices, mandatory, mandatory.slice(0, 1), everywhere)).toMatchObject({
    reach: 43,
    stopped: 0,
    withoutAllowlist: 0,
    withoutInstaller: 0,
  })
})

test('findAffectedDevices counts a device whose target changes, but not as stopped again', () => {
  proves('affected-by-version')
  const mandatory = withSecond({ mandatory: true })
  const third = [...mandatory, release('3.0.0', { mandatory: true }, 'UNIX')]

  expect(findAffected(devices, mandatory, third, everywhere)).toMatchObject({
    reach: 12,
    stopped: 9,
  })
})

test('findAffectedDevices reads each version a few times, however many devices there are', () => {
  proves('versions-compared')
  let reads = 0
  const releases = Array.from({ length: 500 }, (_, n) => ({
    ...release('', { mandatory: n === 7 }, 'UNIX'),
    get id() {
      reads += 1
      return `1.${n}.0`
    },
  }))
  const groups = releases.map((_, n) => group(`1.${n}.0`, 'UNIX', 1))
  expect(findAffected(groups, releases, releases, everywhere).reach).toBe(0)
  expect(reads).toBeLessThan(10 * (releases.length + groups.length))
})

test('findAffectedDevices of a change that devices do not notice is empty', () => {
  proves('affected-by-version')
  expect(findAffected(devices, before, before, everywhere)).toEqual({
    reach: 0,
    stopped: 0,
    withoutAllowlist: 0,
    withoutInstaller: 0,
    stoppedWithoutInstaller: 0,
    withOtherInstaller: 0,
    changes: [],
  })
})

test('devices that leave an allowlist for a version without one are counted', () => {
  proves('allowlist-needed')
  const recommended = withSecond({ recommended: true })
  const count = (hasAllowlist: (version: string) => boolean) =>
    findAffected(devices, before, recommended, hasAllowlist).withoutAllowlist
  const { reach } = findAffected(devices, before, recommended, everywhere)
  expect(reach).toBeGreaterThan(0)
  expect(count(everywhere)).toBe(0)
  expect(count(() => false)).toBe(0)
  expect(count((version) => version === '1.0.0')).toBe(reach)
})

const uri = 'https://a.example/2.0.0.deb'
const offered = (installer: object, changes: object = { recommended: true }) => [
  release('1.0.0', {}, 'UNIX', 'WIN64'),
  { ...release('2.0.0', changes), uris: [{ os: 'UNIX' as const, uri, ...installer }] },
]

test.each([
  ['another URL', { uri: 'https://b.example/2.0.0.deb' }],
  ['another hash', { sha256: 'ab'.repeat(32) }],
  ['another size', { size: 7 }],
])('%s of an installer reaches the devices that are offered it', (_, changed) => {
  proves('affected-by-installer', 'fleet-changed-unseen')
  const otherInstaller = { target: '2.0.0', otherInstaller: true }
  expect(findAffected(devices, offered({}), offered(changed), everywhere)).toEqual({
    ...{ reach: 3, stopped: 0, withoutAllowlist: 0, withoutInstaller: 0, withOtherInstaller: 3 },
    stoppedWithoutInstaller: 0,
    changes: [
      { ...group('1.0.0', 'UNIX', 3), before: 'recommend', after: 'recommend', ...otherInstaller },
    ],
  })
})

test('an installer that is added or removed reaches the devices of its system', () => {
  proves('affected-by-installer', 'fleet-changed-unseen')
  const none = [release('1.0.0', {}, 'UNIX', 'WIN64'), release('2.0.0', { recommended: true })]
  for (const [old, next] of [
    [none, offered({})],
    [offered({}), none],
  ] as const)
    expect(findAffected(devices, old, next, everywhere)).toMatchObject({
      reach: 3,
      withOtherInstaller: 0,
    })
})

test('another installer reaches devices that stopped, and not those that no offer reaches', () => {
  proves('affected-by-installer', 'fleet-changed-unseen')
  const changed = { uri: 'https://b.example/2.0.0.deb' }
  const reachOf = (flags: object, own: object = {}) => {
    const withOwn = (installer: object) => [
      release('1.0.0', own, 'UNIX', 'WIN64'),
      ...offered(installer, flags).slice(1),
    ]
    return findAffected(devices, withOwn({}), withOwn(changed), everywhere)
  }
  expect(reachOf({ mandatory: true })).toMatchObject({ reach: 3, stopped: 0 })
  expect(reachOf({}, { allowed: false })).toMatchObject({ reach: 3, stopped: 0 })
  expect(reachOf({}).reach).toBe(0)
  expect(reachOf({ recommended: true, allowed: false }).reach).toBe(0)
})

test('another installer takes no allowlist from a device', () => {
  proves('affected-by-installer', 'fleet-changed-unseen')
  const [old, next] = [offered({}), offered({ size: 7 })]
  const has = (version: string) => version === '1.0.0'
  expect(findAffected(devices, old, next, has)).toMatchObject({
    reach: 3,
    withoutAllowlist: 0,
  })
})
