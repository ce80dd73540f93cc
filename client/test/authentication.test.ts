/** The check of a token with which a user authenticated: tokens and certificates of openssl, and hostile ones. */
import { webcrypto } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  type AuthenticationError,
  type AuthenticationOptions,
  type RevocationChecker,
  type RevocationResult,
  verifyAuthentication,
} from '@cardwire/server'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { measureProcessorMs } from '../../test/bed/processor-time.ts'
import { proves } from '../../test/bed/proves.ts'
import {
  type Algorithm,
  accepts,
  authorityExtensions,
  type Holder,
  type HolderOptions,
  keys,
  makeHolder,
  sign,
  toBeSigned,
  userExtensions,
} from './harness/authority.ts'
import { type Entry, makeList } from './harness/revocation-authority.ts'
import { makeChecker, revoked, startRevocationServer } from './harness/revocation-server.ts'

const origin = 'https://shop.example.com'
const nonce = 'bm9uY2Ugb2YgdGhpcnR5LXR3byByYW5kb20gYnl0ZXM='
const now = Date.UTC(2026, 5, 1)
const userName = '/C=BE/SN=Vermeer/GN=An/serialNumber=71715100070/CN=An Vermeer'

let root: Holder
let intermediate: Holder
let users: Record<Algorithm, Holder>

const makeUser = (options: HolderOptions): Promise<Holder> =>
  makeHolder({
    subject: userName,
    extensions: userExtensions,
    issuer: intermediate,
    ...options,
  })

beforeAll(async () => {
  root = await makeHolder({ subject: '/CN=Root' })
  intermediate = await makeHolder({ subject: '/CN=Citizens', issuer: root })
  const [ES256, ES384, RS256] = await Promise.all(
    Object.values(keys).map((key) => makeUser({ key })),
  )
  if (!ES256 || !ES384 || !RS256) throw new Error('a user is missing')
  users = { ES256, ES384, RS256 }
})

async function makeToken(algorithm: Algorithm, holder = users[algorithm]) {
  const signature = await sign(algorithm, holder, toBeSigned(algorithm, origin, nonce))
  return {
    unverifiedCertificate: holder.der.toString('base64'),
    algorithm,
    signature: signature.toString('base64'),
    format: 'web-eid:1.0',
    appVersion: 'https://example.com/cardwire/4.0.0',
  }
}

const options = (given: Partial<AuthenticationOptions> = {}): AuthenticationOptions => ({
  origin,
  nonce,
  roots: [root.certificate],
  intermediates: [intermediate.certificate],
  now,
  ...given,
})

const refusal = (token: unknown, given: Partial<AuthenticationOptions> = {}) =>
  verifyAuthentication(token, options(given)).then(
    () => 'accepted',
    (error: AuthenticationError) => {
      expect(error.name, String(error)).toBe('AuthenticationError')
      return error.reason
    },
  )

const algorithmNames = ['ES256', 'ES384', 'RS256'] as const

test.each(algorithmNames)(
  'a token that openssl made with %s is accepted, with who it is',
  async (algorithm) => {
    const token = await makeToken(algorithm)
    const result = await verifyAuthentication(JSON.stringify(token), options())
    expect(result).toEqual({
      certificate: new Uint8Array(users[algorithm].der),
      path: [users[algorithm], intermediate, root].map(({ der }) => new Uint8Array(der)),
      subject: {
        C: ['BE'],
        SN: ['Vermeer'],
        G: ['An'],
        serialNumber: ['71715100070'],
        CN: ['An Vermeer'],
      },
      algorithm,
    })
  },
)

