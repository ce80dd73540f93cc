/** Signature timestamps (CAdES B-T), by openssl behind http: asked for, verified here and by openssl, and hostile ones. */
import { createHash, X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { encode, readElements, sequence, tags } from '../../server/src/der.ts'
import {
  completeSignature,
  type PreparedSignature,
  prepareSignature,
  type RevocationChecker,
  type RevocationResult,
  type SignatureError,
  type TimestampService,
  verifyCmsSignature,
} from '../../server/src/index.ts'
import { addSignatureTimestamp, readSignatureValue } from '../../server/src/signatures/cms.ts'
import { readSignedData, readUnsignedValues } from '../../server/src/signatures/signed-data.ts'
import { type Holder, type HolderOptions, makeHolder } from '../harness/authority.ts'
import { signDigest } from '../harness/card-signature.ts'
import {
  type Authorities,
  makeAuthorities,
  makeSigner,
  openssl,
  save,
  signByOpenssl,
  verifyByOpenssl,
} from '../harness/signers.ts'
import { type Reply, serveTimestamps, timestampExtensions } from '../harness/timestamp-service.ts'

const content = Buffer.from('The seller hands over the bicycle.')

let authorities: Authorities
let timestampAuthorities: Authorities
let service: Holder
let signer: Holder
let prepared: PreparedSignature
let signature: Buffer

beforeAll(async () => {
  ;[authorities, timestampAuthorities] = await Promise.all([
    makeAuthorities(),
    makeAuthorities('Timestamps'),
  ])
  ;[signer, service] = await Promise.all([makeSigner(authorities), makeService()])
  prepared = await prepareSignature({
    content,
    certificate: signer.der,
    chain: [authorities.intermediate.der],
  })
  signature = await signDigest(signer, prepared, 'P-256')
})

const makeService = (options: HolderOptions = {}) =>
  makeHolder({
    subject: '/CN=Clock',
    issuer: timestampAuthorities.intermediate,
    extensions: timestampExtensions,
    ...options,
  })

async function serve(reply: Reply = {}, by = service): Promise<TimestampService> {
  const { url } = await serveTimestamps(by, [timestampAuthorities.intermediate], reply)
  return { url, roots: [timestampAuthorities.root.certificate] }
}

const complete = (timestamp: TimestampService) =>
  completeSignature(prepared, signature, { timestamp })

const verdict = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: SignatureError) => {
      expect(error.name, String(error.stack)).toBe('SignatureError')
      return error.reason
    },
  )

const trust = () => ({
  content,
  roots: [authorities.root.certificate],
  timestampRoots: [timestampAuthorities.root.certificate],
})

test('a signature gets a timestamp that is verified here and by openssl', async () => {
  const before = Math.floor(Date.now() / 1000) * 1000
  const cms = await complete(await serve())
  const { timestamp, ...result } = await verifyCmsSignature({ ...trust(), signature: cms })
  expect(timestamp).toEqual({
    time: expect.any(Date),
    certificate: new Uint8Array(service.der),
    path: [service, timestampAuthorities.intermediate, timestampAuthorities.root].map(
      ({ der }) => new Uint8Array(der),
    ),
  })
  expect(timestamp?.time.getTime()).toBeGreaterThanOrEqual(before)
  expect(timestamp?.time.getTime()).toBeLessThanOrEqual(Date.now())
  expect(result.subject['CN']).toEqual(['An Vermeer'])
  expect(await verifyByOpenssl(cms, authorities, content)).toMatch(/successful/i)
  const [token] = readUnsignedValues(
    readSignedData(cms).signers[0] as never,
    '1.2.840.113549.1.9.16.2.14',
  )
  const { value } = readSignatureValue(cms)
  const verified = await openssl(
    ...['ts', '-verify', '-token_in', '-in', await save(token ?? Buffer.alloc(0))],
    ...['-data', await save(value), '-CAfile', timestampAuthorities.root.certificateFile],
  )
  expect(verified).toContain('Verification: OK')
})

