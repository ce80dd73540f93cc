/** When a connector synchronizes and what it logs, with a simulated service and clock. */
import { expect, test } from 'vitest'
import { createLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import { Unreachable } from '../../src/distribution/client/connection-options.ts'
import { DsError } from '../../src/distribution/client/ds-response.ts'
import { createFaults } from '../../src/distribution/sync/faults.ts'
import { createSchedule } from '../../src/distribution/sync/schedule.ts'
import { ReplyRefused } from '../../src/distribution/sync/sync-status.ts'
import { createSynchronizer } from '../../src/distribution/sync/synchronizer.ts'
import { createWallClockTimer } from '../../src/distribution/sync/wall-clock-timer.ts'
import { createManualClock, flushPromises, type ManualClock } from '../registry/manual-clock.ts'

const second = 1000
const minute = 60 * second
const cycleS = 3600
const unreachable = () => new Unreachable('Cannot reach ds.example: no connection in 10 s')

/** A synchronizer whose attempts end as `outcome` says; chance is always in the middle. */
function startSynchronizer(
  clock: ManualClock,
  options: { readonly known?: boolean; readonly wallClock?: () => number } = {},
) {
  const logged: string[] = []
  const attempts: number[] = []
  const faults = createFaults(clock.now)
  const control: { outcome: () => Promise<void> } = { outcome: async () => undefined }
  let good = 0
  const synchronizer = createSynchronizer({
    session: {
      syncOnce() {
        attempts.push(clock.now())
        return control.outcome()
      },
      policy: () => (options.known === false ? undefined : ({} as never)),
      state: () => ({ cycle: cycleS }) as never,
    },
    schedule: createSchedule(() => 0.5),
    clock: options.wallClock ?? clock.now,
    startTimer: clock.after,
    faults,
    log: createLog(logged),
  })
  synchronizer.onSuccess(() => {
    good += 1
  })
  synchronizer.start()
  return {
    synchronizer,
    attempts,
    logged,
    faults,
    good: () => good,
    /** Every attempt from now on ends like this. */
    fails: (error: () => Error) => {
      control.outcome = () => Promise.reject(error())
    },
    succeeds: () => {
      control.outcome = async () => undefined
    },
    hangs: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      control.outcome = () => promise
      return resolve
    },
  }
}

test('the first synchronization comes after half a minute on average, and then one in each cycle', async () => {
  const clock = createManualClock()
  const { attempts, synchronizer, good } = startSynchronizer(clock)
  expect(synchronizer.nextAt()).toBe(30 * second)
  await clock.pass(30 * second + 2 * cycleS * second)
  expect(attempts).toEqual([0, 1, 2].map((n) => (30 + n * cycleS) * second))
  expect(good()).toBe(3)
})

test('a connector without a policy synchronizes sooner', () => {
  expect(startSynchronizer(createManualClock(), { known: false }).synchronizer.nextAt()).toBe(
    2.5 * second,
  )
})

test('the time after each failure doubles, and the log has one line', async () => {
  const clock = createManualClock()
  const { attempts, logged, fails, good } = startSynchronizer(clock)
  fails(unreachable)
  await clock.pass(24 * 60 * minute)
  const gaps = attempts.slice(1).map((at, n) => (at - (attempts[n] ?? 0)) / second)
  expect(gaps.slice(0, 8)).toEqual([22.5, 45, 90, 180, 360, 720, 1440, 2700])
  expect(new Set(gaps.slice(8))).toEqual(new Set([2700]))
  expect(attempts.length).toBeGreaterThan(30)
  expect(logged).toHaveLength(1)
  expect(logged[0]).toContain('Cannot reach ds.example')
  expect(good()).toBe(0)
})

