/** How a connector waits for news of its service, with a simulated service and clock; chance is always in the middle. */
import { expect, test } from 'vitest'
import { createLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import { Unreachable } from '../../src/distribution/client/connection-options.ts'
import { DsError } from '../../src/distribution/client/ds-response.ts'
import type { HeldResponse, HttpResponse } from '../../src/distribution/client/transport.ts'
import { createNewsWait } from '../../src/distribution/sync/news-wait.ts'
import { createSchedule } from '../../src/distribution/sync/schedule.ts'
import { createManualClock, flushPromises } from '../registry/manual-clock.ts'

const second = 1000

interface Request {
  readonly at: number
  readonly path: string
  readonly held: HeldResponse
  answer(data: unknown): Promise<void>
  fail(error: Error): Promise<void>
}

/** A connector whose service answers as a test says. */
function startWaiting() {
  const clock = createManualClock()
  const requests: Request[] = []
  const syncs: number[] = []
  const logged: string[] = []
  let synchronized = (): void => undefined
  let offer: { since: number; holdS: number } | undefined
  const newsWait = createNewsWait({
    session: {
      wait: () => offer,
      send({ path, held }) {
        const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>()
        if (!held) throw new Error('Expected a request that is held')
        requests.push({
          ...{ at: clock.now(), path, held },
          answer(data) {
            const body = new TextEncoder().encode(JSON.stringify({ success: true, data }))
            resolve({ status: 200, headers: {}, body })
            return flushPromises()
          },
          fail(error) {
            reject(error)
            return flushPromises()
          },
        })
        return promise
      },
    },
    synchronizer: {
      onSuccess: (listener) => {
        synchronized = listener
      },
      requestSync: () => syncs.push(clock.now()),
    },
    schedule: createSchedule(() => 0.5),
    ...{ clock: clock.now, startTimer: clock.after, log: createLog(logged) },
  })
  return {
    ...{ clock, requests, syncs, logged, stop: newsWait.stop },
    /** A synchronization succeeds, whose reply offers this. */
    sync(since?: number, holdS = 50) {
      offer = since === undefined ? undefined : { since, holdS }
      synchronized()
    },
    last() {
      const request = requests.at(-1)
      if (!request) throw new Error('Expected a request')
      return request
    },
    times: () => requests.map(({ at }) => at / second),
  }
}

test('a service that offers no wait is asked nothing', async () => {
  proves('news-older-service')
  const { sync, clock, requests } = startWaiting()
  sync()
  await clock.pass(24 * 3600 * second)
  expect(requests).toEqual([])
})

test('one request is held, through further synchronizations, with the news that the device has', () => {
  proves('news-in-a-minute')
  const { sync, requests, last } = startWaiting()
  sync(7)
  sync(9)
  expect(requests).toHaveLength(1)
  expect(last().path).toBe('/v3/devices/wait?since=7')
  expect(last().held.overallMs).toBe(65 * second)
})

test('news is followed by a synchronization after the time that the service says, and then by the next wait', async () => {
  proves('news-in-a-minute', 'wake-herd')
  const { sync, clock, last, syncs, times } = startWaiting()
  sync(7)
  await clock.pass(20 * second)
  await last().answer({ sync: true, afterS: 12.5 })
  await clock.pass(12.4 * second)
  expect(syncs).toEqual([])
  await clock.pass(second)
  expect(syncs).toEqual([32.5 * second])
  expect(times()).toEqual([0])
  sync(8)
  expect(last().path).toBe('/v3/devices/wait?since=8')
})

test('a synchronization that came first is enough for the news, and needs no second one', async () => {
  proves('news-in-a-minute')
  const { sync, clock, last, syncs, requests } = startWaiting()
  sync(7)
  await clock.pass(20 * second)
  await last().answer({ sync: true, afterS: 30 })
  sync(8)
  await clock.pass(60 * second)
  expect(syncs).toEqual([])
  expect(requests).toHaveLength(2)
})

test('a wait without news is followed by the next, with what the service knows then', async () => {
  proves('news-in-a-minute')
  const { sync, clock, last, syncs } = startWaiting()
  sync(7)
  await clock.pass(50 * second)
  await last().answer({ sync: false, afterS: 1.5, since: 11 })
  await clock.pass(1.5 * second)
  expect([last().at, last().path]).toEqual([51.5 * second, '/v3/devices/wait?since=11'])
  expect(syncs).toEqual([])
})

test('a service that answers at once is asked every ten seconds, not more', async () => {
  proves('news-no-loop')
  const { sync, clock, last, times } = startWaiting()
  sync(7)
  for (let count = 0; count < 4; count += 1) {
    await last().answer({ sync: false, afterS: 0 })
    await clock.pass(10 * second)
  }
  expect(times()).toEqual([0, 10, 20, 30, 40])
})

test('an answer that names more than an hour counts as an hour', async () => {
  proves('news-no-loop')
  const { sync, clock, last, times } = startWaiting()
  sync(7)
  await last().answer({ sync: false, afterS: 1e12 })
  await clock.pass(3600 * second)
  expect(times()).toEqual([0, 3600])
})

test('the time after each failure doubles, whatever pages synchronize meanwhile, and the log has one line', async () => {
  proves('news-no-loop')
  const { sync, clock, last, times, requests, logged } = startWaiting()
  sync(7)
  for (const waitS of [22.5, 45, 90, 180]) {
    const before = requests.length
    await last().fail(new Unreachable('Cannot reach ds.example'))
    sync(8)
    await clock.pass((waitS - 0.1) * second)
    expect(requests).toHaveLength(before)
    await clock.pass(0.1 * second)
    expect(requests).toHaveLength(before + 1)
  }
  expect(times()).toEqual([0, 22.5, 67.5, 157.5, 337.5])
  expect(logged).toHaveLength(1)
  expect(logged[0]).toContain('cannot wait for news of the service')
})

test('a full service is asked again after the time that it says', async () => {
  proves('news-no-loop')
  const { sync, clock, last, times } = startWaiting()
  sync(7)
  await last().fail(new DsError('service-busy', 'Cannot let more devices wait', 600))
  await clock.pass(700 * second)
  expect(times()).toEqual([0, 660])
})

test.each(['device-blocked', 'device-unknown'])(
  '%s is left to a synchronization, whose refusal is signed',
  async (code) => {
    proves('news-in-a-minute')
    const { sync, clock, last, syncs, requests } = startWaiting()
    sync(7)
    await last().fail(new DsError(code, 'Cannot serve this device'))
    expect(syncs).toEqual([0])
    await clock.pass(24 * 3600 * second)
    expect(requests).toHaveLength(1)
  },
)

test('an answer that has not the form of the contract is a failure', async () => {
  proves('news-no-loop')
  const { sync, clock, last, syncs, times } = startWaiting()
  sync(7)
  await last().answer({ sync: 'yes' })
  await clock.pass(30 * second)
  expect([syncs, times()]).toEqual([[], [0, 22.5]])
})

test('it ends the request when the connector stops, or the service offers none any longer', () => {
  proves('news-no-loop')
  const stopped = startWaiting()
  stopped.sync(7)
  stopped.stop()
  expect(stopped.last().held.signal.aborted).toBe(true)
  stopped.sync(8)
  expect(stopped.requests).toHaveLength(1)
  const withdrawn = startWaiting()
  withdrawn.sync(7)
  withdrawn.sync()
  expect(withdrawn.last().held.signal.aborted).toBe(true)
})