test('a request has the digest of the signature, a nonce, and asks for the certificate', async () => {
  const { url, requests } = await serveTimestamps(service, [timestampAuthorities.intermediate])
  const cms = await complete({ url, roots: [timestampAuthorities.root.certificate] })
  const [request, ...more] = requests
  expect([request?.contentType, more]).toEqual(['application/timestamp-query', []])
  const printed = await openssl('ts', '-query', '-text', '-in', await save(request?.body ?? ''))
  expect(printed).toMatch(/Version: 1\nHash Algorithm: sha256\n/)
  expect(printed).toMatch(/Nonce: 0x[4-7][0-9A-F]{31}\nCertificate required: yes\n/)
  const digest = createHash('sha256').update(readSignatureValue(cms).value).digest()
  expect(request?.body.includes(digest)).toBe(true)
  await complete({ url, roots: [timestampAuthorities.root.certificate] })
  expect(requests[1]?.body.equals(requests[0]?.body ?? Buffer.of())).toBe(false)
})

test('a timestamp that names its certificate by SHA-1 counts, as RFC 3161 has it', async () => {
  const cms = await complete(await serve({ certificateHash: 'sha1' }))
  const [token] = readUnsignedValues(
    readSignedData(cms).signers[0] as never,
    '1.2.840.113549.1.9.16.2.14',
  )
  const printed = await openssl('asn1parse', '-inform', 'DER', '-in', await save(token ?? ''))
  expect(printed).toContain('id-smime-aa-signingCertificate\n')
  expect(await verdict(verifyCmsSignature({ ...trust(), signature: cms }))).toBe('accepted')
})

test('a service whose certificate was revoked is refused when the signature is completed', async () => {
  proves('revocation-unchecked')
  const revocation: RevocationChecker = {
    onUnknown: 'refuse',
    check: async () => ({ status: 'revoked' }),
  }
  expect(await verdict(complete({ ...(await serve()), revocation }))).toBe('timestamp-invalid')
})

describe('a timestamp is refused', () => {
  const flip = (bytes: Buffer, at: number) => {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    return changed
  }
  /** The digest in a request stands in front of its nonce (18 bytes) and the wish for a certificate (3). */
  const digestAt = (request: Buffer) => request.length - 22
  const nonceAt = (request: Buffer) => request.length - 4

  test.each<[string, string, Reply]>([
    [
      'for another signature',
      'timestamp-invalid',
      { request: (body) => flip(body, digestAt(body)) },
    ],
    ['for another request', 'timestamp-invalid', { request: (body) => flip(body, nonceAt(body)) }],
    [
      'without a nonce',
      'timestamp-invalid',
      {
        request: (body) =>
          Buffer.concat([
            Buffer.of(0x30, body.length - 20),
            body.subarray(2, -21),
            body.subarray(-3),
          ]),
      },
    ],
    [
      'without a certificate',
      'timestamp-invalid',
      {
        request: (body) => Buffer.concat([Buffer.of(0x30, body.length - 5), body.subarray(2, -3)]),
      },
    ],
    [
      'with a changed signature',
      'timestamp-invalid',
      { response: (body) => flip(body, body.length - 9) },
    ],
    ['that is cut off', 'timestamp-invalid', { response: (body) => body.subarray(0, 900) }],
    [
      'with bytes behind it',
      'timestamp-invalid',
      { response: (body) => Buffer.concat([body, Buffer.of(0)]) },
    ],
    ['of a page', 'timestamp-invalid', { response: () => Buffer.from('<html></html>') }],
    ['with the status 500', 'timestamp-refused', { status: 500 }],
    ['that is elsewhere', 'timestamp-refused', { status: 302 }],
    ['for no request', 'timestamp-refused', { request: () => Buffer.from('hello') }],
    ['that is huge', 'timestamp-unreachable', { response: () => Buffer.alloc(64 * 1024 + 1) }],
  ])('%s: %s', async (_, reason, reply) => {
    proves('timestamp-forged')
    expect(await verdict(complete(await serve(reply)))).toBe(reason)
  })

  test.each<[string, string, HolderOptions]>([
    ['of a timestamp service', 'accepted', {}],
    ['of a signer', 'not for timestamps', { extensions: ['keyUsage=critical,digitalSignature'] }],
    [
      'that is for more',
      'not for timestamps',
      { extensions: ['extendedKeyUsage=critical,timeStamping,emailProtection'] },
    ],
    [
      'that is not critically for timestamps',
      'not for timestamps',
      { extensions: ['extendedKeyUsage=timeStamping'] },
    ],
    ['that expired', 'not valid at its time', { notAfter: '20200102000000Z' }],
    ['of a stranger', 'does not chain to one of the roots', { issuer: undefined }],
  ])('or accepted with a certificate %s: %s', async (_, expected, given) => {
    proves('timestamp-forged')
    // openssl makes no timestamp with most of them, but signs what another service has said.
    const other = await makeService(given)
    const response = async (body: Buffer) => {
      const token = readElements(readElements(new Uint8Array(body))[0]?.content)[1]?.whole
      const { content: info } = readSignedData(token ?? new Uint8Array())
      const signed = await signByOpenssl(other, info ?? new Uint8Array(), [
        ...['-cades', '-md', 'sha256', '-nodetach', '-econtent_type', 'id-smime-ct-TSTInfo'],
        ...['-certfile', timestampAuthorities.intermediate.certificateFile],
      ])
      return Buffer.from(sequence(Uint8Array.of(0x30, 3, 2, 1, 0), signed))
    }
    const outcome = await complete(await serve({ response })).then(
      () => 'accepted',
      (error: SignatureError) => `${error.reason}: ${error.message}`,
    )
    expect(outcome).toEqual(
      expected === 'accepted'
        ? expected
        : expect.stringMatching(`^timestamp-invalid: .*${expected}`),
    )
  })

  test('when the clock of this computer differs by more than five minutes', async () => {
    const timestamp = await serve()
    const soon = { ...timestamp, now: Date.now() + 4 * 60_000 }
    expect(await verdict(complete(soon))).toBe('accepted')
    const late = { ...timestamp, now: Date.now() + 6 * 60_000 }
    expect(await verdict(complete(late))).toBe('timestamp-invalid')
    const early = { ...timestamp, now: Date.now() - 6 * 60_000 }
    expect(await verdict(complete(early))).toBe('timestamp-invalid')
  })

  test('when no service answers', async () => {
    const roots = [timestampAuthorities.root.certificate]
    expect(await verdict(complete({ url: 'http://127.0.0.1:1', roots }))).toBe(
      'timestamp-unreachable',
    )
  })

  test.each<[string, Partial<TimestampService>]>([
    ['timestamp.url', { url: 'ftp://127.0.0.1' }],
    ['timestamp.url', { url: 'timestamps' }],
    ['timestamp.roots', { roots: [] }],
    ['timestamp.now', { now: Number.NaN }],
  ])('with settings that cannot be used: %s', async (field, given) => {
    const service = { url: 'http://127.0.0.1:1', roots: [timestampAuthorities.root.certificate] }
    const error = await complete({ ...service, ...given }).catch((thrown) => thrown)
    expect([error.reason, error.message]).toEqual([
      'settings-invalid',
      expect.stringContaining(`Cannot use ${field}: expected `),
    ])
  })
})

