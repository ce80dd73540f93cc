/** The limits of fleets: enough for the whole rollout, never below a default, never beyond the bounds of a setting. */
import { expect, test } from 'vitest'
import { Environment } from '../environment.ts'
import { computeFleetLimits, fleetBounds } from './fleet-limits.ts'

test.each([
  [
    'a small fleet keeps the defaults',
    { devices: 1000, addresses: 1, hours: 8 },
    [600, 64, 20_000, 5000, 600],
  ],
  [
    'one address has all devices',
    { devices: 20_000, addresses: 1, hours: 8 },
    [600, 64, 25_000, 25_000, 600],
  ],
  [
    '200,000 devices in a night',
    { devices: 200_000, addresses: 4, hours: 8 },
    [3400, 210, 250_000, 130_000, 2100],
  ],
  [
    'the same within an hour',
    { devices: 200_000, addresses: 4, hours: 1 },
    [3400, 1700, 250_000, 130_000, 17_000],
  ],
  [
    'each device has an address',
    { devices: 1_000_000, addresses: 1_000_000, hours: 8 },
    [17_000, 64, 1_300_000, 5000, 600],
  ],
])('%s', (_, fleet, expected) => {
  expect(Object.values(computeFleetLimits(fleet))).toEqual(expected)
})

test('the least that is recommended is the default of each setting', () => {
  const limits = computeFleetLimits({ devices: 1, addresses: 1, hours: 24 })
  const fallbacks = Environment.parse({})
  expect(Object.keys(limits)).toHaveLength(5)
  expect(fallbacks).toMatchObject(limits)
})

test('the largest fleet behind one address, within an hour, stays within the bounds of every setting', () => {
  const limits = computeFleetLimits({ devices: fleetBounds.devices, addresses: 1, hours: 1 })
  const texts = Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [name, String(value)]),
  )
  expect(Environment.parse(texts)).toMatchObject(limits)
})
