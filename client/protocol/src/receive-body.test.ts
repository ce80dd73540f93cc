/** Bodies that come slowly: how long the service waits for them. */
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createProblemResponse } from './hono.ts'
import { Problem } from './problem.ts'
import { receiveBody } from './receive-body.ts'

const kibibyte = 1024

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const app = new Hono()
app.onError((error) => {
  if (error instanceof Problem) return createProblemResponse(error, 'a-request')
  throw error
})
app.put('/', async (context) => {
  await receiveBody(context, 'bytes')
  return context.json((await context.req.arrayBuffer()).byteLength)
})

/** Sends a part of so many bytes every second, as many parts as are named, and ends unless it `stalls`. */
function send(
  partBytes: number,
  { parts = Number.POSITIVE_INFINITY, stalls = false, headers = {} } = {},
) {
  let [sent, timer] = [0, undefined as ReturnType<typeof setInterval> | undefined]
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => {
        if (sent === parts) {
          clearInterval(timer)
          if (!stalls) controller.close()
          return
        }
        controller.enqueue(new Uint8Array(partBytes))
        sent += 1
      }, 1000)
    },
  })
  const request = new Request('http://ds.example/', {
    method: 'PUT',
    body,
    duplex: 'half',
    headers,
  })
  const response = Promise.resolve(app.request(request)).finally(() => clearInterval(timer))
  return { response, sent: () => sent }
}

test('a body that comes a byte at a time is refused after 5 s, and the connection is closed', async () => {
  proves('slow-clients')
  const { response, sent } = send(1)
  await vi.advanceTimersByTimeAsync(5000)
  const refused = await response

  expect(refused.status).toBe(408)
  expect(await refused.json()).toMatchObject({ code: 'request-too-slow' })
  expect(refused.headers.get('connection')).toBe('close')
  expect(sent()).toBe(5)
})

test('a short body that does not come is refused after 5 s', async () => {
  proves('slow-clients')
  const { response } = send(1, { headers: { 'content-length': '100' } })
  await vi.advanceTimersByTimeAsync(5000)

  expect((await response).status).toBe(408)
})

test('a body that stops coming is refused after 5 s without a byte', async () => {
  const { response } = send(200 * kibibyte, { parts: 3, stalls: true })
  await vi.advanceTimersByTimeAsync(10_000)

  expect((await response).status).toBe(408)
})

test.each([
  ['a short body', { 'content-length': '100' }],
  ['a body of unknown length', {}],
])(
  '%s whose connection is closed before its end is refused, and is no defect',
  async (_, headers) => {
    proves('log-flood')
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.error(new Error('aborted')),
    })
    const init = { method: 'PUT', body, duplex: 'half', headers } as RequestInit
    const refused = await app.request(new Request('http://ds.example/', init))

    expect(await refused.json()).toMatchObject({ status: 400, code: 'body-malformed' })
  },
)

test('a body just above the least rate is received for 30 s', async () => {
  proves('slow-clients')
  const whole = send(4 * kibibyte, { parts: 28 })
  const endless = send(4 * kibibyte)
  await vi.advanceTimersByTimeAsync(29_000)
  expect(await (await whole.response).json()).toBe(28 * 4 * kibibyte)
  await vi.advanceTimersByTimeAsync(1000)

  expect((await endless.response).status).toBe(408)
  expect(endless.sent()).toBe(30)
})