test.each(algorithmNames)(
  'openssl accepts by the same rule what WebCrypto signed with %s',
  async (algorithm) => {
    const holder = users[algorithm]
    const pem = await readFile(holder.keyFile, 'utf8')
    const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
    const parameters = {
      ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
      ES384: { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
      RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    }[algorithm]
    const key = await webcrypto.subtle.importKey('pkcs8', der, parameters, false, ['sign'])
    const message = toBeSigned(algorithm, origin, nonce)
    const signature = Buffer.from(await webcrypto.subtle.sign(parameters, key, message))
    const token = { ...(await makeToken(algorithm)), signature: signature.toString('base64') }
    expect(await refusal(token)).toBe('accepted')
    expect(await accepts(algorithm, holder, message, signature)).toBe(true)
    const elsewhere = toBeSigned(algorithm, 'https://other.example.com', nonce)
    expect(await accepts(algorithm, holder, elsewhere, signature)).toBe(false)
  },
)

test.each<[string, Partial<AuthenticationOptions>]>([
  ['origin', { origin: 'https://other.example.com' }],
  ['port', { origin: `${origin}:8443` }],
  ['nonce', { nonce: nonce.replace('b', 'c') }],
])('a token for another %s is refused by its signature', async (_, given) => {
  proves('authentication-replayed')
  expect(await refusal(await makeToken('ES256'), given)).toBe('signature-invalid')
})

test('the signature of another key is refused', async () => {
  const { signature } = await makeToken('ES256', await makeUser({}))
  expect(await refusal({ ...(await makeToken('ES256')), signature })).toBe('signature-invalid')
})

test.each(algorithmNames)(
  'a signature of %s with one bit changed, cut or in another form is refused',
  async (algorithm) => {
    const token = await makeToken(algorithm)
    const bytes = Buffer.from(token.signature, 'base64')
    const changed = bytes.map((byte, at) => (at === 9 ? byte ^ 1 : byte))
    const forms = [
      changed,
      bytes.subarray(1),
      Buffer.concat([bytes, bytes]),
      Buffer.alloc(bytes.length),
    ]
    for (const form of forms)
      expect(await refusal({ ...token, signature: Buffer.from(form).toString('base64') })).toBe(
        'signature-invalid',
      )
  },
)

describe('certificates', () => {
  const certificateExtensions = (...changed: readonly string[]) =>
    userExtensions
      .filter((line) => !changed.some((other) => other.split('=')[0] === line.split('=')[0]))
      .concat(changed.filter((line) => !line.endsWith('=')))

  test.each<[string, string, () => HolderOptions]>([
    ['without any extension', 'accepted', () => ({ extensions: ['subjectKeyIdentifier=hash'] })],
    [
      'for signatures alone',
      'certificate-unsuitable',
      () => ({ extensions: certificateExtensions('keyUsage=critical,nonRepudiation') }),
    ],
    [
      'of a server',
      'certificate-unsuitable',
      () => ({ extensions: certificateExtensions('extendedKeyUsage=serverAuth') }),
    ],
    ['of an authority', 'certificate-unsuitable', () => ({ extensions: authorityExtensions })],
    ['that expired', 'certificate-expired', () => ({ notAfter: '20260531000000Z' })],
    ['of later', 'certificate-not-yet-valid', () => ({ notBefore: '20260602000000Z' })],
    ['of itself', 'certificate-untrusted', () => ({ issuer: undefined })],
    [
      'with an unknown critical extension',
      'certificate-untrusted',
      () => ({ extensions: [...userExtensions, '1.2.3.4=critical,ASN1:NULL'] }),
    ],
    ['signed with SHA-1', 'certificate-untrusted', () => ({ digest: 'sha1' })],
    [
      'with RSA of 1024 bits',
      'key-unsupported',
      () => ({ key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'] }),
    ],
    ['with a key on P-384', 'key-unsupported', () => ({ key: keys.ES384 })],
    ['with an Ed25519 key', 'key-unsupported', () => ({ key: ['-algorithm', 'ED25519'] })],
  ])('a certificate %s: %s', async (what, expected, make) => {
    proves('certificate-forged')
    const holder = await makeUser(make())
    const isRsa = what.includes('RSA')
    const signer = /384|Ed25519/.test(what) ? users.ES256 : holder
    const signature = await sign(
      isRsa ? 'RS256' : 'ES256',
      signer,
      toBeSigned('ES256', origin, nonce),
    )
    const token = {
      ...(await makeToken('ES256')),
      unverifiedCertificate: holder.der.toString('base64'),
      algorithm: isRsa ? 'RS256' : 'ES256',
      signature: signature.toString('base64'),
    }
    expect(await refusal(token)).toBe(expected)
  })

  test('a root named as one is enough for its own certificate', async () => {
    const own = await makeUser({ issuer: undefined })
    expect(await refusal(await makeToken('ES256', own), { roots: [new Uint8Array(own.der)] })).toBe(
      'accepted',
    )
  })

  test('an intermediate that is named as a root ends the path', async () => {
    const { path } = await verifyAuthentication(
      await makeToken('ES256'),
      options({ roots: [new Uint8Array(intermediate.der)], intermediates: [] }),
    )
    expect(path).toHaveLength(2)
  })

  test.each<[string, HolderOptions]>([
    ['is no authority', { extensions: ['keyUsage=critical,keyCertSign'] }],
    ['is another user', { extensions: userExtensions }],
    [
      'may not sign certificates',
      { extensions: ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,cRLSign'] },
    ],
    ['expired', { notAfter: '20260531000000Z' }],
    [
      'names constraints that are not understood',
      {
        extensions: [
          ...authorityExtensions,
          'nameConstraints=critical,permitted;dirName:name\n[name]\nC=FR',
        ],
      },
    ],
    [
      'names constraints that are not critical',
      {
        extensions: [
          ...authorityExtensions,
          'nameConstraints=permitted;dirName:name\n[name]\nC=FR',
        ],
      },
    ],
    [
      'is for servers',
      { extensions: [...authorityExtensions, 'extendedKeyUsage=serverAuth,emailProtection'] },
    ],
    ['has RSA of 1024 bits', { key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'] }],
    ['has the same name and another key', { subject: '/CN=Citizens' }],
  ])('no path leads through an issuer that %s', async (what, changes) => {
    proves('certificate-forged')
    const issuer = await makeHolder({ subject: '/CN=Other', issuer: root, ...changes })
    const user = what.startsWith('has the same') ? users.ES256 : await makeUser({ issuer })
    expect(
      await refusal(await makeToken('ES256', user), { intermediates: [issuer.certificate] }),
    ).toBe('certificate-untrusted')
  })

  test('a path leads through an issuer that is for users, too', async () => {
    const extensions = [...authorityExtensions, 'extendedKeyUsage=serverAuth,clientAuth']
    const issuer = await makeHolder({ subject: '/CN=Other', issuer: root, extensions })
    const token = await makeToken('ES256', await makeUser({ issuer }))
    expect(await refusal(token, { intermediates: [issuer.certificate] })).toBe('accepted')
  })

  test('the path length of an authority is kept', async () => {
    proves('certificate-forged')
    const short = await makeHolder({
      subject: '/CN=Short',
      extensions: ['basicConstraints=critical,CA:TRUE,pathlen:0', 'keyUsage=critical,keyCertSign'],
    })
    const below = await makeHolder({ subject: '/CN=Below', issuer: short })
    const [direct, deeper] = await Promise.all([
      makeUser({ issuer: short }),
      makeUser({ issuer: below }),
    ])
    const given = { roots: [short.certificate], intermediates: [below.certificate] }
    expect(await refusal(await makeToken('ES256', direct), given)).toBe('accepted')
    expect(await refusal(await makeToken('ES256', deeper), given)).toBe('certificate-untrusted')
  })

  test('authorities that signed each other end in no loop', async () => {
    const [one, two] = await Promise.all([
      makeHolder({ subject: '/CN=One' }),
      makeHolder({ subject: '/CN=Two' }),
    ])
    const user = await makeUser({ issuer: one })
    const token = await makeToken('ES256', user)
    const intermediates = [one.certificate, two.certificate, one.certificate]
    expect(await refusal(token, { intermediates })).toBe('certificate-untrusted')
  })
})

describe('revocation', () => {
  const checker = (
    result: RevocationResult | Error,
    onUnknown: RevocationChecker['onUnknown'] = 'refuse',
  ) => {
    const calls: Parameters<RevocationChecker['check']>[] = []
    const revocation: RevocationChecker = {
      onUnknown,
      async check(...call) {
        calls.push(call)
        if (result instanceof Error) throw result
        return result
      },
    }
    return { revocation, calls }
  }
  const revokedAt = new Date('2026-05-30T10:00:00Z')

  test.each<[string, RevocationResult | Error, RevocationChecker['onUnknown'], string]>([
    ['good', { status: 'good' }, 'refuse', 'accepted'],
    ['revoked', { status: 'revoked', revokedAt }, 'refuse', 'certificate-revoked'],
    ['revoked', { status: 'revoked', revokedAt }, 'accept', 'certificate-revoked'],
    ['unknown', { status: 'unknown' }, 'refuse', 'revocation-unknown'],
    ['unknown', { status: 'unknown' }, 'accept', 'accepted'],
    ['what a broken checker has', new Error('broken'), 'refuse', 'revocation-unknown'],
    ['what a broken checker has', new Error('broken'), 'accept', 'accepted'],
  ])('%s: %o, with %s: %s', async (_, result, onUnknown, expected) => {
    proves('revocation-unchecked')
    const { revocation } = checker(result, onUnknown)
    expect(await refusal(await makeToken('ES256'), { revocation })).toBe(expected)
  })

  test('the checker gets the whole path and the time, and its result comes with the user', async () => {
    const { revocation, calls } = checker({ status: 'good', source: 'ocsp' })
    const user = await verifyAuthentication(await makeToken('ES256'), options({ revocation }))
    expect(user.revocation).toEqual({ status: 'good', source: 'ocsp' })
    const ders = [users.ES256, intermediate, root].map(({ der }) => new Uint8Array(der))
    expect(calls).toEqual([[ders, new Date(now)]])
  })

  test('nothing is asked about a token with an invalid signature', async () => {
    proves('revocation-costly')
    const { revocation, calls } = checker({ status: 'good' })
    const given = { revocation, origin: 'https://other.example.com' }
    expect(await refusal(await makeToken('ES256'), given)).toBe('signature-invalid')
    expect(calls).toEqual([])
  })

  test('the message has the time, the reason and the cause', async () => {
    const messageOf = async (result: RevocationResult) => {
      const given = options({ revocation: checker(result).revocation })
      const error = await verifyAuthentication(await makeToken('ES256'), given).catch((one) => one)
      return error.message
    }
    expect(await messageOf({ status: 'revoked', revokedAt, reason: 'keyCompromise' })).toBe(
      'Cannot accept the certificate: it was revoked (2026-05-30T10:00:00.000Z, keyCompromise)',
    )
    expect(
      await messageOf({ status: 'unknown', cause: 'certificate: OCSP a: its status is 500' }),
    ).toBe(
      'Cannot find out whether the certificate was revoked: certificate: OCSP a: its status is 500',
    )
  })

  test('openssl revokes a user, who is refused from then on', async () => {
    proves('revocation-unchecked')
    const bed = await startRevocationServer()
    onTestFinished(bed.close)
    const user = await bed.makeUser([bed.listAt('/list')])
    const token = await makeToken('ES256', user)
    const signIn = () =>
      refusal(token, { roots: [bed.root.certificate], now: Date.now(), revocation: makeChecker() })
    const serve = (entries: readonly Entry[]) =>
      bed.serve({ '/list': () => makeList({ issuer: bed.root, entries }) })
    serve([])
    expect(await signIn()).toBe('accepted')
    serve([revoked(user)])
    expect(await signIn()).toBe('certificate-revoked')
    bed.serve({})
    expect(await signIn()).toBe('revocation-unknown')
  })
})

describe('what is no token', () => {
  test.each<[string, (token: Awaited<ReturnType<typeof makeToken>>) => unknown]>([
    ['nothing', () => undefined],
    ['null', () => null],
    ['a text', () => 'token'],
    ['a number', () => 7],
    ['a list', (token) => [token]],
    ['an empty object', () => ({})],
    ['ten megabytes', (token) => `${JSON.stringify(token)}${' '.repeat(10_000_000)}`],
    ['another format', (token) => ({ ...token, format: 'web-eid:2.0' })],
    ['the algorithm none', (token) => ({ ...token, algorithm: 'none' })],
    ['an algorithm with a secret', (token) => ({ ...token, algorithm: 'HS256' })],
    ['no signature', (token) => ({ ...token, signature: '' })],
    ['a signature that is no base64', (token) => ({ ...token, signature: '====' })],
    ['a certificate that is text', (token) => ({ ...token, unverifiedCertificate: btoa('hello') })],
    [
      'a certificate that is cut',
      (token) => ({ ...token, unverifiedCertificate: token.unverifiedCertificate.slice(0, 400) }),
    ],
    ['a certificate that is empty', (token) => ({ ...token, unverifiedCertificate: '' })],
  ])('%s', async (_, change) => {
    expect(await refusal(change(await makeToken('ES256')))).toBe('token-malformed')
  })

  test.each<[string, () => Promise<Buffer>]>([
    // The library looks for the end of a header in PEM by each way of dividing the lines.
    [
      'of text that begins like PEM',
      async () => Buffer.from(`-----BEGIN A-----\n${' a: b\n'.repeat(28)}`),
    ],
    [
      'of 5,000 names',
      async () =>
        (await makeUser({ extensions: [`subjectAltName=${'DNS:a,'.repeat(4999)}DNS:a`] })).der,
    ],
  ])('a certificate %s takes little time', async (_, make) => {
    proves('costly-certificate')
    const costly = (await make()).toString('base64')
    const token = { ...(await makeToken('ES256')), unverifiedCertificate: costly }
    let reason: string | undefined
    const usedMs = await measureProcessorMs(async () => {
      reason = await refusal(token)
    })
    expect(reason).toBe('token-malformed')
    expect(usedMs).toBeLessThan(50)
  })

  test('a certificate whose signed part or signature was changed is never accepted, nor fails in another way', async () => {
    proves('certificate-forged')
    const token = await makeToken('ES256')
    const { der } = users.ES256
    // SEQUENCE { tbsCertificate, signatureAlgorithm, signature }, each of the outer two with a header of four bytes.
    const signedEnd = 8 + der.readUInt16BE(6)
    const reasons = new Set<string>()
    for (let at = 4; at < der.length; at += 3) {
      if (at >= signedEnd && at < der.length - 64) continue
      const changed = Buffer.from(der)
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
      reasons.add(await refusal({ ...token, unverifiedCertificate: changed.toString('base64') }))
    }
    expect(reasons).not.toContain('accepted')
    expect(reasons).toContain('certificate-untrusted')
  })
})

test.each<[string, Partial<AuthenticationOptions>]>([
  ['origin', { origin: 'shop.example.com' }],
  ['origin', { origin: `${origin}/` }],
  ['nonce', { nonce: 'short' }],
  ['nonce', { nonce: 'n'.repeat(129) }],
  ['roots', { roots: [] }],
  ['roots', { roots: ['no PEM'] }],
  ['intermediates', { intermediates: [new Uint8Array(3)] }],
  ['now', { now: Number.NaN }],
  ['revocation', { revocation: {} as never }],
  ['revocation', { revocation: { check: async () => ({ status: 'good' }) } as never }],
])('the setting %s is refused by its name: %o', async (field, given) => {
  const error = await verifyAuthentication(await makeToken('ES256'), options(given)).catch(
    (thrown) => thrown,
  )
  expect([error.reason, error.message]).toEqual([
    'settings-invalid',
    expect.stringContaining(`Cannot use ${field}: expected `),
  ])
})
