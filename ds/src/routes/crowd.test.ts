/** A crowd: whom it turns away, and for how long. */
import { Problem } from '@cardwire/client/protocol'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { AppEnv } from './bind.ts'
import { crowd } from './crowd.ts'

/** A service of so many at once, whose requests end when the test says so; moments that are drawn are the last possible. */
function aService(most: number) {
  const state = { now: 0 }
  let ends: (() => void)[] = []
  let answers: (Response | Promise<Response>)[] = []
  const app = new Hono<AppEnv>()
  app.onError((error, context) => {
    const wait = error instanceof Problem ? error.extras.retryAfterS : undefined
    return context.text('', 503, { 'retry-after': String(wait) })
  })
  const last = { uuid: () => '', bytes: (length: number) => new Uint8Array(length).fill(255) }
  app.use(crowd({ clock: () => state.now, random: last }, most))
  app.get('/', async (context) => {
    await new Promise<void>((resolve) => ends.push(resolve))
    return context.text('')
  })
  return {
    state,
    /** As many requests as are served at once. */
    fill() {
      answers = Array.from({ length: most }, () => app.request('/'))
    },
    async end() {
      for (const resolve of ends) resolve()
      ends = []
      await Promise.all(answers)
    },
    /** The seconds that the last of so many is told to wait. */
    async turnAway(count: number) {
      let wait: string | null = null
      for (let n = 0; n < count; n += 1) wait = (await app.request('/')).headers.get('retry-after')
      return Number(wait)
    },
  }
}

test('a crowd comes back within half a minute where it can be served by then', async () => {
  const service = aService(10)
  service.fill()
  await service.turnAway(50)
  await service.end()
  service.state.now += 100
  service.fill()
  // 10 in less than a second: what waits takes 20 s.
  expect(await service.turnAway(160)).toBe(2 + 30)
})

test('a crowd that takes longer to serve is spread over that time, ten minutes at most', async () => {
  const service = aService(10)
  service.fill()
  await service.turnAway(50)
  await service.end()
  service.state.now += 10_000
  service.fill()
  // 10 in 10 s: one a second, and 40 wait.
  expect(await service.turnAway(60)).toBe(2 + 100)
  expect(await service.turnAway(600)).toBe(2 + 600)
})

test('a crowd that was served is forgotten', async () => {
  const service = aService(10)
  service.fill()
  await service.turnAway(5)
  await service.end()
  service.state.now += 1_000_000
  service.fill()
  expect(await service.turnAway(100)).toBe(32)
})
