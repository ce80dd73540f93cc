/** The pinned TLS client against servers of every kind: known, foreign, silent, without TLS, and none. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../../../../test/bed/free-port.ts'
import { makeTestRoot } from '../../../test/certs/test-root.ts'
import { type CertificateKeyPair, readCertificate } from '../../pki/certificate.ts'
import { makeLeaf } from '../../pki/x509.ts'
import { connectPinned, type PinnedTlsError, sendRequest } from './pinned-tls.ts'

let certificate: CertificateKeyPair
let fingerprint: string
let port: number
const servers: Server[] = []

beforeAll(async () => {
  const now = Date.now()
  const root = await makeTestRoot({ now, owner: 'test', constraints: 'full', hosts: [] })
  certificate = await makeLeaf(root, { now, hosts: [] })
  fingerprint = readCertificate(certificate.cert).fingerprint
})
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function listen(server: Server): Promise<void> {
  port = await findFreePort()
  servers.push(server)
  await once(server.listen(port, '127.0.0.1'), 'listening')
}

/** A TLS server that answers each chunk of a request with `response`; undefined: with nothing. */
async function serve(response?: string): Promise<string[]> {
  const received: string[] = []
  await listen(
    createTlsServer(certificate, (socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (data) => {
        received.push(String(data))
        if (response !== undefined) socket.end(response)
      })
    }),
  )
  return received
}

const connectTo = (pinned: readonly string[], connectMs = 5000) =>
  connectPinned({
    port,
    connectMs,
    readPinned: async () => pinned.map((each) => ({ fingerprint: each })),
  })

const failWith = (failure: PinnedTlsError['failure']) => expect.objectContaining({ failure })

describe('connectPinned', () => {
  test('returns the certificate that the server shows', async () => {
    await serve()
    const { socket, certificate: shown } = await connectTo(['00'.repeat(32), fingerprint])
    socket.destroy()
    expect(shown).toEqual({ fingerprint })
  })

  test('fails with certificate-unknown for another certificate, and has sent nothing', async () => {
    const received = await serve()
    await expect(connectTo(['00'.repeat(32)])).rejects.toThrow(failWith('certificate-unknown'))
    await expect(connectTo([])).rejects.toThrow(failWith('certificate-unknown'))
    expect(received).toEqual([])
  })

  test('fails with refused where no program listens', async () => {
    port = await findFreePort()
    await expect(connectTo([fingerprint])).rejects.toThrow(failWith('refused'))
  })

  test('fails with no-tls where nothing answers in time', async () => {
    await listen(createServer())
    await expect(connectTo([fingerprint], 100)).rejects.toThrow(failWith('no-tls'))
  })
})

describe('sendRequest', () => {
  const send = async (options: { timeoutMs?: number; maxBytes?: number; signal?: AbortSignal }) => {
    const { socket } = await connectTo([fingerprint])
    const request = { method: 'GET', path: '/', timeoutMs: 5000, ...options }
    return sendRequest(socket, request).finally(() => socket.destroy())
  }
  const response = (body: string) =>
    `HTTP/1.1 201 Created\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`

  test('returns status and text of the response', async () => {
    const received = await serve(response('{"text":"é"}'))
    expect(await send({})).toEqual({ status: 201, text: '{"text":"é"}' })
    expect(received.join('')).toMatch(/^GET \/ HTTP\/1\.1\r\n/)
    expect(received.join('')).toContain('x-csrf-token: t1c-js')
  })

  test('fails with timeout when the server does not answer in time', async () => {
    await serve()
    await expect(send({ timeoutMs: 100 })).rejects.toThrow(failWith('timeout'))
  })

  test('fails with too-large beyond the limit of bytes', async () => {
    await serve(response('x'.repeat(2000)))
    await expect(send({ maxBytes: 1999 })).rejects.toThrow(failWith('too-large'))
    expect((await send({ maxBytes: 2000 })).text).toHaveLength(2000)
  })

  test('fails with aborted when its signal is, before or while it waits', async () => {
    await serve()
    await expect(send({ signal: AbortSignal.abort() })).rejects.toThrow(failWith('aborted'))
    const aborting = new AbortController()
    const pending = send({ signal: aborting.signal })
    setTimeout(() => aborting.abort(), 50)
    await expect(pending).rejects.toThrow(failWith('aborted'))
  })
})
