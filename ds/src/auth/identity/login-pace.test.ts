import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { createLoginPace } from './login-pace.ts'

const address = '192.0.2.7'

/** Limits that are used up, and a clock that tests set. */
function openPace() {
  let now = Date.parse('2026-05-01T12:00:00Z')
  const limits = {
    registrationSetting: 'DS_REGISTRATION_LIMIT',
    consume: async () => undefined,
    refund: async () => undefined,
    admitLogin: async () => false,
  }
  const pace = createLoginPace({ limits, clock: () => now })
  const isRefused = () =>
    pace.begin(address).then(
      () => false,
      () => true,
    )
  return {
    pace,
    isRefused,
    move(ms: number) {
      now += ms
    },
  }
}

test('an address is slow for its seconds', async () => {
  const { pace, isRefused, move } = openPace()
  expect(await isRefused()).toBe(false)
  pace.slowDown(address, 10)
  move(9_999)
  expect(await isRefused()).toBe(true)
  move(1)
  expect(await isRefused()).toBe(false)
})

test('no address stays slow after the clock was set back', async () => {
  proves('service-clock-jump')
  const { pace, isRefused, move } = openPace()
  pace.slowDown(address, 10)
  expect(await isRefused()).toBe(true)
  move(-365 * 86_400_000)
  expect(await isRefused()).toBe(false)
})
