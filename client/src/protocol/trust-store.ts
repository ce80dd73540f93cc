/** Certificates and keys that the system keeps for the user, on Windows: the module truststore of deployed clients. */
import * as z from 'zod/mini'
import { CardCertificate, CertificateAnswer, CertificateList } from './card-token.ts'
import { data, operation } from './operation.ts'

const place = '/v3/modules/truststore'
const trustStoreOperation = { tag: 'Trust store', access: 'consented' } as const
const storeProblems = ['card-unsupported', 'store-unavailable'] as const
const keyProblems = [...storeProblems, 'key-unknown', 'key-unsupported'] as const

const certificateId = z
  .string()
  .check(
    z.regex(/^[0-9A-Fa-f]{64}$/, 'expected the id of a certificate: 64 hex digits'),
    z.describe('SHA-256 over the certificate, as the lists name it'),
  )

const filter = z.string().check(z.maxLength(1000))

export const listStoreCertificates = operation({
  ...trustStoreOperation,
  name: 'listStoreCertificates',
  method: 'GET',
  path: `${place}/certs-list`,
  summary: 'The certificates of the store, by what they are for',
  description: 'What there is none of is left out.',
  // Deployed clients also send them as `0=…&1=…` and as `filters[]=…`.
  query: z.looseObject({
    filter: z.optional(
      z.union([
        filter.check(z.describe('Members of the answer, separated by commas')),
        z.array(filter).check(z.maxLength(100)),
      ]),
    ),
  }),
  reply: data(CertificateList),
  problems: storeProblems,
})

const of = {
  ...trustStoreOperation,
  method: 'GET',
  reply: data(z.union([CertificateAnswer, z.object({ certificates: z.array(CardCertificate) })])),
  problems: storeProblems,
} as const

export const listStoreRoots = operation({
  ...of,
  name: 'listStoreRoots',
  path: `${place}/certs-root`,
  summary: 'The certificates of root authorities',
})
export const listStoreIntermediates = operation({
  ...of,
  name: 'listStoreIntermediates',
  path: `${place}/certs-intermediate`,
  summary: 'The certificates of the authorities between',
})
export const listStoreAuthentication = operation({
  ...of,
  name: 'listStoreAuthentication',
  path: `${place}/certs-authentication`,
  summary: 'The certificates of the user to authenticate with',
})
export const listStoreNonRepudiation = operation({
  ...of,
  name: 'listStoreNonRepudiation',
  path: `${place}/certs-non-repudiation`,
  summary: 'The certificates of the user to sign with',
})
export const listStoreEncryption = operation({
  ...of,
  name: 'listStoreEncryption',
  path: `${place}/certs-encryption`,
  summary: 'The certificates of the user to encrypt with',
})

export const getStoreCertificate = operation({
  ...trustStoreOperation,
  name: 'getStoreCertificate',
  method: 'POST',
  path: `${place}/certs`,
  summary: 'One certificate of the store',
  body: { type: 'json', schema: z.object({ id: certificateId }) },
  reply: data(CardCertificate),
  problems: keyProblems,
})

export const listStoreAlgorithms = operation({
  ...trustStoreOperation,
  name: 'listStoreAlgorithms',
  method: 'GET',
  path: `${place}/certs/{id}/supported-algorithms`,
  summary: 'The hash algorithms that the key of a certificate signs with, best first',
  params: z.object({ id: certificateId }),
  reply: data(z.object({ ref: z.array(z.string()) })),
  problems: keyProblems,
})

/** A PIN is accepted, and goes nowhere: Windows asks for it itself where a key has one. */
const dialog = {
  pin: z.optional(z.nullable(z.string().check(z.maxLength(1000)))),
  osDialog: z.optional(z.nullable(z.boolean())),
  timeout: z.optional(
    z.nullable(z.number().check(z.describe('Seconds for the user, 10 to 180; 120 when absent'))),
  ),
  language: z.optional(
    z.nullable(z.string().check(z.maxLength(35), z.describe('Of the dialog, as BCP 47 has it'))),
  ),
  certId: z.optional(
    z.nullable(
      certificateId.check(z.describe('Absent: the only one of the user for this purpose')),
    ),
  ),
}
const askProblems = [
  ...keyProblems,
  'dialog-unavailable',
  'pin-busy',
  'pin-cancelled',
  'pin-timeout',
] as const

export const verifyStorePin = operation({
  ...trustStoreOperation,
  name: 'verifyStorePin',
  method: 'POST',
  path: `${place}/verify-pin`,
  summary: 'Ask the user, and see whether the key of a certificate can be used',
  description: 'A signature asks again.',
  body: { type: 'json', schema: z.object(dialog), optional: true },
  reply: data(z.boolean()),
  problems: askProblems,
})

/** Bytes of SHA-512, as base64. */
const maxDigestLength = 88
const signing = {
  ...trustStoreOperation,
  method: 'POST',
  body: {
    type: 'json',
    schema: z.object({
      ...dialog,
      data: z
        .string()
        .check(
          z.maxLength(maxDigestLength),
          z.regex(/^[A-Za-z0-9+/]+={0,2}$/, 'expected base64'),
          z.describe('A digest, as base64: its length says which hash it is of'),
        ),
    }),
  },
  reply: data(z.object({ data: z.string().check(z.describe('The signature, as base64')) })),
  problems: [...askProblems, 'grant-missing'],
} as const

export const authenticateWithStore = operation({
  ...signing,
  name: 'authenticateWithStore',
  path: `${place}/authenticate`,
  summary: 'Sign a digest with a key to authenticate with',
  description:
    'Needs the grant raw-authenticate: a page that has any digest signed could pass for the user elsewhere.',
})

export const signWithStore = operation({
  ...signing,
  name: 'signWithStore',
  path: `${place}/sign`,
  summary: 'Sign a digest',
  description:
    'The user is asked each time. A key that can authenticate, too, needs the grant raw-authenticate.',
  // Accepted, and without effect: nothing is kept.
  query: z.looseObject({ bulk: z.optional(z.string().check(z.maxLength(16))) }),
})

export const resetStorePin = operation({
  ...trustStoreOperation,
  name: 'resetStorePin',
  method: 'POST',
  path: `${place}/reset-bulk-pin`,
  summary: 'For deployed clients: nothing is kept',
  reply: data(z.boolean()),
  problems: ['card-unsupported'],
})
