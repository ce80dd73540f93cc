/** What is refused before a card signs, and after it: options, certificates, states and signatures. */
import { beforeAll, describe, expect, test } from 'vitest'
import { measureProcessorMs } from '../../../test/bed/processor-time.ts'
import { proves } from '../../../test/bed/proves.ts'
import { encode, sequence, tags } from '../../server/src/der.ts'
import {
  completeSignature,
  type PrepareOptions,
  prepareSignature,
  type SignatureError,
  verifyCmsSignature,
} from '../../server/src/index.ts'
import { encodeSignedData, readSignedData } from '../../server/src/signatures/signed-data.ts'
import { authorityExtensions, type Holder, type HolderOptions } from '../harness/authority.ts'
import { signDigest } from '../harness/card-signature.ts'
import { type Authorities, makeAuthorities, makeSigner } from '../harness/signers.ts'

const content = Buffer.from('The seller hands over the bicycle.')
const signingTime = new Date('2026-06-01T10:00:00Z')

let authorities: Authorities
let signer: Holder

beforeAll(async () => {
  authorities = await makeAuthorities()
  signer = await makeSigner(authorities)
})

const options = (given: Partial<PrepareOptions> = {}): PrepareOptions => ({
  content,
  certificate: signer.der,
  signingTime,
  ...given,
})

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: SignatureError) => {
      expect(error.name, String(error.stack)).toBe('SignatureError')
      return `${error.reason}: ${error.message}`
    },
  )

/** Bytes that are many, without their memory. */
const huge = (length: number) =>
  Object.defineProperty(new Uint8Array(), 'length', { value: length })

test.each<[string, Partial<PrepareOptions>]>([
  ['content', { content: undefined }],
  ['content', { digest: new Uint8Array(32) }],
  ['content', { content: 'text' as never }],
  ['content', { content: huge(256 * 1024 * 1024 + 1) }],
  ['content', { content: huge(8 * 1024 * 1024 + 1), detached: false }],
  ['content', { content: undefined, digest: new Uint8Array(32), detached: false }],
  ['digest', { content: undefined, digest: new Uint8Array(33) }],
  ['digest', { content: undefined, digest: new Uint8Array(32), hash: 'SHA-512' }],
  ['hash', { hash: 'SHA-1' as never }],
  ['chain', { chain: Array.from({ length: 11 }, () => new Uint8Array()) }],
  ['chain', { chain: [huge(16 * 1024 + 1)] }],
  ['signingTime', { signingTime: new Date(Number.NaN) }],
  ['signingTime', { signingTime: '2026-06-01' as never }],
])('the option %s is refused by its name (case %#)', async (field, given) => {
  expect(await outcome(prepareSignature(options(given)))).toMatch(
    new RegExp(`^settings-invalid: Cannot use ${field}: expected `),
  )
})

test.each<[string, string, HolderOptions]>([
  ['that expired', 'certificate-expired', { notAfter: '20260531000000Z' }],
  ['of later', 'certificate-not-yet-valid', { notBefore: '20260602000000Z' }],
  [
    'for sign-ins',
    'certificate-unsuitable',
    { extensions: ['keyUsage=digitalSignature', 'extendedKeyUsage=clientAuth'] },
  ],
  ['of an authority', 'certificate-unsuitable', { extensions: authorityExtensions }],
  ['with an Ed25519 key', 'key-unsupported', { key: ['-algorithm', 'ED25519'] }],
])('no signature is prepared with a certificate %s: %s', async (_, reason, changes) => {
  proves('certificate-forged')
  const { der } = await makeSigner(authorities, changes)
  expect(await outcome(prepareSignature(options({ certificate: der })))).toMatch(
    new RegExp(`^${reason}: `),
  )
})

test('a state has the certificates and no content, at most 200 KiB', async () => {
  const chain = Array.from({ length: 10 }, () => authorities.root.der)
  const { state } = await prepareSignature(options({ content: Buffer.alloc(1_000_000), chain }))
  expect(state.length).toBeLessThan(10_000)
  expect(readSignedData(state).certificates.length).toBe(11)
})

