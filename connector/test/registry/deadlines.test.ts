/** How long the connection to the registry waits for a peer that takes connections and does not respond. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  createRegistryClient,
  type RegistryClient,
} from '../../src/api/registry-connection/registry-client.ts'
import { pollAgent } from '../../src/system/ipc/registry-messages.ts'
import { createCertificate, toRegistryCertificate } from './network.ts'

const closing: (() => unknown)[] = []
beforeEach(() => {
  // Those of the connection; what is waited for here are real events.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  for (const close of closing.splice(0).toReversed()) close()
})

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function openClient(...options: Parameters<typeof createRegistryClient>): RegistryClient {
  const client = createRegistryClient(...options)
  closing.push(client.close)
  return client
}

/** What became of it by now: it has a moment in which a deadline that has passed shows. */
const outcome = (promise: Promise<unknown>) =>
  Promise.race([promise.catch((error: Error) => error.message), wait(300, 'pending')])

test('a connection to the registry is given up after 5 s, and not before', async () => {
  proves('registry-poll-timeouts')
  const server = createServer()
  const client = openClient(await listen(server), async () => [])
  const connected = once(server, 'connection')
  const probe = client.probe()
  await connected
  vi.advanceTimersByTime(4999)
  expect(await outcome(probe)).toBe('pending')
  vi.advanceTimersByTime(1)
  expect(await outcome(probe)).toEqual({ kind: 'other-program' })
})

test('a request to the registry is given up after 10 s, and not before', async () => {
  proves('registry-poll-timeouts')
  const certificate = await createCertificate()
  const { cert, key } = certificate
  const server = createTlsServer({ cert, key })
  const received = new Promise((resolve) => {
    server.on('secureConnection', (socket) => {
      socket.on('error', () => undefined)
      socket.once('data', resolve)
    })
  })
  const client = openClient(await listen(server), async () => [toRegistryCertificate(certificate)])
  const poll = client.post(pollAgent, { session: 'any' })
  await received
  vi.advanceTimersByTime(9999)
  expect(await outcome(poll)).toBe('pending')
  vi.advanceTimersByTime(1)
  expect(await outcome(poll)).toMatch('within 10 s')
})