test('each change of status is one log line', async () => {
  const clock = createManualClock()
  const { logged, fails, succeeds, synchronizer } = startSynchronizer(clock)
  const busy = (inS: number) => () =>
    new DsError('service-busy', `Cannot synchronize: try again in ${inS} s`, inS)
  for (const failing of [unreachable, unreachable, busy(5), busy(7), undefined, undefined]) {
    if (failing) fails(failing)
    else succeeds()
    await synchronizer.synchronize()
  }
  fails(() => new ReplyRefused('it is none'))
  await synchronizer.synchronize()
  await synchronizer.synchronize()
  expect(logged.map((line) => line.split(' {')[0])).toEqual([
    'warn not synced',
    'warn not synced',
    'info synced',
    'warn not synced',
  ])
})

test.each([
  ['a crowd', new DsError('service-busy', 'later', 120), 132],
  ['a limit', new DsError('too-many-requests', 'later', 60), 66],
  ['a proxy', new DsError('status-503', 'later', 30), 33],
])('no request is sent before the Retry-After of %s', async (_, refusal, nextS) => {
  const clock = createManualClock()
  const { synchronizer, fails, attempts } = startSynchronizer(clock)
  fails(() => refusal)
  await synchronizer.synchronize()
  expect(synchronizer.nextAt()).toBe(nextS * second)
  synchronizer.requestSync()
  await clock.pass(nextS * second - 1)
  expect(attempts).toHaveLength(1)
  await clock.pass(1)
  expect(attempts).toHaveLength(2)
})

test('a synchronization for a token waits for the Retry-After of the service, and for no other pause', async () => {
  proves('retry-after')
  const clock = createManualClock()
  const { synchronizer, fails, succeeds, attempts } = startSynchronizer(clock)
  fails(() => new DsError('service-busy', 'later', 120))
  await synchronizer.synchronizeUnlessPaused()
  succeeds()
  await clock.pass(131 * second)
  expect(await synchronizer.synchronizeUnlessPaused()).toMatchObject({ code: 'service-busy' })
  expect(attempts).toHaveLength(1)
  // The next one comes by itself.
  await clock.pass(second)
  expect(attempts).toHaveLength(2)
  expect(await synchronizer.synchronizeUnlessPaused()).toMatchObject({ kind: 'good' })
  expect(attempts).toHaveLength(3)
  fails(unreachable)
  await synchronizer.synchronizeUnlessPaused()
  succeeds()
  expect(await synchronizer.synchronizeUnlessPaused()).toMatchObject({ kind: 'good' })
})

test('a clock that was set back ends the Retry-After for tokens', async () => {
  const clock = createManualClock()
  let offset = 0
  const { synchronizer, fails, succeeds } = startSynchronizer(clock, {
    wallClock: () => clock.now() + offset,
  })
  fails(() => new DsError('service-busy', 'later', 120))
  await synchronizer.synchronize()
  succeeds()
  offset = -60 * minute
  expect(await synchronizer.synchronizeUnlessPaused()).toMatchObject({ kind: 'good' })
})

test('a blocked connector synchronizes once per cycle', async () => {
  const clock = createManualClock()
  const { synchronizer, fails, logged } = startSynchronizer(clock)
  fails(() => new DsError('device-blocked', 'This device is blocked'))
  await synchronizer.synchronize()
  expect(synchronizer.status()).toMatchObject({ kind: 'refused', code: 'device-blocked' })
  expect(synchronizer.nextAt()).toBe(cycleS * second)
  await clock.pass(2 * cycleS * second)
  expect(logged).toHaveLength(1)
})

test('two concurrent calls share one synchronization', async () => {
  const clock = createManualClock()
  const { synchronizer, hangs, attempts } = startSynchronizer(clock)
  const finish = hangs()
  const both = [synchronizer.synchronize(), synchronizer.synchronize()]
  await clock.pass(minute)
  expect(attempts).toHaveLength(1)
  finish()
  const [one, other] = await Promise.all(both)
  expect(one).toBe(other)
  expect(one).toEqual({ kind: 'good', at: minute })
})

