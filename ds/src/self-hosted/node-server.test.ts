/** How long the body of a request may take: that of an upload longer than others. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '../../../.ci/test-bed/log.ts'
import { allowLongBody } from './limit-duration.ts'
import { listen } from './node-server.ts'

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