describe('a signature is not completed', () => {
  test.each<[string, (state: Uint8Array) => Uint8Array]>([
    ['nothing', () => new Uint8Array()],
    ['text', () => Buffer.from('state')],
    ['a part', (state) => state.subarray(0, 400)],
    ['a certificate', () => signer.der],
    ['too much', () => new Uint8Array(12 * 1024 * 1024 + 1)],
  ])('with %s for a state', async (_, change) => {
    const { state } = await prepareSignature(options())
    expect(await outcome(completeSignature(change(state), new Uint8Array(64)))).toMatch(
      /^settings-invalid: Cannot use state: expected the state of a prepared signature/,
    )
  })

  test('with a signature that is complete already for a state', async () => {
    const prepared = await prepareSignature(options())
    const value = await signDigest(signer, prepared, 'P-256')
    const cms = await completeSignature(prepared, value)
    expect(await outcome(completeSignature(cms, value))).toMatch(
      /^settings-invalid: Cannot use state: /,
    )
  })

  test('with what another key signed, or over another digest, or in another form', async () => {
    proves('signature-forged')
    const prepared = await prepareSignature(options())
    const other = await makeSigner(authorities)
    const wrong = { ...prepared, digest: new Uint8Array(32) }
    const value = await signDigest(signer, prepared, 'P-256')
    const forms = [
      await signDigest(other, prepared, 'P-256'),
      await signDigest(signer, wrong, 'P-256'),
      await signDigest(signer, prepared),
      value.subarray(1),
      Buffer.alloc(64),
      Buffer.alloc(0),
    ]
    for (const form of forms)
      expect(await outcome(completeSignature(prepared, form))).toMatch(/^signature-invalid: /)
    expect(await outcome(completeSignature(prepared, value))).toBe('accepted')
    expect(await outcome(completeSignature(prepared, huge(1025)))).toMatch(
      /^settings-invalid: Cannot use signature: /,
    )
  })

  test('where the content in the state was changed', async () => {
    proves('signature-forged')
    const prepared = await prepareSignature(options({ detached: false }))
    const parts = readSignedData(prepared.state)
    const state = encodeSignedData({ ...parts, content: new Uint8Array(Buffer.from('other')) })
    const value = await signDigest(signer, prepared, 'P-256')
    expect(await outcome(completeSignature(state, value))).toMatch(/^content-mismatch: /)
  })
})

describe('what takes long', () => {
  const verify = (signature: Uint8Array) =>
    outcome(verifyCmsSignature({ signature, content, roots: [authorities.root.certificate] }))

  test.each<[string, string, () => Promise<Uint8Array>]>([
    ['more than 12 MiB', 'settings-invalid', async () => huge(12 * 1024 * 1024 + 1)],
    ['12 MiB of zeros', 'signature-malformed', async () => new Uint8Array(12 * 1024 * 1024)],
    [
      '12 MiB of lists',
      'signature-malformed',
      async () => encode(tags.sequence, new Uint8Array(12 * 1024 * 1024 - 10).fill(0x30)),
    ],
    [
      'a million small parts',
      'signature-malformed',
      async () => encode(tags.sequence, Buffer.from('0500'.repeat(1_000_000), 'hex')),
    ],
    [
      'lists in each other',
      'signature-malformed',
      async () => {
        let nested: Uint8Array<ArrayBuffer> = sequence()
        for (let depth = 0; depth < 5000; depth += 1) nested = sequence(nested)
        return nested
      },
    ],
    [
      '21 certificates',
      'signature-malformed',
      async () => {
        const prepared = await prepareSignature(options())
        const value = await signDigest(signer, prepared, 'P-256')
        const parts = readSignedData(await completeSignature(prepared, value))
        const certificates = [...parts.certificates, ...Array(20).fill(authorities.root.der)]
        return encodeSignedData({ ...parts, certificates })
      },
    ],
  ])('%s: %s', async (_, reason, make) => {
    proves('signature-forged')
    const signature = await make()
    let said = ''
    const usedMs = await measureProcessorMs(async () => {
      said = await verify(signature)
    })
    expect(said).toMatch(new RegExp(`^${reason}: `))
    expect(usedMs).toBeLessThan(500)
  })
})