describe('a signature with a timestamp', () => {
  const oneDayMs = 24 * 60 * 60_000

  test('counts after its certificate has expired, and without one it does not', async () => {
    const until = new Date(Date.now() + 60 * 60_000)
    const short = await makeSigner(authorities, {
      notAfter: `${until.toISOString().replace(/[-:T]|\..*/g, '')}Z`,
    })
    const own = await prepareSignature({
      content,
      certificate: short.der,
      chain: [authorities.intermediate.der],
    })
    const value = await signDigest(short, own, 'P-256')
    const later = { ...trust(), now: Date.now() + oneDayMs }
    const plain = await completeSignature(own, value)
    expect(await verdict(verifyCmsSignature({ ...later, signature: plain }))).toBe(
      'certificate-expired',
    )
    const stamped = await completeSignature(own, value, { timestamp: await serve() })
    expect(await verdict(verifyCmsSignature({ ...later, signature: stamped }))).toBe('accepted')
    const { timestampRoots: _, ...without } = later
    expect(await verdict(verifyCmsSignature({ ...without, signature: stamped }))).toBe(
      'certificate-expired',
    )
  })

  test('of another signature is refused, and so is one of later', async () => {
    proves('timestamp-forged')
    const stamped = await complete(await serve())
    const [token] = readUnsignedValues(
      readSignedData(stamped).signers[0] as never,
      '1.2.840.113549.1.9.16.2.14',
    )
    const other = await prepareSignature({ content, certificate: signer.der })
    const plain = await completeSignature(other, await signDigest(signer, other, 'P-256'))
    const moved = addSignatureTimestamp(plain, token ?? new Uint8Array())
    const given = { ...trust(), intermediates: [authorities.intermediate.certificate] }
    expect(await verdict(verifyCmsSignature({ ...given, signature: moved }))).toBe(
      'timestamp-invalid',
    )
    expect(
      await verdict(
        verifyCmsSignature({ ...given, signature: stamped, now: Date.now() - oneDayMs }),
      ),
    ).toBe('timestamp-invalid')
  })

  test('of a service that is not trusted is refused', async () => {
    proves('timestamp-forged')
    const stamped = await complete(await serve())
    const timestampRoots = [authorities.root.certificate]
    expect(
      await verdict(verifyCmsSignature({ ...trust(), timestampRoots, signature: stamped })),
    ).toBe('timestamp-invalid')
  })

  test('of more than 64 KiB is not read', async () => {
    proves('timestamp-forged')
    const stamped = await complete(await serve())
    const signature = addSignatureTimestamp(stamped, encode(tags.octets, new Uint8Array(65_536)))
    const error = await verifyCmsSignature({ ...trust(), signature }).catch((thrown) => thrown)
    expect(error.message).toBe('Cannot accept the timestamp: it is longer than 65536 bytes')
  })

  test('has at most five, of which the first counts', async () => {
    const stamped = await complete(await serve())
    const [token = new Uint8Array()] = readUnsignedValues(
      readSignedData(stamped).signers[0] as never,
      '1.2.840.113549.1.9.16.2.14',
    )
    const add = (cms: Uint8Array, times: number): Uint8Array =>
      times === 0 ? cms : add(addSignatureTimestamp(cms, token), times - 1)
    const verify = (cms: Uint8Array) => verdict(verifyCmsSignature({ ...trust(), signature: cms }))
    expect(await verify(add(stamped, 4))).toBe('accepted')
    expect(await verify(add(stamped, 5))).toBe('signature-malformed')
  })
})

