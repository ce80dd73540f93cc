/** On which ports a server listens. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { makeTestRoot } from '../../test/certs/test-root.ts'
import type { CertificateKeyPair } from '../pki/certificate.ts'
import { makeLeaf } from '../pki/x509.ts'
import { listen, type Peer } from './server.ts'

let certificate: CertificateKeyPair
/** The root of the certificate, which the clients trust. */
let ca: string
beforeAll(async () => {
  const options = { now: Date.now(), hosts: [] }
  const root = await makeTestRoot({ ...options, owner: 'test', constraints: 'none' })
  ca = root.cert
  certificate = await makeLeaf(root, options)
})

test('a range that other programs have is left, and any free port is used on both addresses', async () => {
  proves('api-ports-taken')
  const holder = createServer().listen(0, '::1')
  await once(holder, 'listening')
  onTestFinished(() => void holder.close())
  const address = holder.address()
  const taken = address && typeof address === 'object' ? address.port : 0

  const server = listen({ first: taken, last: taken }, [certificate], (_, { port }) =>
    Response.json(port),
  )
  onTestFinished(() => server.stop())
  expect(server.port).not.toBe(taken)
  for (const host of ['127.0.0.1', '[::1]']) {
    const url = `https://${host}:${server.port}/`
    const response = await fetch(url, { tls: { ca } })
    // The port that the owner of the connection is looked up with.
    expect(await response.json()).toBe(server.port)
  }
  server.replaceCertificates([certificate])
  const again = await fetch(`https://127.0.0.1:${server.port}/`, {
    tls: { ca },
  })
  expect(again.status).toBe(200)
})

test('a request whose connection was reset before it is handled has no peer', async () => {
  proves('owner-look-up-race')
  const peers = new Map<string, Peer | undefined>()
  const server = listen({ first: 1, last: 0 }, [certificate], ({ url }, { peer }) => {
    peers.set(new URL(url).pathname, peer)
    // Both requests are in the server's queue by then: the second one is read all the same.
    second.socket.resetAndDestroy()
    return new Response()
  })
  onTestFinished(() => server.stop())
  const open = async () => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
    const secure = connectTls({ socket, ca, servername: 'localhost' }).on('error', () => undefined)
    await once(secure, 'secureConnect')
    return { socket, secure }
  }
  const [first, second] = [await open(), await open()]
  const answered = once(first.secure, 'data')
  first.secure.write('GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n')
  second.secure.write('GET /second HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await answered
  await expect.poll(() => [...peers.keys()]).toEqual(['/first', '/second'])
  expect(peers.get('/first')).toMatchObject({ address: '127.0.0.1' })
  expect(peers.get('/second')).toBeUndefined()
})
