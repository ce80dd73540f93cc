/** The key that signs answers: stored, replaced when it cannot be read, with a cache of signatures. */
import { createPublicKey, verify, X509Certificate } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { certifyKey } from '../pki/x509.ts'
import { openDeviceEncryptionKey } from './device-encryption-key.ts'

let folder: string
beforeEach(async () => {
  logged = []
  now = Date.now
  folder = await mkdtemp(join(tmpdir(), 'cardwire-page-key-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

let logged: string[]
let now: () => number
const open = () =>
  openDeviceEncryptionKey({
    runtime: folder,
    certify: (key, at) => certifyKey(key, 'here', at),
    clock: () => now(),
    log: { warn: (event) => void logged.push(event) },
  })
/** The files that were kept aside, by the name that each had. */
const kept = async () => {
  const names = (await readdir(folder)).filter((name) => name.includes('.damaged-'))
  return Promise.all(
    names.map(async (name) => ({
      name: name.replace(/\.damaged-.*/, ''),
      text: await readFile(join(folder, name), 'utf8'),
      mode: (await stat(join(folder, name))).mode & 0o777,
    })),
  )
}
const path = () => join(folder, 'page-key.pem')

test('a key is stored, readable by its owner alone', async () => {
  const { publicKey, sign } = await open()
  expect(createPublicKey(publicKey).asymmetricKeyDetails?.modulusLength).toBe(2048)
  expect((await stat(path())).mode & 0o777).toBe(0o600)
  const again = await open()
  expect([again.publicKey, again.sign('text')]).toEqual([publicKey, sign('text')])
})

test('a key that cannot be read is replaced, which is logged once, and is kept for its owner alone', async () => {
  proves('data-file-damaged')
  const { publicKey } = await open()
  const damaged = (await readFile(path(), 'utf8')).slice(0, 400)
  await writeFile(path(), damaged)
  await chmod(path(), 0o644)
  expect((await open()).publicKey).not.toBe(publicKey)
  await open()
  expect(logged).toEqual([
    'page-key.pem is damaged and is replaced: responses are signed with a new key',
    'page-key-certificate.pem is damaged and is replaced: the key that signs responses gets a new certificate',
  ])
  expect(await kept()).toContainEqual({ name: 'page-key.pem', text: damaged, mode: 0o600 })
})

test('a key that was deleted is replaced, which is logged; the first key of a connector is not', async () => {
  proves('data-file-damaged')
  const { publicKey } = await open()
  expect(logged).toEqual([])
  await rm(path())
  expect((await open()).publicKey).not.toBe(publicKey)
  expect(logged).toEqual([
    'page-key.pem is gone: responses are signed with a new key',
    'page-key-certificate.pem is damaged and is replaced: the key that signs responses gets a new certificate',
  ])
})

test('a key that is damaged twice is kept twice', async () => {
  proves('data-file-damaged')
  for (const text of ['first', 'second']) {
    await writeFile(path(), text)
    await open()
  }
  const texts = (await kept()).filter(({ name }) => name === 'page-key.pem').map(({ text }) => text)
  expect(texts.toSorted()).toEqual(['first', 'second'])
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
  now = () => Date.now() - 9.5 * 365 * 86_400_000
  const old = await open()
  now = Date.now
  expect((await open()).certificate).not.toBe(old.certificate)
  expect([logged, await kept()]).toEqual([[], []])
})

test('a certificate that was made while the clock was ahead is replaced when it is right again, without a restart', async () => {
  proves('connector-clock-jump')
  const key = await open()
  now = () => Date.now() + 10 * 365 * 86_400_000
  await key.renewCertificate()
  const validFrom = () => Date.parse(new X509Certificate(key.certificate).validFrom)
  expect(validFrom()).toBeGreaterThan(Date.now())
  now = Date.now
  await key.renewCertificate()
  expect(validFrom()).toBeLessThan(Date.now())
  expect((await open()).certificate).toBe(key.certificate)
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
