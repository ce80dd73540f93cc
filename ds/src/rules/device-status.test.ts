import { expect, test } from 'vitest'
import { getDeviceStatus, getSilentDays } from './device-status.ts'

test.each([
  ['blocked', { blocked: true, served: false, approved: false, lastSeenDay: 1 }],
  ['unserved', { blocked: false, served: false, approved: false, lastSeenDay: 1 }],
  ['waiting', { blocked: false, served: true, approved: false, lastSeenDay: 1 }],
  ['silent', { blocked: false, served: true, approved: true, lastSeenDay: 99 }],
  ['active', { blocked: false, served: true, approved: true, lastSeenDay: 100 }],
])('getDeviceStatus is "%s" for the first that applies', (standing, facts) => {
  expect(getDeviceStatus(facts, 100)).toBe(standing)
})

test.each([
  [60, 7],
  [28_800, 7],
  [30 * 86_400, 60],
])('getSilentDays of a cycle of %d s is %d', (cycleS, days) => {
  expect(getSilentDays(cycleS)).toBe(days)
})
