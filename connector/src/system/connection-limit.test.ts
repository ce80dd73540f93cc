/** Which connections are closed when an account holds too many: real ones, whose owners the test names. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { makeTestRoot } from '../../test/certs/test-root.ts'
import type { CertificateKeyPair } from '../pki/certificate.ts'
import { makeLeaf } from '../pki/x509.ts'
import { createConnectionLimit } from './connection-limit.ts'
import { openSocketQuery } from './linux-socket-query.ts'
import { listen } from './server.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

let certificate: CertificateKeyPair
/** The root of the certificate, which the clients trust. */
let ca: string
beforeAll(async () => {
  const options = { now: Date.now(), hosts: [] }
  const root = await makeTestRoot({ ...options, owner: 'test', constraints: 'none' })
  ca = root.cert
  certificate = await makeLeaf(root, options)
})

function startServer(): number {
  const ports = { first: 26_000, last: 32_000 }
  const server = listen(ports, [certificate], () => new Response('answer'))
  closing.push(() => void server.stop())
  return server.port
}

/** Connections with the beginning of a TLS handshake: without data they are not accepted. */
async function openConnections(host: string, port: number, count: number) {
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, host)
      closing.push(() => socket.destroy())
      await once(socket, 'connect')
      socket.write(Buffer.from([22, 3, 1]))
      return socket
    }),
  )
  // The server has accepted them when it answers a later one.
  const url = `https://${host.includes(':') ? `[${host}]` : host}:${port}/`
  await (await fetch(url, { tls: { ca }, keepalive: false })).text()
  return sockets
}

const isClosed = (socket: Socket) => socket.destroyed || socket.readableEnded

describe.runIf(process.platform === 'linux')('connections', () => {
  const own = process.getuid?.() ?? 0
  const log = { warn: () => undefined }

  test.each(['127.0.0.1', '::1'])(
    'over %s of each account are closed above its limit',
    async (host) => {
      proves('connections-flood')
      const port = startServer()
      const [ofAda, ofMallory] = [
        await openConnections(host, port, 5),
        await openConnections(host, port, 9),
      ]
      const users = new Map([
        ...ofAda.map(({ localPort }) => [localPort, '1000'] as const),
        ...ofMallory.map(({ localPort }) => [localPort, '1001'] as const),
      ])
      const closeExcess = createConnectionLimit({
        port,
        limit: { own: 5, other: 3, others: 100 },
        log,
        uid: 1000,
        // The fetch above may keep its connection: it is neither's.
        query: (_, from) => {
          const user = users.get(from)
          return user === undefined ? undefined : { kind: 'held', user }
        },
      })
      // A socket that nobody reads does not say that it was closed.
      for (const socket of ofAda) socket.resume()
      const closed = ofMallory.map((socket) => once(socket.resume(), 'close'))
      expect(closeExcess()).toBe(6)
      await Promise.race(closed)
      await expect.poll(() => ofMallory.filter(isClosed).length).toBe(6)
      expect(ofAda.filter(isClosed)).toHaveLength(0)
      expect(closeExcess()).toBe(0)
    },
  )

  test('of other accounts together are closed above their limit, those of the accounts that hold most', async () => {
    proves('connections-flood')
    const port = startServer()
    const sockets = await openConnections('127.0.0.1', port, 22)
    const accounts = [2, 10, 8, 2].flatMap((count, account) =>
      Array.from({ length: count }, () => String(1001 + account)),
    )
    const users = new Map(sockets.map(({ localPort }, at) => [localPort, accounts[at] ?? '']))
    const closeExcess = createConnectionLimit({
      port,
      limit: { own: 5, other: 100, others: 14 },
      log,
      uid: 1000,
      query: (_, from) => ({ kind: 'held', user: users.get(from) ?? '1000' }),
    })
    for (const socket of sockets) socket.resume()
    expect(closeExcess()).toBe(8)
    const countOpen = () =>
      [1001, 1002, 1003, 1004].map(
        (user) =>
          sockets.filter(
            (socket) => users.get(socket.localPort) === String(user) && !isClosed(socket),
          ).length,
      )
    await expect.poll(countOpen).toEqual([2, 5, 5, 2])
    expect(closeExcess()).toBe(0)
  })

  test('whose owner the system does not say stay open, and so do those to another port', async () => {
    const port = startServer()
    const sockets = await openConnections('127.0.0.1', port, 5)
    const limit = { own: 0, other: 0, others: 0 }
    expect(createConnectionLimit({ port, limit, log, query: () => undefined })()).toBe(0)
    const other = createConnectionLimit({ port: port + 1, limit, log, query: openSocketQuery() })
    expect(other()).toBe(0)
    expect(sockets.filter(isClosed)).toHaveLength(0)
  })

  test('are found with the owner that the system names', async () => {
    const port = startServer()
    await openConnections('127.0.0.1', port, 5)
    const lines: unknown[] = []
    const closeExcess = createConnectionLimit({
      port,
      limit: { own: Number.POSITIVE_INFINITY, other: 2, others: 100 },
      log: { warn: (event, fields) => void lines.push([event, fields?.['user']]) },
      uid: own + 1,
    })
    expect(closeExcess()).toBeGreaterThanOrEqual(3)
    expect(lines).toEqual([['connections of an account closed: it holds too many', String(own)]])
  })
})
