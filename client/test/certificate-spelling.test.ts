/** Spellings of one certificate: the authority signs only the first part, and its owner can write the rest in other ways. */

import { verifyAuthentication } from '@cardwire/server'
import { beforeAll, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import {
  type Holder,
  keys,
  makeHolder,
  sign,
  toBeSigned,
  userExtensions,
} from './harness/authority.ts'

const origin = 'https://shop.example.com'
const nonce = 'bm9uY2Ugb2YgdGhpcnR5LXR3byByYW5kb20gYnl0ZXM='
const now = Date.UTC(2026, 5, 1)

let root: Holder
let user: Holder
/** Below an authority with a key of RSA. */
let rsaRoot: Holder
let rsaUser: Holder
beforeAll(async () => {
  root = await makeHolder({ subject: '/CN=Root' })
  rsaRoot = await makeHolder({ subject: '/CN=Root', key: keys.RS256 })
  const options = { subject: '/CN=An Vermeer', extensions: userExtensions }
  user = await makeHolder({ ...options, issuer: root })
  rsaUser = await makeHolder({ ...options, issuer: rsaRoot })
})

async function verify(holder: Holder, issuer: Holder, certificate: Buffer): Promise<string> {
  const signature = await sign('ES256', holder, toBeSigned('ES256', origin, nonce))
  const token = {
    unverifiedCertificate: certificate.toString('base64'),
    algorithm: 'ES256',
    signature: signature.toString('base64'),
    format: 'web-eid:1.0',
    appVersion: 'https://example.com/cardwire/4.0.0',
  }
  return verifyAuthentication(token, { origin, nonce, roots: [issuer.certificate], now }).then(
    () => 'accepted',
    ({ reason }) => reason,
  )
}

const bytes = (...parts: readonly (number | Buffer)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : part)))
const long = (length: number) => bytes(0x82, length >> 8, length & 0xff)
const encode = (tag: number, content: Buffer) =>
  bytes(tag, content.length < 0x80 ? content.length : long(content.length), content)

interface Parts {
  readonly signed: Buffer
  readonly algorithm: Buffer
  readonly signature: Buffer
}

/** The parts of a certificate whose outer two lengths have two bytes. */
function split({ der }: Holder): Parts {
  const signedEnd = 8 + der.readUInt16BE(6)
  const algorithmEnd = signedEnd + 2 + (der[signedEnd + 1] ?? 0)
  return {
    signed: der.subarray(4, signedEnd),
    algorithm: der.subarray(signedEnd, algorithmEnd),
    signature: der.subarray(algorithmEnd),
  }
}

const join = ({ signed, algorithm, signature }: Parts, ...more: readonly Buffer[]) => {
  const content = bytes(signed, algorithm, signature, ...more)
  return bytes(0x30, long(content.length), content)
}
const octets = Buffer.of(0x04, 1, 7)

const spellings: Readonly<Record<string, (parts: Parts) => Buffer>> = {
  'bytes behind it': (parts) => bytes(join(parts), Buffer.from('more')),
  'a part behind it': (parts) => join(parts, octets),
  'a length of three bytes': (parts) => {
    const content = join(parts).subarray(4)
    return bytes(0x30, 0x83, 0, content.length >> 8, content.length & 0xff, content)
  },
  'no length': (parts) => bytes(0x30, 0x80, join(parts).subarray(4), 0, 0),
  'an algorithm with a parameter': ({ algorithm, ...parts }) =>
    join({ ...parts, algorithm: encode(0x30, bytes(algorithm.subarray(2), octets)) }),
  'a signature with a longer length': ({ signature, ...parts }) => {
    const content = signature.subarray(signature.length - readLength(signature))
    return join({
      ...parts,
      signature: bytes(0x03, 0x83, 0, long(content.length).subarray(1), content),
    })
  },
}

const readLength = (element: Buffer): number =>
  (element[1] ?? 0) < 0x80 ? (element[1] ?? 0) : element.readUInt16BE(2)

test.each(Object.keys(spellings))('a certificate with %s is not read', async (name) => {
  proves('certificate-respelled')
  const spell = spellings[name]
  if (!spell) throw new Error('Expected a spelling')
  expect(await verify(user, root, spell(split(user)))).toBe('token-malformed')
  expect(await verify(rsaUser, rsaRoot, spell(split(rsaUser)))).toBe('token-malformed')
})

/** The two numbers of an elliptic signature, each with its tag and length. */
function splitNumbers(signature: Buffer): readonly [Buffer, Buffer] {
  const pair = signature.subarray(5)
  const end = 2 + (pair[1] ?? 0)
  return [pair.subarray(0, end), pair.subarray(end)]
}

test.each<[string, (first: Buffer, second: Buffer) => Buffer]>([
  [
    'zeros in front of a number',
    (first, second) => encode(0x30, bytes(encode(0x02, bytes(0, 0, first.subarray(2))), second)),
  ],
  ['a third number', (first, second) => encode(0x30, bytes(first, second, Buffer.of(0x02, 1, 7)))],
  [
    'bytes behind the numbers',
    (first, second) => bytes(encode(0x30, bytes(first, second)), octets),
  ],
])('a certificate whose elliptic signature has %s is not read', async (_, spell) => {
  proves('certificate-respelled')
  const parts = split(user)
  const value = spell(...splitNumbers(parts.signature))
  const signature = encode(0x03, bytes(0, value))
  expect(await verify(user, root, join({ ...parts, signature }))).toBe('token-malformed')
})

test('a certificate as its authority gave it is read, below an elliptic key and one of RSA', async () => {
  expect(join(split(user)).equals(user.der)).toBe(true)
  expect(await verify(user, root, user.der)).toBe('accepted')
  expect(await verify(rsaUser, rsaRoot, rsaUser.der)).toBe('accepted')
})
