/** Signatures by CAdES: those of cards, verified by openssl too; those of openssl, verified here; and hostile ones. */
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { encode, tags } from '../../server/src/der.ts'
import {
  type CmsSignatureOptions,
  completeSignature,
  type PrepareOptions,
  prepareSignature,
  type SignatureError,
  verifyCmsSignature,
} from '../../server/src/index.ts'
import {
  encodeAttribute,
  encodeSignedData,
  readAttributes,
  readSignedData,
  type SignedDataParts,
  type Signer,
} from '../../server/src/signatures/signed-data.ts'
import type { Holder } from '../harness/authority.ts'
import { signDigest } from '../harness/card-signature.ts'
import {
  type Authorities,
  makeAuthorities,
  makeSigner,
  openssl,
  readOutput,
  save,
  signByOpenssl,
  signerKeys,
  verifyByOpenssl,
} from '../harness/signers.ts'

const content = Buffer.from('The seller hands over the bicycle.')
const now = Date.UTC(2026, 5, 1)
const signingTime = new Date('2026-05-31T22:00:00.900Z')
type Kind = keyof typeof signerKeys
const kinds = Object.keys(signerKeys) as readonly Kind[]

let authorities: Authorities
let signers: Readonly<Record<Kind, Holder>>

beforeAll(async () => {
  authorities = await makeAuthorities()
  const made = await Promise.all(
    kinds.map(async (kind) => [kind, await makeSigner(authorities, { key: signerKeys[kind].key })]),
  )
  signers = Object.fromEntries(made)
})

/** As an integrator does, with a card in between. */
async function sign(
  kind: Kind = 'P-256',
  given: Partial<PrepareOptions> = {},
  signer = signers[kind],
) {
  const prepared = await prepareSignature({
    content,
    certificate: signer.der,
    chain: [authorities.intermediate.der],
    signingTime,
    ...given,
  })
  return completeSignature(prepared, await signDigest(signer, prepared, signerKeys[kind].curve))
}

const options = (
  signature: Uint8Array,
  given: Partial<CmsSignatureOptions> = {},
): CmsSignatureOptions => ({
  signature,
  content,
  roots: [authorities.root.certificate],
  now,
  ...given,
})

const verdict = (signature: Uint8Array, given: Partial<CmsSignatureOptions> = {}) =>
  verifyCmsSignature(options(signature, given)).then(
    () => 'accepted',
    (error: SignatureError) => {
      expect(error.name, String(error.stack)).toBe('SignatureError')
      return error.reason
    },
  )

