/** The check of what a card signs, over contents and digests: signatures of openssl, and hostile ones. */
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  type RevocationChecker,
  type RevocationResult,
  type SignatureError,
  type SignatureHash,
  type SignatureOptions,
  verifySignature,
} from '../../server/src/index.ts'
import {
  authorityExtensions,
  type Holder,
  type HolderOptions,
  makeHolder,
} from '../harness/authority.ts'
import { signDigest } from '../harness/card-signature.ts'
import {
  type Authorities,
  makeAuthorities,
  makeSigner,
  signerExtensions,
  signerKeys,
} from '../harness/signers.ts'

const content = Buffer.from('The seller hands over the bicycle.')
const now = Date.UTC(2026, 5, 1)
type Kind = keyof typeof signerKeys
const kinds = Object.keys(signerKeys) as readonly Kind[]
const hashNames = ['SHA-256', 'SHA-384', 'SHA-512'] as const

let authorities: Authorities
let signers: Readonly<Record<Kind, Holder>>

beforeAll(async () => {
  authorities = await makeAuthorities()
  const made = await Promise.all(
    kinds.map(async (kind) => [kind, await makeSigner(authorities, { key: signerKeys[kind].key })]),
  )
  signers = Object.fromEntries(made)
})

const digestOf = (hash: SignatureHash, data = content) =>
  createHash(hash.replace('-', '')).update(data).digest()

async function sign(kind: Kind, hash: SignatureHash = 'SHA-256', signer = signers[kind]) {
  const digest = digestOf(hash)
  const signature = await signDigest(signer, { hash, digest }, signerKeys[kind].curve)
  return {
    content,
    hash,
    signature,
    certificate: signer.der,
    ...trust(),
  } satisfies SignatureOptions
}

const trust = () => ({
  roots: [authorities.root.certificate],
  intermediates: [authorities.intermediate.certificate],
  now,
})

const verdict = (options: SignatureOptions) =>
  verifySignature(options).then(
    () => 'accepted',
    (error: SignatureError) => {
      expect(error.name, String(error)).toBe('SignatureError')
      return error.reason
    },
  )

describe.each(kinds)('a key %s', (kind) => {
  test.each(hashNames)(
    'with %s is accepted over content and digest, with who it is',
    async (hash) => {
      const options = await sign(kind, hash)
      const result = await verifySignature(options)
      expect(result).toEqual({
        certificate: new Uint8Array(signers[kind].der),
        path: [signers[kind], authorities.intermediate, authorities.root].map(
          ({ der }) => new Uint8Array(der),
        ),
        subject: {
          C: ['BE'],
          SN: ['Vermeer'],
          G: ['An'],
          serialNumber: ['71715100070'],
          CN: ['An Vermeer'],
        },
      })
      const overDigest = { ...options, content: undefined, digest: digestOf(hash) }
      expect(await verifySignature(overDigest)).toEqual(result)
    },
  )

  test('another content, hash, key, or a signature that was changed is refused', async () => {
    proves('signature-forged')
    const options = await sign(kind)
    const { signature } = options
    const changed = signature.map((byte, at) => (at === 9 ? byte ^ 1 : byte))
    const digest = digestOf('SHA-256')
    const otherDigest = digestOf('SHA-256', Buffer.from('other'))
    const overDigest = { ...options, content: undefined, digest }
    const other = await sign(
      kind,
      'SHA-256',
      await makeSigner(authorities, { key: signerKeys[kind].key }),
    )
    const cases: readonly SignatureOptions[] = [
      { ...options, content: Buffer.from('other') },
      { ...overDigest, digest: otherDigest },
      { ...options, hash: 'SHA-384' },
      { ...overDigest, hash: 'SHA-384', digest: digestOf('SHA-384') },
      ...[
        changed,
        signature.subarray(1),
        Buffer.concat([signature, signature]),
        other.signature,
      ].flatMap((form) => [
        { ...options, signature: form },
        { ...overDigest, signature: form },
      ]),
      ...[0, 0xff].flatMap((byte) => [
        { ...options, signature: Buffer.alloc(signature.length, byte) },
        { ...overDigest, signature: Buffer.alloc(signature.length, byte) },
      ]),
    ]
    for (const one of cases) expect(await verdict(one)).toBe('signature-invalid')
  })
})

