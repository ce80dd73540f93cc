/** What is signed here must be accepted by OpenSSL and by a second implementation of WebCrypto, and refused where it must be. */
// The library's decorators need this before they are loaded.
import 'reflect-metadata'
import { execFileSync, spawnSync } from 'node:child_process'
import { generateKeyPairSync, timingSafeEqual } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Crypto } from '@peculiar/webcrypto'
import * as x509 from '@peculiar/x509'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { makeTestRoot } from '../../test/certs/test-root.ts'
import {
  type CertificateKeyPair,
  isKeyOf,
  isSignedBy,
  leafLifeMs,
  readCertificate,
} from './certificate.ts'
import { readName } from './names.ts'
import { certifyKey, generateKeys, makeLeaf, makeRoot } from './x509.ts'

const now = Date.now()
const hour = 3_600_000
const folder = mkdtempSync(join(tmpdir(), 'cardwire-x509-'))
const hosts = (...names: string[]) => names.flatMap((name) => readName(name) ?? [])
let root: CertificateKeyPair
let leaf: CertificateKeyPair

beforeAll(async () => {
  root = await makeRoot({
    now,
    owner: 'tests@here',
    constraints: 'full',
    hosts: hosts('reader.example.org'),
  })
  leaf = await makeLeaf(root, { now, hosts: [] })
  writeFileSync(join(folder, 'root.pem'), root.cert)
  writeFileSync(join(folder, 'leaf.pem'), leaf.cert)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const openssl = (...args: string[]) =>
  execFileSync('openssl', args, { cwd: folder, encoding: 'utf8' })

/** Verifies a leaf below the root as a TLS client would; the answer is what OpenSSL prints. */
function verify(cert: string, ...args: string[]): string {
  const file = join(folder, `${crypto.randomUUID()}.pem`)
  writeFileSync(file, cert)
  const own = ['-purpose', 'sslserver', '-x509_strict', '-check_ss_sig']
  const trust = ['-no-CApath', '-no-CAstore', '-CAfile', 'root.pem']
  const run = spawnSync('openssl', ['verify', ...trust, ...own, ...args, file], {
    cwd: folder,
    encoding: 'utf8',
  })
  return run.status === 0 ? 'OK' : run.stderr
}

describe('makeRoot', () => {
  test('makes what OpenSSL shows as a constrained RSA-4096 authority of ten years', () => {
    proves('root-per-device')
    const text = openssl('x509', '-in', 'root.pem', '-noout', '-text')
    expect(text).toContain('Public-Key: (4096 bit)')
    expect(text).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/)
    expect(text).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign\n/)
    expect(text).toMatch(/Extended Key Usage:\s+TLS Web Server Authentication\n/)
    expect(text).toMatch(/Name Constraints: critical\s+Permitted:/)
    for (const entry of [
      'DNS:localhost',
      'IP:127.0.0.1/255.255.255.255',
      'IP:0:0:0:0:0:0:0:1/FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF',
      'DNS:reader.example.org',
    ])
      expect(text).toContain(entry)
    const { notBefore, notAfter } = readCertificate(root.cert)
    expect((notAfter - notBefore) / (365.25 * 24 * hour)).toBeCloseTo(10, 1)
  })

  test.each(['dns', 'none'] as const)('makes a root constrained to %s', async (constraints) => {
    const made = await makeTestRoot({ now, owner: 'tests@here', constraints, hosts: [] })
    const facts = readCertificate(made.cert)
    expect(facts.constraints).toEqual({
      kind: constraints,
      dns: constraints === 'dns' ? ['localhost'] : undefined,
      ip: undefined,
    })
  })
})