test('what is asked for during a synchronization is answered by the next one, which all share', async () => {
  const clock = createManualClock()
  const { synchronizer, hangs, succeeds, attempts } = startSynchronizer(clock)
  const finish = hangs()
  const before = synchronizer.synchronizeAnew()
  const during = [synchronizer.synchronizeAnew(), synchronizer.synchronizeAnew()]
  succeeds()
  await clock.pass(second)
  expect(attempts).toHaveLength(1)
  finish()
  expect(await Promise.all([before, ...during])).toHaveLength(3)
  expect(attempts).toHaveLength(2)
})

test('a request of a page during a synchronization is followed by another one', async () => {
  const clock = createManualClock()
  const { synchronizer, hangs, succeeds, attempts } = startSynchronizer(clock)
  const finish = hangs()
  synchronizer.requestSync()
  await clock.pass(second)
  for (let asked = 0; asked < 3; asked += 1) synchronizer.requestSync()
  succeeds()
  finish()
  await clock.pass(minute)
  expect(attempts).toEqual([0, 5 * second])
})

test('requests of pages start a synchronization at once, and then at most every five seconds', async () => {
  const clock = createManualClock()
  const { synchronizer, attempts } = startSynchronizer(clock)
  for (let tenth = 0; tenth < 95; tenth += 1) {
    synchronizer.requestSync()
    await clock.pass(second / 10)
  }
  expect(attempts).toEqual([0, 5 * second])
  await clock.pass(minute)
  expect(attempts).toEqual([0, 5 * second, 10 * second])
})

test('a request of a page starts a synchronization at once after the clock was set back', async () => {
  const clock = createManualClock()
  let aheadMs = 0
  const { synchronizer, attempts } = startSynchronizer(clock, {
    wallClock: () => clock.now() + aheadMs,
  })
  await clock.pass(30 * second)
  aheadMs = -34 * 60 * minute
  synchronizer.requestSync()
  await clock.pass(second)
  expect(attempts).toHaveLength(2)
})

test('a refused reply is a fault until it was reported', async () => {
  const clock = createManualClock()
  const { synchronizer, fails, succeeds, faults } = startSynchronizer(clock)
  fails(() => new ReplyRefused('it is for another device'))
  await synchronizer.synchronize()
  expect(faults.list()).toEqual([
    {
      kind: 'reply-refused',
      detail: 'Cannot accept the reply: it is for another device',
      at: new Date(0).toISOString(),
    },
  ])
  fails(unreachable)
  await synchronizer.synchronize()
  expect(faults.list()).toHaveLength(1)
  succeeds()
  await synchronizer.synchronize()
  expect(faults.list()).toEqual([])
})

test('a stopped synchronizer sends no requests', async () => {
  const clock = createManualClock()
  const { synchronizer, attempts } = startSynchronizer(clock)
  synchronizer.stop()
  await clock.pass(10 * cycleS * second)
  expect(attempts).toEqual([])
})

test('a timer that ended while the machine slept fires within a minute after waking', async () => {
  const clock = createManualClock()
  let slept = 0
  const acted: number[] = []
  createWallClockTimer(clock, () => clock.now() + slept)(8 * 60 * minute, () =>
    acted.push(clock.now()),
  )
  await clock.pass(10 * minute)
  slept = 9 * 60 * minute
  await clock.pass(minute)
  expect(acted).toHaveLength(1)
  await clock.pass(24 * 60 * minute)
  expect(acted).toHaveLength(1)
})

test('a clock that is set back does not delay a timer, and a cancelled timer does not fire', async () => {
  const clock = createManualClock()
  let setBack = 0
  const acted: number[] = []
  const later = createWallClockTimer(clock, () => clock.now() - setBack)
  later(minute, () => acted.push(1))
  const cancel = later(5 * minute, () => acted.push(2))
  setBack = 365 * 24 * 60 * minute
  await clock.pass(2 * minute)
  cancel()
  await clock.pass(10 * minute)
  await flushPromises()
  expect(acted).toEqual([1])
})
