/** The files that a registry serves: read, never made, and followed when they change. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TlsMaterial } from '../certs/certificates.ts'
import { type Pair, readCertificate } from '../pki/certificate.ts'
import { readName } from '../pki/names.ts'
import { makeLeaf, makeRoot } from '../pki/x509.ts'
import { namesIn, servedFiles } from './served-files.ts'

const log = { warn: () => undefined }
const hosts = ['desk-7.example', '192.168.7.7', 'fd00::7'].flatMap((text) => readName(text) ?? [])
let leaves: readonly [Pair, Pair]
let folder: string

beforeAll(async () => {
  const now = Date.now()
  const root = await makeRoot({ now, owner: 'test', constraints: 'full', hosts })
  leaves = [await makeLeaf(root, { now, hosts }), await makeLeaf(root, { now, hosts: [] })]
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-served-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function write({ cert, key }: Pair): Promise<void> {
  await writeFile(join(folder, 'localhost-key.pem'), key)
  await writeFile(join(folder, 'localhost.pem'), cert)
}

test('names are those of the certificate, as requests write them', () => {
  for (const { cert } of leaves) {
    expect([...namesIn(cert)].toSorted()).toEqual([...readCertificate(cert).names].toSorted())
  }
  expect(namesIn(leaves[0].cert)).toContain('::1')
})

test('what is there is served as it is, and nothing is written', async () => {
  await write(leaves[0])
  const { cert, key } = leaves[0]
  const { fingerprint } = readCertificate(cert)
  expect(await servedFiles(folder, log).ensure()).toMatchObject({ cert, key, fingerprint })
  expect((await readdir(folder)).toSorted()).toEqual(['localhost-key.pem', 'localhost.pem'])
})

test('missing files are an error', async () => {
  await expect(servedFiles(folder, log).ensure()).rejects.toThrow('localhost.pem')
})

test('key of another certificate is an error', async () => {
  await write({ cert: leaves[0].cert, key: leaves[1].key })
  await expect(servedFiles(folder, log).ensure()).rejects.toThrow('does not belong')
})

test('new pair is told once, when both files are there', async () => {
  await write(leaves[0])
  const files = servedFiles(folder, log)
  await files.ensure()
  const told: TlsMaterial[] = []
  const stop = files.onChange((material) => told.push(material))
  await write(leaves[1])
  await expect.poll(() => told.length).toBe(1)
  await write(leaves[1])
  await write(leaves[0])
  await expect.poll(() => told.length).toBe(2)
  expect(told.map(({ cert }) => cert)).toEqual([leaves[1].cert, leaves[0].cert])
  stop()
})
