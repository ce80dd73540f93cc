/** The certificate files that a registry serves: read, never written, and watched. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeTestRoot } from '../../test/certs/test-root.ts'
import type { TlsMaterial } from '../certificates/certificates.ts'
import { type CertificateKeyPair, readCertificate } from '../pki/certificate.ts'
import { readName } from '../pki/names.ts'
import { makeLeaf } from '../pki/x509.ts'
import { openReadOnlyCertificates, readCertificateNames } from './read-only-certificates.ts'

const log = { warn: () => undefined }
const hosts = ['desk-7.example', '192.168.7.7', 'fd00::7'].flatMap((text) => readName(text) ?? [])
let leaves: readonly [CertificateKeyPair, CertificateKeyPair]
let folder: string

beforeAll(async () => {
  const now = Date.now()
  const root = await makeTestRoot({ now, owner: 'test', constraints: 'full', hosts })
  leaves = [await makeLeaf(root, { now, hosts }), await makeLeaf(root, { now, hosts: [] })]
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-served-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function write({ cert, key }: CertificateKeyPair): Promise<void> {
  await writeFile(join(folder, 'localhost-key.pem'), key)
  await writeFile(join(folder, 'localhost.pem'), cert)
}

test('names are those of the certificate, in the form of requests', () => {
  for (const { cert } of leaves) {
    expect([...readCertificateNames(cert)].toSorted()).toEqual(
      [...readCertificate(cert).names].toSorted(),
    )
  }
  expect(readCertificateNames(leaves[0].cert)).toContain('::1')
})

test('the files are served as they are, and nothing is written', async () => {
  await write(leaves[0])
  const { cert, key } = leaves[0]
  const { fingerprint } = readCertificate(cert)
  expect(await openReadOnlyCertificates(folder, log).ensure()).toMatchObject({
    cert,
    key,
    fingerprint,
  })
  expect((await readdir(folder)).toSorted()).toEqual(['localhost-key.pem', 'localhost.pem'])
})

test('missing files are an error', async () => {
  await expect(openReadOnlyCertificates(folder, log).ensure()).rejects.toThrow('localhost.pem')
})

test('key of another certificate is an error', async () => {
  await write({ cert: leaves[0].cert, key: leaves[1].key })
  await expect(openReadOnlyCertificates(folder, log).ensure()).rejects.toThrow('does not belong')
})

test('new pair is reported once, when both files are complete', async () => {
  await write(leaves[0])
  const files = openReadOnlyCertificates(folder, log)
  await files.ensure()
  const received: TlsMaterial[] = []
  const stop = files.onChange((material) => received.push(material))
  await write(leaves[1])
  await expect.poll(() => received.length).toBe(1)
  await write(leaves[1])
  await write(leaves[0])
  await expect.poll(() => received.length).toBe(2)
  expect(received.map(({ cert }) => cert)).toEqual([leaves[1].cert, leaves[0].cert])
  stop()
})
