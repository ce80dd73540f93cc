/** The key that signs answers: stored, replaced when it cannot be read, with a cache of signatures. */
import { createPublicKey, verify, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { certifyKey } from '../pki/x509.ts'
import { openPageKey } from './page-key.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-page-key-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = () => openPageKey(folder, (key) => certifyKey(key, 'here'))
const path = () => join(folder, 'page-key.pem')

test('a key is stored, readable by its owner alone', async () => {
  const { publicKey, sign } = await open()
  expect(createPublicKey(publicKey).asymmetricKeyDetails?.modulusLength).toBe(2048)
  expect((await stat(path())).mode & 0o777).toBe(0o600)
  const again = await open()
  expect([again.publicKey, again.sign('text')]).toEqual([publicKey, sign('text')])
})

test('a key that cannot be read is replaced', async () => {
  const { publicKey } = await open()
  await writeFile(path(), (await readFile(path(), 'utf8')).slice(0, 400))
  expect((await open()).publicKey).not.toBe(publicKey)
})

test('a certificate is stored with its key, and replaced for another key or when it cannot be read', async () => {
  const { certificate, publicKey } = await open()
  const kept = join(folder, 'page-key-certificate.pem')
  expect(new X509Certificate(certificate).publicKey.equals(createPublicKey(publicKey))).toBe(true)
  expect((await stat(kept)).mode & 0o777).toBe(0o600)
  expect((await open()).certificate).toBe(certificate)

  await writeFile(kept, certificate.slice(0, 200))
  const again = await open()
  expect([again.publicKey, again.certificate === certificate]).toEqual([publicKey, false])

  await rm(path())
  const other = await open()
  const key = createPublicKey(other.publicKey)
  expect(new X509Certificate(other.certificate).publicKey.equals(key)).toBe(true)
})

test('a certificate that expires within a year is replaced', async () => {
  const yearsAgo = Date.now() - 9.5 * 365 * 86_400_000
  const old = await openPageKey(folder, (key) => certifyKey(key, 'here', yearsAgo))
  expect((await open()).certificate).not.toBe(old.certificate)
})

test('signatures are valid, of more texts than the cache holds', async () => {
  const { publicKey, sign } = await open()
  const texts = Array.from({ length: 200 }, (_, at) => `{"readers":${at}}`)
  for (const text of [...texts, ...texts])
    expect(verify('sha256', Buffer.from(text), publicKey, Buffer.from(sign(text), 'base64'))).toBe(
      true,
    )
})

test('the signature of an unchanged answer is computed once', async () => {
  const { sign } = await open()
  const took = (text: (at: number) => string) => {
    const from = performance.now()
    for (let at = 0; at < 300; at += 1) sign(text(at))
    return performance.now() - from
  }
  const [same, different] = [took(() => 'same'), took((at) => `another ${at}`)]
  // It is some hundred times as fast; a fifth leaves room for whatever else this machine does.
  expect(same).toBeLessThan(different / 5)
})
