import type { Platform } from '@cardwire/protocol'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { countDevicesWithoutInstaller } from './devices-without-installer.ts'

const release = (id: string, mandatory: boolean, ...systems: readonly Platform[]) => ({
  id,
  recommended: false,
  mandatory,
  allowed: true,
  uris: systems.map((os) => ({ os })),
})
const old = release('1.0.0', false, 'UNIX', 'WIN64')
const linux = { version: '1.0.0', platform: 'UNIX', count: 3 } as const
const windows = { version: '1.0.0', platform: 'WIN64', count: 2 } as const

test.each([
  ['a mandatory version without installers', release('2.0.0', true), { UNIX: 3, WIN64: 2 }],
  ['a mandatory version for one system', release('2.0.0', true, 'UNIX'), { WIN64: 2 }],
  ['a mandatory version for both', release('2.0.0', true, 'UNIX', 'WIN64'), {}],
  ['a version that is not mandatory', release('2.0.0', false), {}],
  ['a mandatory version that is older than the devices', release('0.9.0', true), {}],
])('%s', (_, added, expected) => {
  const counts = countDevicesWithoutInstaller(
    [linux, windows],
    [{ before: [old], after: [old, added] }],
  )
  expect(Object.fromEntries(counts)).toEqual(expected)
})

test('devices that have nothing to update to already do not count again', () => {
  const before = [old, release('2.0.0', true)]
  const after = [...before, release('3.0.0', true)]
  expect(countDevicesWithoutInstaller([linux], [{ before, after }]).size).toBe(0)
})

test('each version is read a few times, however many devices there are', () => {
  proves('versions-compared')
  let reads = 0
  const releases = Array.from({ length: 500 }, (_, n) => ({
    ...release('', n === 499, 'WIN64'),
    get id() {
      reads += 1
      return `1.${n}.0`
    },
  }))
  const groups = releases.map((_, n) => ({ ...linux, version: `1.${n}.0`, count: 1 }))
  expect(countDevicesWithoutInstaller(groups, [{ before: [], after: releases }]).get('UNIX')).toBe(
    499,
  )
  expect(reads).toBeLessThan(10 * (releases.length + groups.length))
})

test('devices of the same system add up over their versions', () => {
  const groups = [linux, { ...linux, version: '1.1.0', count: 4 }]
  const counts = countDevicesWithoutInstaller(groups, [
    { before: [old], after: [old, release('2.0.0', true)] },
  ])
  expect(counts.get('UNIX')).toBe(7)
})
