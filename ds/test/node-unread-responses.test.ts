/** Clients of Node's server that do not read. */
import { once } from 'node:events'
import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { FileStream } from '../src/self-hosted/file-stream.ts'
import { listen } from '../src/self-hosted/node-server.ts'

/** More than the sockets on both sides take. */
const size = 64 * 1024 * 1024

/** What an export writes at once. */
const part = new Uint8Array(64 * 1024)

const silent = () => undefined
const log = { info: silent, warn: silent, error: silent }

afterEach(() => {
  vi.useRealTimers()
})

/** Sends requests for this response at once, and reads nothing; `socket` is the one of the server. */
async function requestWithoutReading(respond: () => Promise<Response>, requests = 1) {
  const requested = Promise.withResolvers<Socket>()
  let answers = 0
  const server = await listen(
    { host: '127.0.0.1', port: 0 },
    async (_, env) => {
      const { socket } = (env as { incoming: { socket: Socket } }).incoming
      requested.resolve(socket)
      answers += 1
      return respond()
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

test('connection on which more than a hundred requests wait is closed', async () => {
  proves('pipelined-requests')
  const { client, stop } = await requestWithoutReading(
    async () => new Response('x'.repeat(size)),
    102,
  )
  client.resume()
  await once(client, 'close')
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
