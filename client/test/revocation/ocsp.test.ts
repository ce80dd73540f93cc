/** What OCSP responses say, and who may sign them: openssl's responder, and hostile ones. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { Holder } from '../harness/authority.ts'
import { type Entry, makeList, makeRequest, respond } from '../harness/revocation-authority.ts'
import {
  type CheckOptions,
  day,
  type Handler,
  type RevocationServer,
  responderExtensions,
  revoked,
  startRevocationServer,
  summarize,
  valid,
} from '../harness/revocation-server.ts'

const noCheck = 'noCheck=ignored'

let bed: RevocationServer
let user: Holder
let neighbour: Holder
let responder: Holder
let rsaResponder: Holder
let weakResponder: Holder
let foreignResponder: Holder
let indirectResponder: Holder
let expiredResponder: Holder
let keyAgreement: Holder
let strangeResponder: Holder
let silentResponder: Holder
let listedResponder: Holder
let earlierAnswer: Buffer
let keptAnswer: Buffer
let sha256Answer: Buffer
let neighboursAnswer: Buffer
let otherIssuersAnswer: Buffer

const ocsp =
  (...args: Parameters<RevocationServer['ocsp']>): Handler =>
  (body, response) =>
    bed.ocsp(...args)(body, response)

beforeAll(async () => {
  bed = await startRevocationServer()
  const { ocspAt, listAt, makeUser, makeResponder, root, other } = bed
  ;[user, neighbour] = await Promise.all([makeUser([ocspAt('/ocsp')]), makeUser([ocspAt('/ocsp')])])
  ;[
    responder,
    rsaResponder,
    weakResponder,
    foreignResponder,
    expiredResponder,
    keyAgreement,
    strangeResponder,
    silentResponder,
    listedResponder,
  ] = await Promise.all([
    makeResponder([...responderExtensions, noCheck]),
    makeResponder([...responderExtensions, noCheck], {
      key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
    }),
    makeResponder([...responderExtensions, noCheck], {
      key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'],
    }),
    makeResponder([...responderExtensions, noCheck], { issuer: other }),
    makeResponder([...responderExtensions, noCheck], { notAfter: '20260101000000Z' }),
    makeResponder(['keyUsage=critical,keyAgreement', 'extendedKeyUsage=OCSPSigning', noCheck]),
    makeResponder([...responderExtensions, noCheck, '1.2.3.4=critical,ASN1:NULL']),
    makeResponder(responderExtensions),
    makeResponder([...responderExtensions, listAt('/responders')]),
  ])
  indirectResponder = await makeResponder([...responderExtensions, noCheck], {
    issuer: responder,
  })
  const entries = [valid(user), valid(neighbour)]
  const answer = async (holder: Holder, issuer = root, args: readonly string[] = []) =>
    respond(await makeRequest(issuer, holder, args), { issuer, entries, signer: root })
  await bed.check([user, bed.root], {
    '/ocsp': async (request) => {
      earlierAnswer = await respond(request, { issuer: root, entries })
      return earlierAnswer
    },
  })
  keptAnswer = await answer(user)
  neighboursAnswer = await answer(neighbour)
  otherIssuersAnswer = await answer(user, other)
  sha256Answer = await answer(user, root, ['-sha256'])
})

afterAll(() => bed.close())

test.each<[string, string, Handler, CheckOptions?]>([
  ['of a valid certificate', 'good ocsp', ocsp(() => [valid(user)])],
  ['of a revoked certificate', 'revoked ocsp', ocsp(() => [revoked(user)])],
  [
    'without a next update',
    'good ocsp',
    ocsp(
      () => [valid(user)],
      () => ({ args: [] }),
    ),
  ],
  [
    'signed with RSA',
    'good ocsp',
    ocsp(
      () => [valid(user)],
      () => ({ signer: rsaResponder }),
    ),
  ],
  [
    'signed with RSA of 1024 bits',
    'unknown certificate: OCSP HOST: its signer is not the issuer, nor authorized by it',
    ocsp(
      () => [valid(user)],
      () => ({ signer: weakResponder }),
    ),
  ],
  ['with the hash SHA-256 in its certID', 'good ocsp', async () => sha256Answer],
  [
    'of a certificate that its responder does not know',
    'unknown certificate: OCSP HOST: the responder does not know the certificate',
    ocsp(() => []),
  ],
  [
    'that expired',
    'unknown certificate: OCSP HOST: it has expired',
    ocsp(
      () => [valid(user)],
      () => ({ args: ['-nmin', '1'] }),
    ),
    { at: Date.now() + day, clock: () => Date.now() + day },
  ],
  [
    'without a next update, of yesterday',
    'unknown certificate: OCSP HOST: it has expired',
    ocsp(
      () => [valid(user)],
      () => ({ args: [] }),
    ),
    { at: Date.now() + day, clock: () => Date.now() + day },
  ],
  [
    'of the future',
    'unknown certificate: OCSP HOST: it is of the future',
    ocsp(() => [valid(user)]),
    { at: Date.now() - day, clock: () => Date.now() - day },
  ],
  [
    'within the tolerance of clocks',
    'good ocsp',
    ocsp(() => [valid(user)]),
    { at: Date.now() - 240_000, clock: () => Date.now() - 240_000 },
  ],
  [
    'signed by another CA with the same name',
    'unknown certificate: OCSP HOST: its signer is not the issuer, nor authorized by it',
    ocsp(
      () => [valid(user)],
      () => ({ signer: bed.other }),
    ),
  ],
  [
    'signed by another user of the CA',
    'unknown certificate: OCSP HOST: its responder is not authorized for OCSP',
    ocsp(
      () => [valid(user)],
      () => ({ signer: neighbour }),
    ),
  ],
  [
    'signed by an authorized responder',
    'good ocsp',
    ocsp(
      () => [valid(user)],
      () => ({ signer: responder }),
    ),
  ],
  [
    'signed by an authorized responder that is named by its key',
    'revoked ocsp',
    ocsp(
      () => [revoked(user)],
      () => ({ signer: responder, args: ['-nmin', '60', '-resp_key_id'] }),
    ),
  ],
  [
    'signed by an authorized responder, without its certificate',
    'unknown certificate: OCSP HOST: its signer is not the issuer, nor authorized by it',
    ocsp(
      () => [valid(user)],
      () => ({ signer: responder, args: ['-nmin', '60', '-resp_no_certs'] }),
    ),
  ],
  [
    'signed by a responder of another CA with the same name',
    'unknown certificate: OCSP HOST: its signer is not the issuer, nor authorized by it',
    ocsp(
      () => [valid(user)],
      () => ({ signer: foreignResponder }),
    ),
  ],
  [
    'signed by a responder below one that is authorized',
    'unknown certificate: OCSP HOST: its signer is not the issuer, nor authorized by it',
    ocsp(
      () => [valid(user)],
      () => ({ signer: indirectResponder }),
    ),
  ],
  [
    'signed by a responder whose certificate expired',
    'unknown certificate: OCSP HOST: the certificate of its responder is not valid at that time',
    ocsp(
      () => [valid(user)],
      () => ({ signer: expiredResponder }),
    ),
  ],
  [
    'signed by a responder whose key is not for signatures',
    'unknown certificate: OCSP HOST: the key of its responder is not for signatures',
    ocsp(
      () => [valid(user)],
      () => ({ signer: keyAgreement }),
    ),
  ],
  [
    'signed by a responder with an unknown critical extension',
    'unknown certificate: OCSP HOST: its responder is not authorized for OCSP',
    ocsp(
      () => [valid(user)],
      () => ({ signer: strangeResponder }),
    ),
  ],
  [
    'signed by a responder whose own status nothing tells',
    "unknown certificate: OCSP HOST: its responder's own status is unknown: it names neither a responder nor a list",
    ocsp(
      () => [valid(user)],
      () => ({ signer: silentResponder }),
    ),
  ],
  [
    'signed with SHA-1',
    'unknown certificate: OCSP HOST: its signer is not the issuer, nor authorized by it',
    ocsp(
      () => [valid(user)],
      () => ({ args: ['-nmin', '60', '-rmd', 'sha1'] }),
    ),
  ],
  [
    'with the nonce of another request',
    'unknown certificate: OCSP HOST: it has the nonce of another request',
    async () => earlierAnswer,
  ],
  ['without a nonce', 'good ocsp', async () => keptAnswer],
  [
    'without a nonce, where one is required',
    'unknown certificate: OCSP HOST: it has no nonce',
    async () => keptAnswer,
    { requireNonce: true },
  ],
  [
    'about another certificate',
    'unknown certificate: OCSP HOST: it is about another certificate',
    async () => neighboursAnswer,
  ],
  [
    'of another CA about the same serial number',
    'unknown certificate: OCSP HOST: it is about another certificate',
    async () => otherIssuersAnswer,
  ],
  [
    'with a changed byte',
    'unknown certificate: OCSP HOST: its signer is not the issuer, nor authorized by it',
    async (request) => {
      const answer = await respond(request, {
        issuer: bed.root,
        entries: [valid(user)],
        args: ['-nmin', '60', '-badsig'],
      })
      return answer
    },
  ],
])('a response %s: %s', async (_, expected, handler, options) => {
  proves('revocation-forged')
  expect(summarize(await bed.check([user, bed.root], { '/ocsp': handler }, options))).toBe(expected)
})

test('a revoked certificate comes with the time, the reason and the times of the answer', async () => {
  proves('revocation-unchecked')
  const { thisUpdate, nextUpdate, ...rest } = await bed.check([user, bed.root], {
    '/ocsp': ocsp(() => [revoked(user)]),
  })
  expect(rest).toEqual({
    status: 'revoked',
    source: 'ocsp',
    revokedAt: new Date('2026-01-02T03:04:05Z'),
    reason: 'keyCompromise',
  })
  expect(Number(nextUpdate) - Number(thisUpdate)).toBe(3_600_000)
})

test.each<[string, () => readonly Entry[], string]>([
  ['valid', () => [valid(listedResponder)], 'good ocsp'],
  [
    'revoked',
    () => [revoked(listedResponder)],
    'unknown certificate: OCSP HOST: the certificate of its responder was revoked',
  ],
])(
  "a responder's own certificate is looked up in the CA's list: %s",
  async (_, entries, expected) => {
    proves('revocation-forged')
    const result = await bed.check([user, bed.root], {
      '/ocsp': ocsp(
        () => [valid(user)],
        () => ({ signer: listedResponder }),
      ),
      '/responders': () => makeList({ issuer: bed.root, entries: entries() }),
    })
    expect(summarize(result)).toBe(expected)
  },
)
