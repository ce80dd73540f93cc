/** The end of a server: which connections still get an answer. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { prepareClose } from './close-server.ts'

const request = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n'

async function startServer() {
  const server = createServer((_, response) => response.end('answered'))
  // An idle connection ends with the server only.
  server.keepAliveTimeout = 600_000
  const close = prepareClose(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, close }
}

const openConnection = (server: Server) =>
  connect((server.address() as AddressInfo).port, '127.0.0.1')

test('a connection that waits to be accepted when the server ends is accepted, and its request answered', async () => {
  proves('stop-loses-nothing')
  const { server, close } = await startServer()
  const clients = [1, 2, 3].map(() => openConnection(server))
  for (const client of clients) client.write(`${request}Connection: close\r\n\r\n`)
  await new Promise<void>((resolve) => process.nextTick(resolve))
  const ended = close()
  for (const client of clients) expect(await text(client)).toContain('answered')
  await ended
})

test('a connection that was accepted and has sent nothing when the server ends gets an answer', async () => {
  proves('stop-loses-nothing')
  const { server, close } = await startServer()
  const client = openConnection(server)
  await once(server, 'connection')
  const ended = close()
  while (server.listening) await setImmediate()
  client.write(`${request}Connection: close\r\n\r\n`)
  expect(await text(client)).toContain('answered')
  await ended
})

test('a connection that was used and is idle does not delay the end', async () => {
  const { server, close } = await startServer()
  const client = openConnection(server)
  client.write(`${request}\r\n`)
  await once(client, 'data')
  await close()
  await once(client.resume(), 'close')
})
