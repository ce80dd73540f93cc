/** The manifest of a release, signed by the command of releases, and by others. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  getPublicKey,
  makeSigningKey,
  readSigningKey,
  signManifest,
} from '../../packages/signing-key.ts'
import { readReleaseManifest } from '../../src/distribution/update/release-manifest.ts'

const file = {
  file: 'cardwire_4.0.1_amd64.deb',
  system: 'UNIX',
  architecture: 'x64',
  sha256: 'ab'.repeat(32),
  size: 42,
  slot: { offset: 132, length: 4096 },
}
const manifest = Buffer.from(JSON.stringify({ version: '4.0.1', files: [file], later: true }))

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-release-key-'))
  path = join(folder, 'key.pem')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const signWith = (passphrase?: string) => signManifest(manifest, readSigningKey(path, passphrase))

describe('key of the releases', () => {
  test('is for its owner alone, and never replaces another', () => {
    makeSigningKey(path, undefined)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(() => makeSigningKey(path, undefined)).toThrow('Cannot write')
  })

  test('with a passphrase opens with that one alone', () => {
    const key = makeSigningKey(path, 'secret')
    expect(getPublicKey(readSigningKey(path, 'secret'))).toBe(key)
    expect(() => readSigningKey(path, 'guess')).toThrow('Cannot read the key')
    expect(() => readSigningKey(path, undefined)).toThrow('CARDWIRE_RELEASE_PASSPHRASE')
  })

  test('of another kind is refused', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    writeFileSync(path, privateKey.export({ format: 'pem', type: 'pkcs8' }))
    expect(() => readSigningKey(path, undefined)).toThrow('it is of rsa')
  })
})

describe('manifest', () => {
  test('is read when a known key has signed it, also the next one', () => {
    const key = makeSigningKey(path, undefined)
    const next = getPublicKey(generateKeyPairSync('ed25519').privateKey)
    const read = readReleaseManifest(manifest, signWith(), [next, key])
    expect(read).toEqual({ version: '4.0.1', files: [file] })
  })

  test('of the distribution service itself is refused: its key is none of the releases', () => {
    const key = makeSigningKey(path, undefined)
    const { privateKey } = generateKeyPairSync('ed25519')
    const signature = sign(null, manifest, privateKey).toString('base64')
    expect(() => readReleaseManifest(manifest, signature, [key])).toThrow('no key of the releases')
  })

  test('is refused with any byte changed, with an empty signature, and with none of its own', () => {
    proves('refused-update')
    const key = makeSigningKey(path, undefined)
    const signature = signWith()
    for (let at = 0; at < manifest.length; at += 1) {
      const changed = Buffer.from(manifest)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => readReleaseManifest(changed, signature, [key])).toThrow('no key of the releases')
    }
    for (const wrong of ['', 'AAAA', 'no base64'])
      expect(() => readReleaseManifest(manifest, wrong, [key])).toThrow('no key of the releases')
  })

  test('is refused by a build that knows no key', () => {
    makeSigningKey(path, undefined)
    expect(() => readReleaseManifest(manifest, signWith(), [])).toThrow('knows no key')
  })

  test('that is signed and has another form is refused', () => {
    const key = makeSigningKey(path, undefined)
    for (const text of ['[]', 'no JSON', '{"version":"4.0.1","files":[{"file":"a"}]}']) {
      const signature = signManifest(Buffer.from(text), readSigningKey(path, undefined))
      expect(() => readReleaseManifest(Buffer.from(text), signature, [key])).toThrow('is not one')
    }
  })
})
