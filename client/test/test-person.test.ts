/** The card of a test person: what it signs is verified by the code of back ends, and by node:crypto. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { verifyAuthentication } from '@cardwire/server'
import { beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Card, HashAlgorithm } from '../src/index.ts'
import { createTestConnector, createTestPerson, type TestPerson } from '../src/testing/index.ts'

const origin = 'https://shop.example'
const nonce = 'xI4nWvR7nq0YcX9w3oZtH2mB5kD8fL1pT6sE4aUjQ0g='

let alice: TestPerson
beforeEach(async () => {
  alice = await createTestPerson('Alice')
})

async function insert(person: TestPerson): Promise<Card> {
  const connector = createTestConnector({ origin, readers: [{ id: 'a' }] })
  const client = await connector.initialize()
  return client.card(connector.insertCard('a', person.card))
}

test('a back end accepts the sign-in of a test person, only for its origin and nonce', async () => {
  proves('test-double')
  const card = await insert(alice)
  const token = await card.authenticate({ nonce })
  const options = { origin, nonce, roots: [alice.root] }
  const [certificate] = await card.certificates({ purpose: 'authentication' })
  const found = await verifyAuthentication(token, options)
  expect(found.subject).toEqual({ CN: ['Alice'] })
  expect(found.certificate).toEqual(certificate?.der)
  expect(found.path).toEqual([certificate?.der, ...(certificate?.chain ?? [])])
  for (const other of [
    { ...options, nonce: nonce.replace('x', 'y') },
    { ...options, origin: 'https://other.example' },
  ]) {
    await expect(verifyAuthentication(token, other)).rejects.toMatchObject({
      reason: 'signature-invalid',
    })
  }
})

test('the certificate for signatures signs no user in', async () => {
  const card = await insert(alice)
  const [signing] = await card.certificates({ purpose: 'signature' })
  const token = await card.authenticate({ nonce })
  const unverifiedCertificate = Buffer.from(signing?.der ?? []).toString('base64')
  await expect(
    verifyAuthentication(
      { ...token, unverifiedCertificate },
      { origin, nonce, roots: [alice.root] },
    ),
  ).rejects.toMatchObject({ reason: 'certificate-unsuitable' })
})

test.each(['raw', 'der'] as const)(
  'each signature of a test person verifies with its certificate, in the form %s',
  async (format) => {
    const card = await insert(alice)
    const [certificate] = await card.certificates({ purpose: 'signature' })
    const { publicKey } = new X509Certificate(certificate?.der ?? new Uint8Array())
    const key = { key: publicKey, dsaEncoding: format === 'der' ? 'der' : 'ieee-p1363' } as const
    const hashes = await card.hashes()
    expect(hashes).toEqual(['SHA-256', 'SHA-384', 'SHA-512'])
    const text = Buffer.from('An order')
    // Numbers with zeros in front are one in 128.
    for (const hash of Array.from<readonly HashAlgorithm[]>({ length: 100 }).flatMap(
      () => hashes,
    )) {
      const digest = createHash(hash.replace('-', '')).update(text).digest()
      const signature = await card.sign({ hash, digest, format })
      expect(verify(hash.replace('-', ''), text, key, signature)).toBe(true)
      expect(verify(hash.replace('-', ''), Buffer.from('Another'), key, signature)).toBe(false)
    }
  },
)

test('test persons have one authority, and keys, names and serial numbers of their own', async () => {
  const bob = await createTestPerson('Bob, of the "Test"')
  expect(bob.root).toBe(alice.root)
  const [ofAlice, ofBob] = [await insert(alice), await insert(bob)]
  const certificates = [...(await ofAlice.certificates()), ...(await ofBob.certificates())]
  expect(certificates.map(({ subject }) => subject)).toEqual([
    ...['CN=Alice', 'CN=Alice'],
    ...['CN=Bob\\, of the \\"Test\\"', 'CN=Bob\\, of the \\"Test\\"'],
  ])
  expect(new Set(certificates.map(({ serialNumber }) => serialNumber)).size).toBe(4)
  for (const { der, serialNumber, chain = [] } of certificates) {
    const parsed = new X509Certificate(der)
    expect(parsed.serialNumber).toBe(serialNumber)
    expect(parsed.verify(new X509Certificate(chain[0] ?? new Uint8Array()).publicKey)).toBe(true)
  }
  const { biometric } = await ofBob.identity(['biometric'])
  expect(biometric.firstNames).toBe('Bob, of the "Test"')
})