describe('makeLeaf', () => {
  test('makes what OpenSSL accepts for every local name, below the root', () => {
    expect(verify(leaf.cert, '-verify_hostname', 'localhost')).toBe('OK')
    expect(verify(leaf.cert, '-verify_ip', '127.0.0.1')).toBe('OK')
    expect(verify(leaf.cert, '-verify_ip', '::1')).toBe('OK')
    expect(verify(leaf.cert, '-verify_hostname', 'example.org')).toContain('hostname mismatch')
  })

  test('shows a P-256 key, a 128-bit serial, key identifiers and 397 days', () => {
    const text = openssl('x509', '-in', 'leaf.pem', '-noout', '-text')
    expect(text).toContain('ASN1 OID: prime256v1')
    expect(text).toContain('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1')
    expect(text).toMatch(/Authority Key Identifier/)
    expect(text).toMatch(/Subject Key Identifier/)
    const { serial, notBefore, notAfter } = readCertificate(leaf.cert)
    expect(serial).toMatch(/^[4-7][0-9a-f]{31}$/)
    expect(notAfter - notBefore).toBe(leafLifeMs)
  })

  test('has another serial each time', async () => {
    proves('leaf-serial-random')
    const again = await makeLeaf(root, { now, hosts: [] })
    expect(readCertificate(again.cert).serial).not.toBe(readCertificate(leaf.cert).serial)
  })

  test.each([
    ['other.example.org', 'permitted subtree violation'],
    ['127.0.0.2', 'permitted subtree violation'],
    ['192.0.2.1', 'permitted subtree violation'],
    ['::2', 'permitted subtree violation'],
    ['reader.example.org', 'OK'],
  ])('signed for %s is answered by OpenSSL with: %s', async (name, answer) => {
    const other = await makeLeaf(root, { now, hosts: hosts(name) })
    expect(verify(other.cert)).toContain(answer)
  })

  test('never outlives its root', async () => {
    const late = readCertificate(root.cert).notAfter - 24 * hour
    const last = await makeLeaf(root, { now: late, hosts: [] })
    expect(readCertificate(last.cert).notAfter).toBe(readCertificate(root.cert).notAfter)
  })
})

test('A second implementation of WebCrypto verifies both signatures', async () => {
  const second = Object.assign(new Crypto(), { timingSafeEqual })
  const [rootRead, leafRead] = [
    new x509.X509Certificate(root.cert),
    new x509.X509Certificate(leaf.cert),
  ]
  const publicKey = await rootRead.publicKey.export(second)
  expect(await rootRead.verify({ publicKey, signatureOnly: true }, second)).toBe(true)
  expect(await leafRead.verify({ publicKey, signatureOnly: true }, second)).toBe(true)
  const raw = new Uint8Array(leafRead.rawData)
  // One bit of the serial: the signature no longer fits.
  raw[20] = (raw[20] ?? 0) ^ 1
  const forged = new x509.X509Certificate(raw)
  expect(await forged.verify({ publicKey, signatureOnly: true }, second)).toBe(false)
})

test('isSignedBy and isKeyOf accept the matching certificate and key, and no others', async () => {
  const stranger = await makeTestRoot({ now, owner: 'else', constraints: 'full', hosts: [] })
  expect(isSignedBy(leaf.cert, root.cert)).toBe(true)
  expect(isSignedBy(leaf.cert, stranger.cert)).toBe(false)
  expect(isKeyOf(leaf.key, leaf.cert)).toBe(true)
  expect(isKeyOf(root.key, root.cert)).toBe(true)
  expect(isKeyOf(root.key, leaf.cert)).toBe(false)
  expect(isKeyOf('half a k', leaf.cert)).toBe(false)
})

test('readCertificate refuses what is no certificate', () => {
  expect(() => readCertificate(leaf.cert.slice(0, 300))).toThrow()
  expect(() => readCertificate('')).toThrow()
})

test('certifyKey makes a certificate of a key that is no authority', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const cert = await certifyKey(key, 'here', now)
  expect(isKeyOf(key, cert)).toBe(true)
  expect(readCertificate(cert)).toMatchObject({
    isAuthority: false,
    subject: expect.stringContaining('OU=here'),
  })
})

test.each(['#ada@pc', '#616263', '"ada"@pc', 'pc\\ada@pc', 'a,CN=b+c@pc', 'Łódź 🂡'])(
  'the owner %s is in the subject as a text',
  async (owner) => {
    proves('owner-as-der')
    const makeKeys = () => generateKeys('rsa', { modulusLength: 2048 })
    const { cert } = await makeRoot({ now, owner, constraints: 'full', hosts: [], makeKeys })
    const [unit] = new x509.X509Certificate(cert).subjectName.getField('OU')
    expect(unit).toBe(owner)
    const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const made = await certifyKey(key.export({ type: 'pkcs8', format: 'pem' }).toString(), owner)
    expect(new x509.X509Certificate(made).subjectName.getField('OU')).toEqual([owner])
  },
)
