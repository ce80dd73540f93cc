/** On which ports a server listens. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { CertificateKeyPair } from '../pki/certificate.ts'
import { makeLeaf, makeRoot } from '../pki/x509.ts'
import { listen } from './server.ts'

let certificate: CertificateKeyPair
beforeAll(async () => {
  const options = { now: Date.now(), hosts: [] }
  const root = await makeRoot({ ...options, owner: 'test', constraints: 'full' })
  certificate = await makeLeaf(root, options)
})

test('a range that other programs have is left, and any free port is used on both addresses', async () => {
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
    const response = await fetch(url, { tls: { rejectUnauthorized: false } })
    // The port that the owner of the connection is looked up with.
    expect(await response.json()).toBe(server.port)
  }
  server.replaceCertificates([certificate])
  const again = await fetch(`https://127.0.0.1:${server.port}/`, {
    tls: { rejectUnauthorized: false },
  })
  expect(again.status).toBe(200)
})
