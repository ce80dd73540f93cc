/** Certificates of the cards in the readers: the same operations for every module. */
import * as z from 'zod/mini'
import { data, operation } from './operation.ts'

const certificateFields = {
  certificate: z.string().check(z.describe('DER as base64')),
  certificateType: z.string().check(z.describe('What its key is for')),
  id: z.string().check(z.describe('The key, for operations that use one; for a CA, its name')),
}

export const CardCertificate = z.object({
  ...certificateFields,
  subject: z.string().check(z.describe('Distinguished name in the form of RFC 4514')),
  issuer: z.string().check(z.describe('Distinguished name in the form of RFC 4514')),
  serialNumber: z.string().check(z.describe('Upper-case hex')),
})
export type CardCertificate = z.output<typeof CardCertificate>

/** `certificates` is what clients from 3.6.0 on read; the first of them stands beside it for those before. */
export const CertificateAnswer = z.object({
  ...certificateFields,
  certificates: z.array(CardCertificate),
})
export type CertificateAnswer = z.output<typeof CertificateAnswer>

const listOf = <S extends z.ZodMiniType>(answer: S) =>
  z.object({
    authenticationCertificate: z.optional(answer),
    nonRepudiationCertificate: z.optional(answer),
    encryptionCertificate: z.optional(answer),
    intermediateCertificates: z.optional(answer),
    rootCertificate: z.optional(answer),
  })
export const CertificateList = listOf(CertificateAnswer)
export type CertificateList = z.output<typeof CertificateList>

/** As clients before 3.6.0 read it. */
export const EarlierCertificateAnswer = z.object({
  ...certificateFields,
  certificates: z.array(z.string()).check(z.describe('DER as base64')),
})
export type EarlierCertificateAnswer = z.output<typeof EarlierCertificateAnswer>
export const EarlierCertificateList = listOf(EarlierCertificateAnswer)
export type EarlierCertificateList = z.output<typeof EarlierCertificateList>

/** The earlier form is for callers whose header `Authorization` has no token: clients up to 3.5.3, and no others, send it so. */
const replyOf = <A extends z.ZodMiniType, B extends z.ZodMiniType>(now: A, earlier: B) =>
  data(z.union([now, earlier]))

const base = '/v3/modules/{module}/apps/token'
export const inReader = `${base}/readers/{reader}` as const
export const cardInReader = {
  tag: 'Cards',
  access: 'consented',
  params: z.object({
    module: z.string().check(z.describe('Its name in the list of readers')),
    reader: z.string().check(z.describe('The id of the reader')),
  }),
} as const

export const cardProblems = [
  'reader-unknown',
  'pcsc-unavailable',
  'card-absent',
  'card-unsupported',
  'card-mute',
  'card-busy',
  'card-changed',
] as const
export const keyProblems = [...cardProblems, 'key-unknown', 'key-unsupported'] as const

const filter = z.string().check(z.maxLength(1000))
const filters = z.array(filter).check(z.maxLength(100))

export const listCardCertificates = operation({
  ...cardInReader,
  name: 'listCardCertificates',
  method: 'GET',
  path: `${inReader}/cert-list`,
  summary: 'Read the certificates of a card, by purpose',
  description: 'Certificates that the card does not have, or that cannot be read, are left out.',
  // Legacy clients also send them as `0=…&1=…` and as `filters[]=…`.
  query: z.looseObject({
    filter: z.optional(
      z.union([filter.check(z.describe('Members of the response, separated by commas')), filters]),
    ),
  }),
  reply: replyOf(CertificateList, EarlierCertificateList),
  problems: cardProblems,
})

const single = {
  ...cardInReader,
  method: 'GET',
  reply: replyOf(CertificateAnswer, EarlierCertificateAnswer),
  problems: keyProblems,
} as const

export const getAuthenticationCertificate = operation({
  ...single,
  name: 'getAuthenticationCertificate',
  path: `${inReader}/authentication-cert`,
  summary: 'Read the authentication certificate',
})

export const getNonRepudiationCertificate = operation({
  ...single,
  name: 'getNonRepudiationCertificate',
  path: `${inReader}/nonrepudiation-cert`,
  summary: 'Read the signature certificate',
})

export const getEncryptionCertificate = operation({
  ...single,
  name: 'getEncryptionCertificate',
  path: `${inReader}/encryption-cert`,
  summary: 'Read the encryption certificate',
})

const chain = {
  ...single,
  description: 'Belgian identity cards have it. PIV cards do not.',
} as const

export const getRootCertificate = operation({
  ...chain,
  name: 'getRootCertificate',
  path: `${inReader}/root-cert`,
  summary: 'Read the root CA certificate',
})

export const getIntermediateCertificates = operation({
  ...chain,
  name: 'getIntermediateCertificates',
  path: `${inReader}/intermediate-certs`,
  summary: 'Read the intermediate CA certificates',
})

export const getIssuerCertificate = operation({
  ...chain,
  name: 'getIssuerCertificate',
  path: `${inReader}/issuer-cert`,
  summary: 'Read the certificate of the issuer',
})

export const listCardAlgorithms = operation({
  ...cardInReader,
  name: 'listCardAlgorithms',
  method: 'GET',
  path: `${inReader}/supported-algorithms`,
  summary: 'List the hash algorithms that the card signs with, best first',
  reply: data(z.object({ ref: z.array(z.string()) })),
  problems: keyProblems,
})

const forget = {
  tag: 'Cards',
  access: 'consented',
  path: `${base}/reset-bulk-pin`,
  params: z.object({ module: z.string() }),
  reply: data(z.boolean()),
  problems: ['card-unsupported'],
} as const

export const resetBulkPin = operation({
  ...forget,
  name: 'resetBulkPin',
  method: 'POST',
  summary: 'Forget the PIN that is kept for more signatures of this page (bulk)',
})

/** Clients from 3.5.0 on ask this way. */
export const resetBulkPinByGet = operation({
  ...forget,
  name: 'resetBulkPinByGet',
  method: 'GET',
  summary: 'Forget the kept PIN, for legacy clients',
})

/** Legacy clients set a library themselves; here the administrator does, and pages learn no paths. */
export const getTokenConfig = operation({
  ...cardInReader,
  name: 'getTokenConfig',
  method: 'GET',
  path: `${base}/config`,
  summary:
    'List the PKCS #11 libraries of the page, which is always empty because the administrator names them',
  params: z.object({ module: cardInReader.params.shape.module }),
  reply: data(z.object({ macos: z.string(), win: z.string(), linux: z.string() })),
  problems: ['card-unsupported'],
})