const who = (kind: Kind) => ({
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

describe('a signature that was made here', () => {
  test.each([
    ['RSA', 'SHA-256'],
    ['RSA', 'SHA-384'],
    ['RSA', 'SHA-512'],
    ['P-256', 'SHA-256'],
    ['P-256', 'SHA-512'],
    ['P-384', 'SHA-384'],
    ['P-521', 'SHA-512'],
  ] as const)('by %s with %s is accepted here and by openssl', async (kind, hash) => {
    const cms = await sign(kind, { hash })
    expect(await verifyCmsSignature(options(cms))).toEqual({
      ...who(kind),
      hash,
      signingTime: new Date('2026-05-31T22:00:00Z'),
      timestamp: undefined,
      content: undefined,
    })
    expect(await verifyByOpenssl(cms, authorities, content)).toMatch(/successful/i)
    expect(await verdict(cms, { content: Buffer.from('other') })).toBe('content-mismatch')
  })

  test('with the content in it has this content, and no other', async () => {
    proves('signature-forged')
    const cms = await sign('P-256', { detached: false })
    const result = await verifyCmsSignature(options(cms, { content: undefined }))
    expect(Buffer.from(result.content ?? []).toString()).toBe('The seller hands over the bicycle.')
    expect(await verifyByOpenssl(cms, authorities)).toMatch(/successful/i)
    expect(await verdict(cms)).toBe('accepted')
    expect(await verdict(cms, { content: Buffer.from('other') })).toBe('content-mismatch')
    const parts = readSignedData(cms)
    const changed = encodeSignedData({ ...parts, content: new Uint8Array(Buffer.from('other')) })
    expect(await verdict(changed, { content: undefined })).toBe('content-mismatch')
    expect(await verdict(changed)).toBe('content-mismatch')
  })

  test('over a digest is the same as over its content, and is verified with a digest', async () => {
    const digest = createHash('sha256').update(content).digest()
    const cms = await sign('RSA', { content: undefined, digest })
    expect(cms).toEqual(await sign('RSA'))
    const asked: string[] = []
    const given = {
      content: async (hash: string) => {
        asked.push(hash)
        return new Uint8Array(digest)
      },
    }
    expect(await verdict(cms, given)).toBe('accepted')
    expect(asked).toEqual(['SHA-256'])
  })

  test.each([
    ['2049-12-31T23:59:59Z', 'UTCTIME           :491231235959Z'],
    ['2050-01-01T00:00:00Z', 'GENERALIZEDTIME   :20500101000000Z'],
  ])('at %s has a time as RFC 5652 wants it', async (time, expected) => {
    const signer = await makeSigner(authorities, { notAfter: '20600101000000Z' })
    const cms = await sign('P-256', { signingTime: new Date(time) }, signer)
    const printed = await openssl('asn1parse', '-inform', 'DER', '-in', await save(cms))
    expect(printed).toContain(expected)
    const { signingTime: read } = await verifyCmsSignature(options(cms))
    expect(read).toEqual(new Date(time))
  })

  test('has the attributes of CAdES B-B in the order of DER, and nothing else', async () => {
    const cms = await sign('P-384')
    const [signer] = readSignedData(cms).signers
    expect([...readAttributes(signer?.signedAttributes ?? new Uint8Array()).keys()]).toEqual([
      '1.2.840.113549.1.9.3',
      '1.2.840.113549.1.9.5',
      '1.2.840.113549.1.9.4',
      '1.2.840.113549.1.9.16.2.47',
    ])
    expect(signer?.unsignedAttributes).toEqual([])
  })
})

describe('a signature by openssl', () => {
  test.each<[string, Kind, readonly string[], Partial<CmsSignatureOptions>]>([
    ['by RSA', 'RSA', ['-md', 'sha256'], {}],
    ['by RSA with SHA-512', 'RSA', ['-md', 'sha512'], {}],
    ['by P-256', 'P-256', ['-md', 'sha256'], {}],
    ['by P-384', 'P-384', ['-md', 'sha384'], {}],
    ['by P-521', 'P-521', ['-md', 'sha512'], {}],
    ['with the content in it', 'P-256', ['-md', 'sha256', '-nodetach'], { content: undefined }],
    ['in BER', 'P-256', ['-md', 'sha256', '-nodetach', '-stream'], { content: undefined }],
    ['that names the key', 'P-256', ['-md', 'sha256', '-keyid'], {}],
  ])('%s is accepted', async (_, kind, given, changes) => {
    const intermediates = [authorities.intermediate.certificate]
    const cms = await signByOpenssl(signers[kind], content, ['-cades', ...given])
    const result = await verifyCmsSignature(options(cms, { intermediates, ...changes }))
    expect(result).toMatchObject(who(kind))
    expect(result.signingTime).toBeInstanceOf(Date)
  })

  test.each<[string, string, readonly string[]]>([
    ['by CMS without the name of its certificate', 'certificate-mismatch', ['-md', 'sha256']],
    ['with SHA-1', 'key-unsupported', ['-md', 'sha1', '-cades']],
    ['without attributes', 'signature-malformed', ['-md', 'sha256', '-noattr']],
    ['without certificates', 'signature-malformed', ['-md', 'sha256', '-cades', '-nocerts']],
    [
      'by RSA-PSS',
      'key-unsupported',
      ['-md', 'sha256', '-cades', '-keyopt', 'rsa_padding_mode:pss'],
    ],
  ])('%s is refused: %s', async (what, reason, given) => {
    proves('signature-forged')
    const signer = signers[what.includes('PSS') ? 'RSA' : 'P-256']
    expect(await verdict(await signByOpenssl(signer, content, given))).toBe(reason)
  })

  test('of two signers is refused', async () => {
    proves('signature-forged')
    const { certificateFile, keyFile } = signers.RSA
    const both = ['-cades', '-md', 'sha256', '-signer', certificateFile, '-inkey', keyFile]
    const cms = await signByOpenssl(signers['P-256'], content, both)
    expect(readSignedData(cms).signers).toHaveLength(2)
    expect(await verdict(cms)).toBe('signers-unsupported')
  })

  test('of no signer is refused', async () => {
    const { certificateFile } = signers.RSA
    const cms = await readOutput(
      ...['crl2pkcs7', '-nocrl', '-certfile', certificateFile, '-outform', 'DER', '-out'],
    )
    expect(await verdict(cms)).toBe('signers-unsupported')
  })
})

describe('hostile', () => {
  type Attributes = ReadonlyMap<string, Uint8Array>
  const attribute = (identifier: string, value: string) =>
    encodeAttribute(identifier, Buffer.from(value, 'hex'))
  const identifiers = {
    contentType: '1.2.840.113549.1.9.3',
    messageDigest: '1.2.840.113549.1.9.4',
    signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  } as const

  /** Signs other attributes with the key of the signer. */
  async function resign(change: (attributes: Attributes) => readonly Uint8Array[]) {
    const parts = readSignedData(await sign('P-256'))
    const [signer] = parts.signers
    const read = readAttributes(signer?.signedAttributes ?? new Uint8Array())
    const attributes = new Map(
      [...read].map(([identifier, values]) => [
        identifier,
        encodeAttribute(identifier, Buffer.concat(values)),
      ]),
    )
    return complete(parts, encode(tags.set, ...change(attributes)))
  }

  async function complete(parts: SignedDataParts, signedAttributes: Uint8Array<ArrayBuffer>) {
    const [signer] = parts.signers
    const file = await save(signedAttributes)
    const value = await readOutput(
      ...['pkeyutl', '-sign', '-rawin', '-digest', 'sha256', '-inkey', signers['P-256'].keyFile],
      ...['-in', file, '-out'],
    )
    const changed = { ...signer, signedAttributes, signature: new Uint8Array(value) } as Signer
    return encodeSignedData({ ...parts, signers: [changed] })
  }

  const sorted = (attributes: readonly Uint8Array[]) =>
    attributes.toSorted((one, other) => Buffer.compare(one, other))

  const without = (all: Attributes, identifier: string) =>
    [...all].flatMap(([one, value]) => (one === identifier ? [] : [value]))
  const replace = (all: Attributes, identifier: string, value: Uint8Array) =>
    sorted([...without(all, identifier), value])

  test.each<[string, string, (attributes: Attributes) => readonly Uint8Array[]]>([
    ['as they are', 'accepted', (all) => sorted([...all.values()])],
    ['in another order', 'signature-malformed', (all) => sorted([...all.values()]).toReversed()],
    [
      'one twice',
      'signature-malformed',
      (all) => sorted([...all.values(), all.get(identifiers.messageDigest) ?? new Uint8Array()]),
    ],
    [
      'one twice with another value',
      'signature-malformed',
      (all) =>
        sorted([...all.values(), attribute(identifiers.messageDigest, `0420${'00'.repeat(32)}`)]),
    ],
    [
      'with two values',
      'signature-malformed',
      (all) =>
        replace(
          all,
          identifiers.contentType,
          attribute(identifiers.contentType, '06092a864886f70d010701'.repeat(2)),
        ),
    ],
    [
      'without the type of the content',
      'signature-malformed',
      (all) => without(all, identifiers.contentType),
    ],
    ['without a digest', 'signature-malformed', (all) => without(all, identifiers.messageDigest)],
    [
      'without the name of the certificate',
      'certificate-mismatch',
      (all) => without(all, identifiers.signingCertificateV2),
    ],
    [
      'of another type of content',
      'signature-malformed',
      (all) =>
        replace(
          all,
          identifiers.contentType,
          attribute(identifiers.contentType, '060b2a864886f70d0109100104'),
        ),
    ],
    [
      'with the name of another certificate',
      'certificate-mismatch',
      (all) => {
        const hash = createHash('sha256').update(signers.RSA.der).digest('hex')
        const named = attribute(identifiers.signingCertificateV2, `3026302430220420${hash}`)
        return replace(all, identifiers.signingCertificateV2, named)
      },
    ],
    [
      'with the name of the certificate by SHA-1',
      'certificate-mismatch',
      (all) => {
        const hash = createHash('sha1').update(signers['P-256'].der).digest('hex')
        const named = attribute('1.2.840.113549.1.9.16.2.12', `301a301830160414${hash}`)
        return replace(all, identifiers.signingCertificateV2, named)
      },
    ],
    [
      'with a length that is not the shortest',
      'signature-malformed',
      (all) => {
        const digest = createHash('sha256').update(content).digest('hex')
        const longer = attribute(identifiers.messageDigest, `048120${digest}`)
        return replace(all, identifiers.messageDigest, longer)
      },
    ],
    [
      'with one more',
      'accepted',
      (all) => sorted([...all.values(), attribute('1.2.3.4', '3003040107')]),
    ],
    [
      'with one more that is not in DER',
      'signature-malformed',
      (all) => sorted([...all.values(), attribute('1.2.3.4', '300404810107')]),
    ],
  ])('signed attributes %s: %s', async (_, reason, change) => {
    proves('signature-forged')
    expect(await verdict(await resign(change))).toBe(reason)
  })

  test('another certificate with the same key is refused, as it is not the one that signed', async () => {
    proves('signature-forged')
    const { keyFile, der } = signers['P-256']
    const other = await makeSigner(authorities, { keyFile, subject: '/CN=Bo Peeters' })
    const parts = readSignedData(await sign('P-256'))
    const [signer] = parts.signers
    const cmsOfOther = readSignedData(await sign('P-256', {}, other))
    const identity = cmsOfOther.signers[0]?.identity
    const swapped = {
      ...parts,
      certificates: [new Uint8Array(other.der)],
      signers: [{ ...signer, identity } as Signer],
    }
    expect(await verdict(encodeSignedData(swapped))).toBe('certificate-mismatch')
    expect(other.der.equals(der)).toBe(false)
  })

  test('whatever byte is changed, a signature is not accepted with another content or signer', async () => {
    proves('signature-forged')
    const cms = await sign('P-256')
    const reasons = new Set<string>()
    for (let at = 0; at < cms.length; at += 5) {
      const changed = cms.slice()
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
      const result = await verifyCmsSignature(options(changed)).catch((error) => error)
      expect(result.name ?? 'accepted', `${at}: ${result.stack}`).toMatch(/SignatureError|accepted/)
      reasons.add(result.reason ?? 'accepted')
      if (result.certificate) expect(result).toMatchObject(who('P-256'))
    }
    expect([...reasons]).toEqual(
      expect.arrayContaining(['signature-malformed', 'signature-invalid']),
    )
  })

  test.each<[string, (cms: Uint8Array) => Uint8Array]>([
    ['nothing', () => new Uint8Array()],
    ['text', () => Buffer.from('hello')],
    ['a certificate', () => signers.RSA.der],
    ['bytes behind it', (cms) => Buffer.concat([cms, Buffer.of(0)])],
    ['a part of it', (cms) => cms.subarray(0, 500)],
    ['10,000 lists in each other', () => Buffer.from('3080'.repeat(10_000), 'hex')],
  ])('%s is no signature', async (_, change) => {
    expect(await verdict(change(await sign('P-256')))).toBe('signature-malformed')
  })
})