describe('certificates', () => {
  const withExtensions = (...changed: readonly string[]) =>
    signerExtensions
      .filter((line) => !changed.some((other) => other.split('=')[0] === line.split('=')[0]))
      .concat(changed)

  test.each<[string, string, HolderOptions]>([
    [
      'that says nothing of its use',
      'certificate-unsuitable',
      { extensions: ['subjectKeyIdentifier=hash'] },
    ],
    [
      'with digitalSignature',
      'accepted',
      { extensions: withExtensions('keyUsage=critical,digitalSignature') },
    ],
    [
      'for e-mail',
      'accepted',
      { extensions: withExtensions('extendedKeyUsage=clientAuth,emailProtection') },
    ],
    [
      'for documents',
      'accepted',
      { extensions: withExtensions('extendedKeyUsage=1.3.6.1.5.5.7.3.36') },
    ],
    [
      'for everything',
      'accepted',
      { extensions: withExtensions('extendedKeyUsage=anyExtendedKeyUsage') },
    ],
    [
      'only for sign-ins',
      'certificate-unsuitable',
      {
        extensions: withExtensions(
          'keyUsage=critical,digitalSignature',
          'extendedKeyUsage=clientAuth',
        ),
      },
    ],
    [
      'only for encryption',
      'certificate-unsuitable',
      { extensions: withExtensions('keyUsage=critical,keyEncipherment') },
    ],
    [
      'of a server',
      'certificate-unsuitable',
      { extensions: withExtensions('extendedKeyUsage=serverAuth') },
    ],
    [
      'for timestamps',
      'certificate-unsuitable',
      { extensions: withExtensions('extendedKeyUsage=critical,timeStamping') },
    ],
    ['of an authority', 'certificate-unsuitable', { extensions: authorityExtensions }],
    ['that expired', 'certificate-expired', { notAfter: '20260531000000Z' }],
    ['of later', 'certificate-not-yet-valid', { notBefore: '20260602000000Z' }],
    ['of itself', 'certificate-untrusted', { issuer: undefined }],
    [
      'with an unknown critical extension',
      'certificate-untrusted',
      { extensions: withExtensions('1.2.3.4=critical,ASN1:NULL') },
    ],
    ['signed with SHA-1', 'certificate-untrusted', { digest: 'sha1' }],
    [
      'with RSA of 1024 bits',
      'key-unsupported',
      { key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'] },
    ],
    ['with an Ed25519 key', 'key-unsupported', { key: ['-algorithm', 'ED25519'] }],
    [
      'with a key on secp256k1',
      'key-unsupported',
      { key: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp256k1'] },
    ],
  ])('a certificate %s: %s', async (_, expected, changes) => {
    proves('certificate-forged')
    const signer = await makeSigner(authorities, changes)
    const isOwn = expected !== 'key-unsupported'
    const options = await sign('P-256', 'SHA-256', isOwn ? signer : signers['P-256'])
    expect(await verdict({ ...options, certificate: signer.der })).toBe(expected)
  })

  test('a chain from the page leads to a root, and is no root', async () => {
    proves('certificate-forged')
    const chain = [authorities.intermediate.der, authorities.root.der]
    const options = { ...(await sign('P-256')), intermediates: [], chain }
    expect(await verdict(options)).toBe('accepted')
    const { root } = await makeAuthorities('Others')
    expect(await verdict({ ...options, roots: [root.certificate] })).toBe('certificate-untrusted')
    expect(await verdict({ ...options, chain: [Buffer.from('no certificate')] })).toBe(
      'certificate-untrusted',
    )
  })

  test('an authority for sign-ins names no signers', async () => {
    proves('certificate-forged')
    const make = (usage: string) =>
      makeHolder({
        subject: '/CN=Issuer',
        issuer: authorities.root,
        extensions: [...authorityExtensions, `extendedKeyUsage=${usage}`],
      })
    const [signIns, documents] = await Promise.all([make('clientAuth'), make('emailProtection')])
    const signBelow = async (issuer: Holder) => {
      const signer = await makeSigner({ ...authorities, intermediate: issuer })
      return { ...(await sign('P-256', 'SHA-256', signer)), chain: [issuer.der] }
    }
    expect(await verdict(await signBelow(signIns))).toBe('certificate-untrusted')
    expect(await verdict(await signBelow(documents))).toBe('accepted')
  })

  test('authorities of a stranger that all signed each other take little time', async () => {
    proves('costly-certificate')
    const own = await makeHolder({ subject: '/CN=Loop' })
    const copies = await Promise.all(
      Array.from({ length: 9 }, () =>
        makeHolder({ subject: '/CN=Loop', issuer: own, keyFile: own.keyFile }),
      ),
    )
    const signer = await makeSigner({ ...authorities, intermediate: own })
    const options = await sign('P-256', 'SHA-256', signer)
    const chain = [own, ...copies].map(({ der }) => der)
    let calls = 0
    const { subtle } = globalThis.crypto
    const verify = subtle.verify
    subtle.verify = (...given: Parameters<typeof verify>) => {
      calls += 1
      return verify.apply(subtle, given)
    }
    try {
      expect(await verdict({ ...options, chain })).toBe('certificate-untrusted')
    } finally {
      subtle.verify = verify
    }
    // The one over the content, and the most that are tried for a path.
    expect(calls).toBe(1 + 100)
  })
})

test.each<[string, string, Partial<SignatureOptions>]>([
  ['settings-invalid', 'content', { content: undefined }],
  ['settings-invalid', 'content', { digest: new Uint8Array(32) }],
  ['settings-invalid', 'content', { content: 'text' as never }],
  [
    'settings-invalid',
    'content',
    {
      content: Object.defineProperty(new Uint8Array(), 'length', { value: 256 * 1024 * 1024 + 1 }),
    },
  ],
  ['settings-invalid', 'digest', { content: undefined, digest: new Uint8Array(31) }],
  ['settings-invalid', 'hash', { hash: 'SHA-1' as never }],
  ['settings-invalid', 'hash', { hash: 'toString' as never }],
  ['settings-invalid', 'signature', { signature: new Uint8Array(1025) }],
  ['settings-invalid', 'chain', { chain: Array.from({ length: 11 }, () => new Uint8Array()) }],
  ['settings-invalid', 'roots', { roots: [] }],
  ['settings-invalid', 'intermediates', { intermediates: ['no PEM'] }],
  ['settings-invalid', 'now', { now: Number.NaN }],
  ['signature-malformed', 'certificate', { certificate: new Uint8Array(16 * 1024 + 1) }],
  ['signature-malformed', 'certificate', { certificate: Buffer.from('hello') }],
])('%s names %s (case %#)', async (reason, field, given) => {
  const error = await verifySignature({ ...(await sign('P-256')), ...given }).catch(
    (thrown) => thrown,
  )
  expect([error.reason, error.message]).toEqual([reason, expect.stringContaining(field)])
})

describe('revocation', () => {
  const checker = (result: RevocationResult, onUnknown: RevocationChecker['onUnknown']) => {
    const calls: Parameters<RevocationChecker['check']>[] = []
    const revocation: RevocationChecker = {
      onUnknown,
      async check(...call) {
        calls.push(call)
        return result
      },
    }
    return { revocation, calls }
  }
  const revokedAt = new Date('2026-06-02T00:00:00Z')

  test.each<[string, RevocationResult, RevocationChecker['onUnknown'], string]>([
    ['good', { status: 'good' }, 'refuse', 'accepted'],
    ['revoked', { status: 'revoked' }, 'accept', 'certificate-revoked'],
    ['revoked after now', { status: 'revoked', revokedAt }, 'accept', 'certificate-revoked'],
    ['unknown', { status: 'unknown' }, 'refuse', 'revocation-unknown'],
    ['unknown', { status: 'unknown' }, 'accept', 'accepted'],
  ])('a certificate that is %s: %o, with %s: %s', async (_, result, onUnknown, expected) => {
    proves('revocation-unchecked')
    const { revocation } = checker(result, onUnknown)
    expect(await verdict({ ...(await sign('P-256')), revocation })).toBe(expected)
  })

  test('the checker gets path and time, its result comes with the signer, and nothing is asked about an invalid signature', async () => {
    proves('revocation-costly')
    const { revocation, calls } = checker({ status: 'good', source: 'crl' }, 'refuse')
    const options = { ...(await sign('P-256')), revocation }
    const other = { ...options, content: Buffer.from('other') }
    expect([await verdict(other), calls]).toEqual(['signature-invalid', []])
    const result = await verifySignature(options)
    expect(result.revocation).toEqual({ status: 'good', source: 'crl' })
    expect(calls).toEqual([[result.path, new Date(now)]])
  })
})
