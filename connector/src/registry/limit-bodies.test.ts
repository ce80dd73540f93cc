/** Bodies in memory at the same time: a share for each account, and a total. */
import { Problem } from '@cardwire/protocol/problem'
import { Hono } from 'hono'
import { beforeEach, expect, test } from 'vitest'
import type { ApiEnv } from '../http/route-types.ts'
import { bodyLimits, limitBodies } from './limit-bodies.ts'

const mebibyte = 1024 ** 2

let app: Hono<ApiEnv>
let answerAll: () => void
beforeEach(() => {
  const { promise, resolve } = Promise.withResolvers<void>()
  answerAll = resolve
  app = new Hono<ApiEnv>()
  app.use(async (context, next) => {
    const user = context.req.header('x-user')
    context.set('account', user ? { kind: 'other', user } : { kind: 'unknown' })
    await next()
  })
  app.use(limitBodies({ log: { warn: () => undefined } }))
  app.post('/', async (context) => {
    await promise
    return context.body(null, 204)
  })
  app.onError((error, context) =>
    context.body(null, error instanceof Problem && error.name === 'too-many-requests' ? 429 : 500),
  )
})

/** The status of a request, or undefined while it waits. */
async function send(user: string, headers: Record<string, string>): Promise<number | undefined> {
  const response = app.request('/', { method: 'POST', headers: { 'x-user': user, ...headers } })
  const first = await Promise.race([response, new Promise<undefined>((wait) => setImmediate(wait))])
  return first?.status
}

const fill = async (user: string, headers: Record<string, string>) => {
  let count = 0
  while ((await send(user, headers)) === undefined && count < 200) count += 1
  return count
}

test.each([
  ['a length of 1 MiB', { 'content-length': String(mebibyte) }, 8],
  ['a length of 64 KiB', { 'content-length': '65536' }, 128],
  ['chunks', { 'transfer-encoding': 'chunked' }, 8],
  ['two lengths', { 'content-length': '5, 5' }, 8],
  ['a length below zero', { 'content-length': '-1048576' }, 8],
])('bodies with %s share 8 MiB of an account', async (_, headers, expected) => {
  expect(await fill('ada', headers)).toBe(expected)
})

test('bodies of all accounts share 32 MiB', async () => {
  const headers = { 'content-length': String(mebibyte) }
  for (const user of ['ada', 'bob', 'eve', 'mia']) expect(await fill(user, headers)).toBe(8)
  expect(await send('zoe', headers)).toBe(429)
  expect(bodyLimits.total).toBe(32 * mebibyte)
})

test('a request without a body passes, and a body that is answered makes room', async () => {
  const headers = { 'content-length': String(mebibyte) }
  expect(await fill('ada', headers)).toBe(8)
  expect(await send('ada', {})).toBeUndefined()
  expect(await send('ada', headers)).toBe(429)
  answerAll()
  await expect.poll(() => send('ada', headers)).toBe(204)
})
