/** The test that halts a rollout, with ratios computed by hand. */
import { expect, test } from 'vitest'
import { bounds, type Counts, testRollout as testGroups } from './sequential-test.ts'

const rates = { goodRate: 0.01, badRate: 0.04 }

/** Devices that all have the version, and synced again. */
const group = (devices: number, changes: Partial<Counts> = {}): Counts => ({
  ...{ devices, installed: devices, successes: devices - (changes.failures ?? 0) },
  ...{ failures: 0, silent: 0, ...changes },
})

/** In the first stage: it reached all devices that were reached. */
const testRollout = (reached: Counts, control: Counts) =>
  testGroups({ reached, reachedInStage: reached, control }, rates)

test('the bounds are ln(0.95 / 0.005) and ln(0.05 / 0.995)', () => {
  expect(bounds.halt).toBeCloseTo(5.247, 4)
  expect(bounds.accept).toBeCloseTo(-2.9907, 4)
})

test.each([
  // The control group lets expect 0.001: 0.011 is good, 0.044 (four times as much) bad, and 0.026 the middle of 0.011 and 0.041.
  // 5 ln(0.044 / 0.011) + 95 ln(0.956 / 0.989), times 0.9963.
  { failures: 5, of: 100, ratio: 3.6937, verdict: 'open' },
  // 7 ln 4 + 93 ln(0.956 / 0.989), times 0.9963.
  { failures: 7, of: 100, ratio: 6.5236, verdict: 'halt' },
  // 200 ln(0.974 / 0.989), times 0.9891.
  { failures: 0, of: 200, ratio: -3.0233, verdict: 'accept' },
])(
  '$failures failures of $of devices have the ratio $ratio',
  ({ failures, of, ratio, verdict }) => {
    const result = testRollout(group(of, { failures }), group(999))
    expect(result.ratio).toBeCloseTo(ratio, 4)
    expect(result).toMatchObject({ verdict, failures, tested: of })
  },
)

test('three failures of three devices do not halt a rollout, four of four do', () => {
  const control = group(9999)
  expect(testRollout(group(3, { failures: 3 }), control).verdict).toBe('open')
  expect(testRollout(group(4, { failures: 4 }), control).verdict).toBe('halt')
})

test('faults that the control group has, too, are not the fault of the version', () => {
  // 50 ln(0.075 / 0.06) + 950 ln(0.925 / 0.94), times 0.5699.
  const result = testRollout(group(1000, { failures: 50 }), group(999, { failures: 49 }))
  expect(result.ratio).toBeCloseTo(-2.3507, 4)
  expect(testRollout(group(1000, { failures: 50 }), group(999)).verdict).toBe('halt')
})

test('devices that were never heard of again halt a rollout', () => {
  // The control group lets expect 0.005, and 84 of 100 devices may have the version: 0.0134 is good.
  // 40 ln(0.04 / 0.0134) + 960 ln(0.96 / 0.9866), times 0.9126.
  const reached = group(1000, { installed: 800, successes: 800, silent: 40 })
  const result = testRollout(reached, group(1999, { silent: 9 }))
  expect(result.ratio).toBeCloseTo(15.9775, 4)
  expect(result).toMatchObject({ verdict: 'halt', failures: 35, tested: 800 })
})

test('they do so if no device was ever heard of with the version', () => {
  const reached = group(100, { installed: 0, successes: 0, silent: 85 })
  expect(testRollout(reached, group(999)).verdict).toBe('halt')
})

test('failures and silence halt a rollout together, where each of them says little', () => {
  const control = group(4999, { failures: 10, silent: 10 })
  const reached = group(1000, { installed: 900, failures: 18 })
  expect(testRollout(reached, control).ratio).toBeLessThan(1)
  expect(testRollout({ ...reached, silent: 18 }, control).ratio).toBeCloseTo(12.827, 3)
})

test('silence that the control group shows, too, is not the fault of the version', () => {
  // 40 ln(0.061 / 0.0484) + 960 ln(0.939 / 0.9516), times 0.7292.
  const reached = group(1000, { installed: 800, successes: 800, silent: 40 })
  const result = testRollout(reached, group(1999, { silent: 79 }))
  expect(result.ratio).toBeCloseTo(-2.5823, 4)
  expect(result).toMatchObject({ verdict: 'open', failures: 0 })
})

test('while most devices are switched off, failures still halt a rollout', () => {
  const away = { devices: 1000, installed: 400, successes: 300, silent: 640 }
  const control = group(9999, { successes: 9999, silent: 6499 })
  expect(testRollout({ ...away, failures: 0 }, control).verdict).toBe('open')
  expect(testRollout({ ...away, failures: 30 }, control).ratio).toBeCloseTo(12.955, 3)
})

test('while many devices have faults, silence still halts a rollout', () => {
  const control = group(9999, { failures: 1499, silent: 49 })
  const reached = group(1000, { installed: 900, failures: 150, silent: 32 })
  expect(testRollout(reached, control).ratio).toBeCloseTo(8.033, 3)
})

test('failures of earlier stages are not compared with a control group that was noted later', () => {
  // 5 ln(0.026 / 0.011) + 995 ln(0.974 / 0.989), times 0.9479.
  const reached = group(1100, { failures: 60 })
  const reachedInStage = group(1000, { failures: 5 })
  const result = testGroups({ reached, reachedInStage, control: group(999) }, rates)
  expect(result.ratio).toBeCloseTo(-10.3369, 4)
  expect(result).toMatchObject({ verdict: 'accept', failures: 60, tested: 1100 })
  expect(testRollout(reached, group(999)).verdict).toBe('halt')
})

test('failures of the current stage halt a rollout, however many devices of earlier stages are well', () => {
  const reached = group(1000, { failures: 7 })
  const reachedInStage = group(100, { failures: 7 })
  const result = testGroups({ reached, reachedInStage, control: group(999) }, rates)
  expect(result.ratio).toBeCloseTo(6.5236, 4)
  expect(testRollout(reached, group(999)).verdict).not.toBe('halt')
})

test('silence counts of all devices, because it shows when the next stage has begun', () => {
  const reached = group(1000, { installed: 800, successes: 800, silent: 40 })
  const control = group(1999, { silent: 9 })
  const result = testGroups({ reached, reachedInStage: group(600), control }, rates)
  expect(result.ratio).toBeCloseTo(15.9775, 4)
  const before = { reached, reachedInStage: group(0), control }
  expect(testGroups(before, rates).ratio).toBeCloseTo(15.9775, 4)
})

test('a small control group without a failure says little', () => {
  const control = group(10)
  expect(testRollout(group(10, { failures: 6 }), control).verdict).toBe('open')
  expect(testRollout(group(10, { failures: 7 }), control).verdict).toBe('halt')
})

test('without a device or a control group, the test stays open', () => {
  expect(testRollout(group(0), group(100))).toMatchObject({ ratio: 0, verdict: 'open' })
  expect(testRollout(group(50, { failures: 50 }), group(0))).toMatchObject({
    ...{ ratio: 0, verdict: 'open' },
  })
})
