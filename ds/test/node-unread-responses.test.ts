/** Clients of Node's server that do not read. */
import { once } from 'node:events'
import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { FileStream } from '../src/self-hosted/file-stream.ts'
import { listen } from '../src/self-hosted/node-server.ts'

/** More than the sockets on both sides take. */
const size = 64 * 1024 * 1024

const silent = () => undefined
const log = { info: silent, warn: silent, error: silent }

afterEach(() => {
  vi.useRealTimers()
})

/** Sends a request for this response and reads nothing of it; `socket` is the one of the server. */
async function requestWithoutReading(respond: () => Promise<Response>) {
  const asked = Promise.withResolvers<Socket>()
  const server = await listen(
    { host: '127.0.0.1', port: 0 },
    async (_, env) => {
      const { socket } = (env as { incoming: { socket: Socket } }).incoming
      asked.resolve(socket)
      return respond()
    },
    log,
  )
  const client = connect(server.port, '127.0.0.1').on('error', silent).pause()
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  const socket = await asked.promise
  return {
    socket,
    async stop() {
      client.destroy()
      await server.close()
    },
  }
}

test('connection is closed two minutes after a request when its client does not read the response', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { socket, stop } = await requestWithoutReading(async () => new Response('x'.repeat(size)))
  const closed = once(socket, 'close')
  await vi.waitFor(() => expect(socket.writableLength).toBeGreaterThan(0))
  vi.advanceTimersByTime(110_000)
  expect(socket.destroyed).toBe(false)
  vi.advanceTimersByTime(10_000)
  await closed
  await stop()
})

test('download that its client does not read holds one buffer, and is closed with its file', async () => {
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
  await vi.waitFor(
    () => {
      const before = sent
      sent = socket.bytesWritten
      expect(sent).toBe(before)
    },
    { interval: 50 },
  )
  expect(socket.writableLength).toBeLessThanOrEqual(64 * 1024)
  vi.advanceTimersByTime(60_000)
  vi.advanceTimersByTime(60_000)
  await closed
  await vi.waitFor(() => expect(handle.fd).toBe(-1))
  await stop()
  await rm(folder, { recursive: true })
})
