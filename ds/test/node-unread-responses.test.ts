/** Clients of Node's server that do not read. */
import { once } from 'node:events'
import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { FileStream } from '../src/self-hosted/file-stream.ts'
import { holdResponse, listen } from '../src/self-hosted/node-server.ts'

/** More than the sockets on both sides take. */
const size = 64 * 1024 * 1024

/** What an export writes at once. */
const part = new Uint8Array(64 * 1024)

const silent = () => undefined
const never = new Promise<Response>(silent)
const log = { info: silent, warn: silent, error: silent }

afterEach(() => {
  vi.useRealTimers()
})

type Respond = (env: { readonly outgoing: ServerResponse }) => Promise<Response>

/** Sends requests for this response at once, and reads nothing; `socket` is the one of the server. */
async function requestWithoutReading(respond: Respond, requests = 1) {
  const requested = Promise.withResolvers<Socket>()
  let answers = 0
  const server = await listen(
    { host: '127.0.0.1', port: 0 },
    async (_, env) => {
      const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse }
      requested.resolve(incoming.socket)
      answers += 1
      return respond({ outgoing })
    },
    log,
  )
  const client = connect(server.port, '127.0.0.1').on('error', silent).pause()
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(requests))
  const socket = await requested.promise
  return {
    client,
    socket,
    countAnswers: () => answers,
    async stop() {
      client.destroy()
      await server.close()
    },
  }
}

/** Sends a request with so many fields besides Host. */
async function requestUnread(fields: number) {
  const server = await listen({ host: '127.0.0.1', port: 0 }, async () => new Response(''), log)
  const client = connect(server.port, '127.0.0.1').on('error', silent).pause()
  client.write(`GET / HTTP/1.1\r\nhost: a\r\n${'x: y\r\n'.repeat(fields)}\r\n`)
  return {
    client,
    async stop() {
      client.destroy()
      await server.close()
    },
  }
}

test('connection is closed two minutes after a request when its client does not read the response', async () => {
  proves('downloads-unread')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { socket, stop } = await requestWithoutReading(async () => new Response('x'.repeat(size)))
  const closed = once(socket, 'close')
  await expect.poll(() => socket.writableLength).toBeGreaterThan(0)
  vi.advanceTimersByTime(110_000)
  expect(socket.destroyed).toBe(false)
  vi.advanceTimersByTime(10_000)
  await closed
  await stop()
})

test('export that its client reads slowly goes on after two minutes', async () => {
  proves('downloads-unread')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let parts = size / part.length
  const rows = new ReadableStream({
    pull(controller) {
      if (parts === 0) controller.close()
      else controller.enqueue(part)
      parts -= 1
    },
  })
  const { client, socket, stop } = await requestWithoutReading(async () => new Response(rows))
  const closed = once(socket, 'close')
  await expect.poll(() => socket.writableLength).toBeGreaterThan(0)
  vi.advanceTimersByTime(60_000)
  const before = client.bytesRead
  client.on('data', () => {
    if (client.bytesRead > before + size / 2) client.pause()
  })
  client.resume()
  await expect.poll(() => client.isPaused()).toBe(true)
  vi.advanceTimersByTime(60_000)
  expect(socket.destroyed).toBe(false)
  vi.advanceTimersByTime(120_000)
  await closed
  await stop()
})

test('requests that a client sends at once, without reading, are answered one after the other', async () => {
  proves('pipelined-requests')
  const { client, socket, countAnswers, stop } = await requestWithoutReading(
    async () => new Response('x'.repeat(size)),
    20,
  )
  await expect.poll(() => socket.writableLength).toBeGreaterThan(0)
  expect(countAnswers()).toBe(1)
  expect(socket.writableLength).toBeLessThan(2 * size)
  client.resume()
  await expect.poll(countAnswers).toBeGreaterThan(2)
  await stop()
})

const get = 'GET / HTTP/1.1\r\nhost: a\r\n'
const post = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 15000\r\n\r\n'

test.each([
  ['more than twenty requests', `${get}\r\n`.repeat(21)],
  ['a few requests with long headers', `${get}x: ${'x'.repeat(15_000)}\r\n\r\n`.repeat(5)],
  ['a few requests with bodies', `${post}${'x'.repeat(15_000)}`.repeat(6)],
])('connection on which %s wait is closed', async (_, requests) => {
  proves('pipelined-requests')
  const { client, stop } = await requestWithoutReading(() => never)
  const closed = once(client.resume(), 'close')
  client.write(requests)
  await closed
  await stop()
})

test.each([
  ['came before', 2, ''],
  ['comes then', 1, `${get}\r\n`],
])(
  'connection that waits for news is closed when another request %s',
  async (_, requests, next) => {
    proves('pipelined-requests')
    const waits = Promise.withResolvers<void>()
    const { client, socket, stop } = await requestWithoutReading(({ outgoing }) => {
      // In the application the handler of a wait does so, after it has read the assertion.
      setImmediate(() => {
        holdResponse({ env: { outgoing } } as Parameters<typeof holdResponse>[0])
        waits.resolve()
      })
      return never
    }, requests)
    const closed = once(client.resume(), 'close')
    await waits.promise
    if (next !== '') {
      expect(socket.destroyed).toBe(false)
      client.write(next)
    }
    await closed
    await stop()
  },
)

test.each([
  [99, 200],
  [100, 431],
])('a header with Host and %i other fields is answered with %i', async (fields, status) => {
  proves('pipelined-requests')
  const { client, stop } = await requestUnread(fields)
  const [answer] = await once(client.resume(), 'data')
  expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  await stop()
})

test('download that its client does not read holds one buffer, and is closed with its file', async () => {
  proves('downloads-unread')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-node-server-'))
  const path = join(folder, 'file')
  await writeFile(path, '')
  await truncate(path, size)
  const handle = await open(path)
  const { socket, stop } = await requestWithoutReading(
    async () =>
      new Response(new FileStream(handle, 0, size - 1), {
        headers: { 'accept-ranges': 'bytes', 'content-length': String(size) },
      }),
  )
  const closed = once(socket, 'close')
  let sent = -1
  // The time of the tests stands still, that of `poll` does not.
  await expect
    .poll(() => {
      const before = sent
      sent = socket.bytesWritten
      return sent - before
    })
    .toBe(0)
  expect(socket.writableLength).toBeLessThanOrEqual(256 * 1024)
  vi.advanceTimersByTime(60_000)
  vi.advanceTimersByTime(60_000)
  await closed
  await expect.poll(() => handle.fd).toBe(-1)
  await stop()
  await rm(folder, { recursive: true })
})
