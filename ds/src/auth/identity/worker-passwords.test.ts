/** How many passwords a Worker compares at once, and how many wait. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { limitWorkerPasswords } from './worker-passwords.ts'

/**
 * An isolate whose time passes when the test says so; a hash blocks it for 500 ms. `isClockStill`: its clock shows them with the next
 * event, as that of a Worker does.
 */
function startIsolate({ isClockStill = false } = {}) {
  const timers: { readonly at: number; readonly wake: () => void }[] = []
  const begun: number[] = []
  let now = 0
  let shown = 0
  const { verify } = limitWorkerPasswords(
    {
      hash: async () => '',
      verify: async () => {
        begun.push(now)
        now += 500
        return true
      },
    },
    () => (isClockStill ? shown : now),
    (ms) => new Promise((wake) => timers.push({ at: now + ms, wake })),
  )
  return {
    begun,
    timers,
    verify: () => verify('password', 'hash'),
    async pass(ms: number) {
      for (const end = now + ms; now < end; now = Math.max(now, Math.min(now + 10, end))) {
        shown = now
        for (const timer of timers.splice(0)) {
          if (timer.at > now) timers.push(timer)
          else timer.wake()
        }
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

test.each([
  ['that goes on', false],
  ['that stands still meanwhile', true],
])(
  'by a clock %s, one password is compared at once, and others are served before the next one',
  async (_, isClockStill) => {
    proves('worker-password-flood')
    const { begun, verify, pass } = startIsolate({ isClockStill })
    const verified = Promise.all([verify(), verify(), verify()])
    await pass(4000)
    expect(await verified).toEqual([true, true, true])
    const pauses = begun.slice(1).map((at, before) => at - (begun[before] ?? 0) - 500)
    expect(pauses).toHaveLength(2)
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(250)
  },
)

test('ten passwords wait, and further ones are refused for now', async () => {
  proves('worker-password-flood')
  const { begun, verify, pass } = startIsolate()
  const admitted = Array.from({ length: 11 }, () => verify())
  await expect(verify()).rejects.toMatchObject({
    name: 'service-busy',
    extras: { retryAfterS: 2 },
  })
  await pass(10_000)
  expect(await Promise.all(admitted)).toEqual(Array(11).fill(true))
  expect(begun).toHaveLength(11)
})

test('a request that ended while it waited keeps no other from its turn', async () => {
  proves('worker-password-flood')
  const { begun, timers, verify, pass } = startIsolate()
  await verify()
  for (let ended = 0; ended < 10; ended += 1) void verify()
  timers.length = 0
  await pass(6000)
  const verified = verify()
  await pass(200)
  expect(await verified).toBe(true)
  expect(begun).toHaveLength(2)
})

test('a clock that is set back keeps no one from a turn', async () => {
  proves('service-clock-jump')
  let now = 86_400_000
  const { hash, verify } = limitWorkerPasswords(
    // Its request ends meanwhile, without a word.
    { hash: () => new Promise(() => undefined), verify: async () => true },
    () => now,
    async () => {
      now += 50
    },
  )
  void hash('password')
  now = 0
  expect(await verify('password', 'hash')).toBe(true)
  expect(now).toBeLessThan(10_000)
})
