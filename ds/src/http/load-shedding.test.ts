/** Load shedding: which requests are rejected, and after how many seconds they may retry. */
import { Problem } from '@cardwire/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createLoadLimit } from './load-shedding.ts'

/** Creates a service for `most` requests at once, which end when the test ends them; random delays are the longest possible. */
function createTestService(most: number) {
  const state = { now: 0 }
  let ends: (() => void)[] = []
  let answers: Promise<void>[] = []
  const last = { uuid: () => '', bytes: (length: number) => new Uint8Array(length).fill(255) }
  const load = createLoadLimit({ clock: () => state.now, random: last }, most)
  let devices = 0
  /** Each of another device, unless one is named. */
  const serve = (device?: string) => {
    devices += 1
    const work = () => new Promise<void>((resolve) => ends.push(resolve))
    return load.finish(device ?? `device ${devices}`, work)
  }
  return {
    state,
    load,
    serve,
    /** As many requests as are served at once. */
    fill() {
      answers = Array.from({ length: most }, () => serve())
    },
    async end() {
      for (const resolve of ends) resolve()
      ends = []
      await Promise.all(answers)
    },
    /** Sends so many requests; resolves with the time after which the last one may retry, in seconds. */
    async rejectRequests(count: number) {
      let wait: number | undefined
      for (let n = 0; n < count; n += 1) {
        const refusal = await serve().catch((error) => error)
        wait = refusal instanceof Problem ? refusal.extras.retryAfterS : undefined
      }
      return wait
    },
  }
}

test('rejected devices retry within half a minute when they can be served by then', async () => {
  const service = createTestService(10)
  service.fill()
  await service.rejectRequests(50)
  await service.end()
  service.state.now += 100
  service.fill()
  // 10 in less than a second: what waits takes 20 s.
  expect(await service.rejectRequests(160)).toBe(2 + 30)
})

test('rejected devices retry within the time that all need, ten minutes at most', async () => {
  proves('devices-spread')
  const service = createTestService(10)
  service.fill()
  await service.rejectRequests(50)
  await service.end()
  service.state.now += 10_000
  service.fill()
  // 10 in 10 s: one a second, and 40 wait.
  expect(await service.rejectRequests(60)).toBe(2 + 100)
  expect(await service.rejectRequests(600)).toBe(2 + 600)
})

test('the places of requests that ended without a word are free again, those of others are not', async () => {
  proves('requests-ended')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { load, state, rejectRequests } = createTestService(8)
  const never = () => new Promise<never>(() => undefined)
  for (let n = 0; n < 4; n += 1) void load.finish('gone', never)
  for (let n = 0; n < 4; n += 1) void load.run('gone, too', never)
  for (let second = 0; second < 60; second += 1) {
    state.now += 1000
    vi.advanceTimersByTime(1000)
  }
  expect(await rejectRequests(1)).toBeGreaterThan(0)
  // As on Workers: nothing of a request runs on.
  vi.clearAllTimers()
  state.now += 4999
  expect(await rejectRequests(1)).toBeGreaterThan(0)
  state.now += 1
  expect(await load.finish('gone', async () => 'served')).toBe('served')
  const all = Array.from({ length: 8 }, (_, at) => load.run(`device ${at}`, async () => 'served'))
  expect(new Set(await Promise.all(all))).toEqual(new Set(['served']))
})

test('count of waiting devices starts again once all were served', async () => {
  const service = createTestService(10)
  service.fill()
  await service.rejectRequests(5)
  await service.end()
  service.state.now += 1_000_000
  service.fill()
  expect(await service.rejectRequests(100)).toBe(32)
})

test('a place is free again as soon as a part of the work has ended or failed', async () => {
  const { load } = createTestService(1)
  const running = Promise.withResolvers<string>()
  const part = load.run('one', () => running.promise)
  await expect(load.run('another', async () => 'another')).rejects.toThrow('so many devices')
  running.resolve('done')
  expect(await part).toBe('done')
  await expect(load.run('one', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await load.finish('device', async () => 'next')).toBe('next')
})

test('one device has four places, whatever it sends, and the others keep theirs', async () => {
  proves('device-hogs-sync')
  const service = createTestService(10)
  const flood = Array.from({ length: 30 }, () =>
    service.serve('one').then(
      () => 'served',
      (error) => (error instanceof Problem ? [error.name, error.extras.retryAfterS] : error),
    ),
  )
  const others = Array.from({ length: 6 }, () => service.serve())
  await service.end()
  await Promise.all(others)
  const outcomes = await Promise.all(flood)
  expect(outcomes.filter((outcome) => outcome === 'served').length).toBe(4)
  expect(outcomes.at(-1)).toEqual(['service-busy', 2])
  // A place is free again when a request has ended.
  const again = service.serve('one')
  await service.end()
  expect(await again).toBeUndefined()
})

test('a device has its four places for all parts of its requests', async () => {
  proves('device-hogs-sync')
  const { load } = createTestService(10)
  const never = () => new Promise<never>(() => undefined)
  for (let n = 0; n < 4; n += 1) void load.run('one', never)
  await expect(load.run('one', async () => 'more')).rejects.toThrow('this device')
  await expect(load.finish('one', async () => 'more')).rejects.toThrow('this device')
  expect(await load.run('another', async () => 'served')).toBe('served')
})

test('strangers have four places, none of those of devices, and no device waits longer because of them', async () => {
  proves('strangers-hog-sync')
  const service = createTestService(4)
  const running = Promise.withResolvers<string>()
  const strangers = Array.from({ length: 700 }, () =>
    service.load
      .runForStranger(() => running.promise)
      .catch((error) => (error instanceof Problem ? error.extras.retryAfterS : error)),
  )
  service.fill()
  service.state.now += 1000
  expect(await service.rejectRequests(1)).toBe(2 + 30)
  await service.end()
  running.resolve('done')
  const outcomes = await Promise.all(strangers)
  expect(outcomes.filter((outcome) => outcome === 'done').length).toBe(4)
  expect(outcomes.slice(4).every((outcome) => outcome === 2 + 30)).toBe(true)
  expect(await service.load.runForStranger(async () => 'next')).toBe('next')
})