describe('revocation of a signature with a timestamp', () => {
  const minuteMs = 60_000
  /** Statuses of the certificates of the signer's path by their subjects; that of the service is good. */
  const checker = (
    statuses: Readonly<Record<string, RevocationResult>>,
    onUnknown: RevocationChecker['onUnknown'] = 'refuse',
  ): RevocationChecker => ({
    onUnknown,
    async check(path) {
      const severity = ['revoked', 'unknown', 'good']
      const results = path.slice(0, -1).map((der): RevocationResult => {
        const { subject } = new X509Certificate(der)
        const [, name = ''] = /CN=([^\n]*)/.exec(subject) ?? []
        return statuses[name] ?? { status: 'good' }
      })
      const [worst] = results.toSorted(
        (one, other) => severity.indexOf(one.status) - severity.indexOf(other.status),
      )
      return worst ?? { status: 'good' }
    },
  })
  const at = (ms: number): RevocationResult => ({
    status: 'revoked',
    revokedAt: new Date(Date.now() + ms),
  })
  const [before, after] = [at(-60 * minuteMs), at(60 * minuteMs)]
  const unknown: RevocationResult = { status: 'unknown' }

  test.each<[string, string, Readonly<Record<string, RevocationResult>>]>([
    ['of no authority', 'accepted', {}],
    ['of the signer before', 'certificate-revoked', { 'An Vermeer': before }],
    [
      'of the signer at a time that is not known',
      'certificate-revoked',
      { 'An Vermeer': { status: 'revoked' } },
    ],
    ['of the signer after', 'accepted', { 'An Vermeer': after }],
    ['of the authority before', 'certificate-revoked', { Citizens: before }],
    [
      'of the signer after, and of the authority before',
      'certificate-revoked',
      { 'An Vermeer': after, Citizens: before },
    ],
    [
      'of the signer after, and of an authority that is unknown',
      'revocation-unknown',
      { 'An Vermeer': after, Citizens: unknown },
    ],
    ['of the service', 'timestamp-invalid', { Clock: before }],
    ['of the service after', 'timestamp-invalid', { Clock: after }],
  ])('%s: %s', async (_, expected, statuses) => {
    proves('revocation-unchecked')
    const signature = await complete(await serve())
    const revocation = checker(statuses)
    expect(await verdict(verifyCmsSignature({ ...trust(), signature, revocation }))).toBe(expected)
  })

  test('without roots of timestamps, one that was revoked after is refused', async () => {
    proves('revocation-unchecked')
    const signature = await complete(await serve())
    const { timestampRoots: _, ...given } = trust()
    const revocation = checker({ 'An Vermeer': after })
    expect(await verdict(verifyCmsSignature({ ...given, signature, revocation }))).toBe(
      'certificate-revoked',
    )
  })
})
