/** Whom an entry of the audit concerns, and how those that it wakes are spread. */
import { dsOperations } from '@cardwire/protocol'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { concerns, findAudience, findSpreadS } from './news.ts'

const all = { kind: 'all' }

test.each([
  ['a device', { kind: 'device', id: 'd1' }, { kind: 'device', id: 'd1' }],
  ['a change of many, which has an entry for each', { kind: 'devices' }, undefined],
  ['a version', { kind: 'version', fields: 'allowed' }, all],
  ['an installation key', { kind: 'version', fields: 'installationApiKey' }, undefined],
  ['a version that a device brought', { kind: 'version', operation: 'syncDevice' }, undefined],
  ['a group', { kind: 'group' }, all],
  ['a rollout', { kind: 'rollout', operation: 'haltRollout' }, all],
  [
    'a configuration',
    { kind: 'configuration', versionId: '4.0.0' },
    { kind: 'version', id: '4.0.0' },
  ],
  ['a configuration that is gone', { kind: 'configuration' }, all],
  ['a revoked key', { kind: 'signing-key', operation: 'deleteSigningKey' }, all],
  ['a key that signs later', { kind: 'signing-key', operation: 'rotateSigningKey' }, undefined],
  ['a file', { kind: 'installer' }, undefined],
  ['a sign-in', { kind: 'administrator' }, undefined],
])('findAudience of %s', (_, entry, expected) => {
  proves('news-in-a-minute')
  const rest = { sequence: 1, id: 'x', operation: 'patch', fields: 'a', versionId: null }
  expect(findAudience({ ...rest, ...entry })).toEqual(expected)
})

const whatDevicesSend = [
  ...['checkInstallationKey', 'downloadKeystore', 'registerDevice'],
  ...['syncDevice', 'uploadLogs', 'waitForNews'],
]

test('what a device or a holder of an installation key changes is no news', () => {
  proves('wake-herd')
  const sent = dsOperations
    .filter(({ access }) => access === 'device' || access === 'registration')
    .map(({ name }) => name)
  expect(sent.toSorted()).toEqual(whatDevicesSend)
  const kinds = ['device', 'configuration', 'version', 'rollout', 'group', 'signing-key']
  const entries = whatDevicesSend.flatMap((operation) =>
    kinds.map((kind) => ({ kind, operation, id: 'x', sequence: 1, fields: '', versionId: null })),
  )
  expect(entries.flatMap((entry) => findAudience(entry) ?? [])).toEqual([])
})

test('concerns tells a device from others, and a version from others', () => {
  proves('news-in-a-minute')
  const device = { id: 'd1', version: '4.0.0' }
  expect(concerns({ kind: 'all' }, device)).toBe(true)
  expect(concerns({ kind: 'device', id: 'd1' }, device)).toBe(true)
  expect(concerns({ kind: 'device', id: '4.0.0' }, device)).toBe(false)
  expect(concerns({ kind: 'version', id: '4.0.0' }, device)).toBe(true)
  expect(concerns({ kind: 'version', id: 'd1' }, device)).toBe(false)
})

test.each([
  ['one device syncs at once', 1, 0.005],
  ['a few take seconds', 1000, 5],
  ['more take 45 s', 9000, 45],
  ['as many as fit in 45 s take no longer', 45_000, 45],
  ['more than that need longer', 100_000, 100],
])('findSpreadS: %s', (_, devices, seconds) => {
  proves('wake-herd')
  expect(findSpreadS(devices, 1000)).toBeCloseTo(seconds)
})
