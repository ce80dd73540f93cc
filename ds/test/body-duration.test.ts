/** How long the body of a request may take: that of an upload longer than others, and none while it waits for its turn. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '../../test/bed/log.ts'
import { proves } from '../../test/bed/proves.ts'
import { allowLongBody } from '../src/self-hosted/limit-duration.ts'
import { listen } from '../src/self-hosted/node-server.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Sends a part of a body to a server that reads all of it; the connection, when the server reads. */
async function beginRequest(isUpload: boolean) {
  const reading = Promise.withResolvers<void>()
  const server = await listen(
    { host: '127.0.0.1', port: 0 },
    async (request, env) => {
      const { incoming, outgoing } = env as { incoming: never; outgoing: never }
      if (isUpload) allowLongBody(incoming, outgoing)
      reading.resolve()
      return new Response(`${(await request.text()).length} bytes`)
    },
    silentLog,
  )
  const socket = connect(server.port, '127.0.0.1')
  socket.write('PUT / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 10\r\n\r\n12345')
  await reading.promise
  return { socket, server }
}

test('a body that does not come within 45 s is refused', async () => {
  proves('upload-endless')
  const { socket, server } = await beginRequest(false)
  vi.advanceTimersByTime(45_000)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /)
  await server.close()
})

test('the body of an upload may take hours', async () => {
  const { socket, server } = await beginRequest(true)
  vi.advanceTimersByTime(2 * 3_600_000)
  socket.write('67890')
  expect(await text(socket)).toMatch(/10 bytes$/)
  await server.close()
})

/** A server whose response to GET ends with `end`, and that reads the bodies of other requests. */
async function startSlowResponses() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  void writer.write(Buffer.from('a part, '))
  const server = await listen(
    { host: '127.0.0.1', port: 0 },
    async (request) => {
      if (request.method !== 'GET') return new Response(`${(await request.text()).length} bytes`)
      return new Response(readable)
    },
    silentLog,
  )
  const socket = connect(server.port, '127.0.0.1')
  const end = async () => {
    await writer.write(Buffer.from('the rest'))
    await writer.close()
  }
  return { server, socket, begun: once(socket, 'readable'), end }
}

test('a response goes on after 45 s when nobody reads the body of its request', async () => {
  const { server, socket, begun, end } = await startSlowResponses()
  socket.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 5\r\n\r\n12345')
  await begun
  vi.advanceTimersByTime(50_000)
  await end()
  expect(await text(socket)).toContain('the rest')
  await server.close()
})

test('the 45 s of a body begin when the request before it is answered', async () => {
  const { server, socket, begun, end } = await startSlowResponses()
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  socket.write('PUT / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 10\r\n\r\n12345')
  await begun
  vi.advanceTimersByTime(50_000)
  await end()
  socket.write('67890')
  expect(await text(socket)).toMatch(/the rest[\s\S]*10 bytes$/)
  await server.close()
})
