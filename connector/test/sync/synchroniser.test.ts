/** When a connector synchronises, and what it says of it: the service answers as the test likes, time goes as it likes. */
import { expect, test } from 'vitest'
import { openFaults } from '../../src/sync/faults.ts'
import { sleepProof } from '../../src/sync/later.ts'
import { Unreachable } from '../../src/sync/link.ts'
import { createSchedule } from '../../src/sync/schedule.ts'
import { ServiceRefusal } from '../../src/sync/service.ts'
import { ReplyRefused } from '../../src/sync/standing.ts'
import { createSynchroniser } from '../../src/sync/synchroniser.ts'
import { type ManualClock, manualClock, settled } from '../registry/manual-clock.ts'
import { logInto } from './device.ts'

const second = 1000
const minute = 60 * second
const cycleS = 3600
const unreachable = () => new Unreachable('Cannot reach ds.example: no connection in 10 s')

/** A synchroniser whose attempts end as `outcome` says; chance is always in the middle. */
function begin(clock: ManualClock, options: { readonly known?: boolean } = {}) {
  const logged: string[] = []
  const attempts: number[] = []
  const faults = openFaults(clock.now)
  const control: { outcome: () => Promise<void> } = { outcome: async () => undefined }
  let good = 0
  const synchroniser = createSynchroniser({
    exchange: {
      once() {
        attempts.push(clock.now())
        return control.outcome()
      },
      policy: () => (options.known === false ? undefined : ({} as never)),
      kept: () => ({ cycle: cycleS }) as never,
    },
    schedule: createSchedule(() => 0.5),
    clock: clock.now,
    later: clock.after,
    faults,
    log: logInto(logged),
  })
  synchroniser.onGood(() => {
    good += 1
  })
  synchroniser.begin()
  return {
    synchroniser,
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

test('the first one comes after half a minute on average, and then one in each cycle', async () => {
  const clock = manualClock()
  const { attempts, synchroniser, good } = begin(clock)
  expect(synchroniser.nextAt()).toBe(30 * second)
  await clock.pass(30 * second + 2 * cycleS * second)
  expect(attempts).toEqual([0, 1, 2].map((n) => (30 + n * cycleS) * second))
  expect(good()).toBe(3)
})

test('a connector without anything to live by asks sooner', () => {
  expect(begin(manualClock(), { known: false }).synchroniser.nextAt()).toBe(2.5 * second)
})

test('after failures the next attempt is later and later, and the log has one line', async () => {
  const clock = manualClock()
  const { attempts, logged, fails, good } = begin(clock)
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

test('every change of state is a line, and nothing else is', async () => {
  const clock = manualClock()
  const { logged, fails, succeeds, synchroniser } = begin(clock)
  const busy = (inS: number) => () =>
    new ServiceRefusal('service-busy', `Cannot synchronise: try again in ${inS} s`, inS)
  for (const failing of [unreachable, unreachable, busy(5), busy(7), undefined, undefined]) {
    if (failing) fails(failing)
    else succeeds()
    await synchroniser.now()
  }
  fails(() => new ReplyRefused('it is none'))
  await synchroniser.now()
  await synchroniser.now()
  expect(logged.map((line) => line.split(' {')[0])).toEqual([
    'warn not synchronised',
    'warn not synchronised',
    'info synchronised',
    'warn not synchronised',
  ])
})

test.each([
  ['a crowd', new ServiceRefusal('service-busy', 'later', 120), 132],
  ['a limit', new ServiceRefusal('too-many-requests', 'later', 60), 66],
  ['a proxy', new ServiceRefusal('status-503', 'later', 30), 33],
])('%s that says when to come back is not asked before', async (_, refusal, nextS) => {
  const clock = manualClock()
  const { synchroniser, fails, attempts } = begin(clock)
  fails(() => refusal)
  await synchroniser.now()
  expect(synchroniser.nextAt()).toBe(nextS * second)
  synchroniser.soon()
  await clock.pass(nextS * second - 1)
  expect(attempts).toHaveLength(1)
  await clock.pass(1)
  expect(attempts).toHaveLength(2)
})

test('a blocked connector asks once per cycle', async () => {
  const clock = manualClock()
  const { synchroniser, fails, logged } = begin(clock)
  fails(() => new ServiceRefusal('device-blocked', 'This device is blocked'))
  await synchroniser.now()
  expect(synchroniser.standing()).toMatchObject({ kind: 'refused', code: 'device-blocked' })
  expect(synchroniser.nextAt()).toBe(cycleS * second)
  await clock.pass(2 * cycleS * second)
  expect(logged).toHaveLength(1)
})

test('two at once are one', async () => {
  const clock = manualClock()
  const { synchroniser, hangs, attempts } = begin(clock)
  const finish = hangs()
  const both = [synchroniser.now(), synchroniser.now()]
  await clock.pass(minute)
  expect(attempts).toHaveLength(1)
  finish()
  const [one, other] = await Promise.all(both)
  expect(one).toBe(other)
  expect(one).toEqual({ kind: 'good', at: minute })
})

test('pages that ask have one at once, and then one in five seconds', async () => {
  const clock = manualClock()
  const { synchroniser, attempts } = begin(clock)
  for (let tenth = 0; tenth < 95; tenth += 1) {
    synchroniser.soon()
    await clock.pass(second / 10)
  }
  expect(attempts).toEqual([0, 5 * second])
  await clock.pass(minute)
  expect(attempts).toEqual([0, 5 * second, 10 * second])
})

test('a reply that was not believed is a fault until the service has heard of it', async () => {
  const clock = manualClock()
  const { synchroniser, fails, succeeds, faults } = begin(clock)
  fails(() => new ReplyRefused('it is for another device'))
  await synchroniser.now()
  expect(faults.list()).toEqual([
    {
      kind: 'reply-refused',
      detail: 'Cannot believe the reply: it is for another device',
      at: new Date(0).toISOString(),
    },
  ])
  fails(unreachable)
  await synchroniser.now()
  expect(faults.list()).toHaveLength(1)
  succeeds()
  await synchroniser.now()
  expect(faults.list()).toEqual([])
})

test('one that was stopped asks nobody any more', async () => {
  const clock = manualClock()
  const { synchroniser, attempts } = begin(clock)
  synchroniser.stop()
  await clock.pass(10 * cycleS * second)
  expect(attempts).toEqual([])
})

test('a machine that slept through a cycle is due within a minute of its waking', async () => {
  const clock = manualClock()
  let slept = 0
  const acted: number[] = []
  sleepProof(clock, () => clock.now() + slept)(8 * 60 * minute, () => acted.push(clock.now()))
  await clock.pass(10 * minute)
  slept = 9 * 60 * minute
  await clock.pass(minute)
  expect(acted).toHaveLength(1)
  await clock.pass(24 * 60 * minute)
  expect(acted).toHaveLength(1)
})

test('a clock that is set back does not put off what is due, and what is taken back does not happen', async () => {
  const clock = manualClock()
  let setBack = 0
  const acted: number[] = []
  const later = sleepProof(clock, () => clock.now() - setBack)
  later(minute, () => acted.push(1))
  const cancel = later(5 * minute, () => acted.push(2))
  setBack = 365 * 24 * 60 * minute
  await clock.pass(2 * minute)
  cancel()
  await clock.pass(10 * minute)
  await settled()
  expect(acted).toEqual([1])
})
