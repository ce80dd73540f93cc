import { expect, test } from 'vitest'
import { groupRefusals, toNetwork, toPrefix } from './refusal-groups.ts'

const refusal = (address: string, version: string | null, lastAt: number, count = 1) => ({
  ...{ reason: 'version-unknown' as const, keyVersion: null, address, version, lastAt, count },
  detail: `at ${lastAt}`,
})

test('registrations of one reason, version and network are one group, with most devices first', () => {
  const keyOnly = { ...refusal('192.0.2.9', null, 5), keyVersion: '4.0.0' }
  const other = { ...refusal('192.0.2.1', '4.0.0', 6), reason: 'device-blocked' as const }
  expect(
    groupRefusals([
      other,
      refusal('192.0.2.1', '4.0.0', 3, 7),
      refusal('192.0.2.200', '4.0.0', 1),
      keyOnly,
      refusal('192.0.3.1', '4.0.0', 2, 9),
    ]),
  ).toEqual([
    {
      reason: 'version-unknown',
      version: '4.0.0',
      keyVersion: '4.0.0',
      detail: 'at 5',
      network: '192.0.2.0/24',
      devices: 3,
      count: 9,
      lastAt: 5,
    },
    {
      reason: 'version-unknown',
      version: '4.0.0',
      keyVersion: null,
      detail: 'at 2',
      network: '192.0.3.0/24',
      devices: 1,
      count: 9,
      lastAt: 2,
    },
    {
      reason: 'device-blocked',
      version: '4.0.0',
      keyVersion: null,
      detail: 'at 6',
      network: '192.0.2.0/24',
      devices: 1,
      count: 1,
      lastAt: 6,
    },
  ])
})

test.each([
  ['192.0.2.7', '192.0.2.0/24', '192.0.2.'],
  ['10.20.30.40', '10.20.30.0/24', '10.20.30.'],
  ['2001:db8:1:100::/56', '2001:db8:1:100::/56', undefined],
  ['unknown', 'unknown', undefined],
])('%s is in the network %s', (address, network, prefix) => {
  expect(toNetwork(address)).toBe(network)
  expect(toPrefix(network)).toBe(prefix)
})
