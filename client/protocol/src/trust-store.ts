/** Certificates and keys that the system keeps for the user, on Windows: the module truststore of legacy clients. */
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
    z.describe('The SHA-256 of the certificate, as in the lists'),
  )

const filter = z.string().check(z.maxLength(1000))

export const listStoreCertificates = operation({
  ...trustStoreOperation,
  name: 'listStoreCertificates',
  method: 'GET',
  path: `${place}/certs-list`,
  summary: 'List the certificates of the store, by purpose',
  description: 'Purposes without a certificate are left out.',
  // Legacy clients also send them as `0=…&1=…` and as `filters[]=…`.
  query: z.looseObject({
    filter: z.optional(
      z.union([
        filter.check(z.describe('Members of the response, separated by commas')),
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
  summary: 'List the root CA certificates',
})
export const listStoreIntermediates = operation({
  ...of,
  name: 'listStoreIntermediates',
  path: `${place}/certs-intermediate`,
  summary: 'List the intermediate CA certificates',
})
export const listStoreAuthentication = operation({
  ...of,
  name: 'listStoreAuthentication',
  path: `${place}/certs-authentication`,
  summary: 'List the user’s authentication certificates',
})
export const listStoreNonRepudiation = operation({
  ...of,
  name: 'listStoreNonRepudiation',
  path: `${place}/certs-non-repudiation`,
  summary: 'List the user’s signature certificates',
})
export const listStoreEncryption = operation({
  ...of,
  name: 'listStoreEncryption',
  path: `${place}/certs-encryption`,
  summary: 'List the user’s encryption certificates',
})

export const getStoreCertificate = operation({
  ...trustStoreOperation,
  name: 'getStoreCertificate',
  method: 'POST',
  path: `${place}/certs`,
  summary: 'Get a certificate of the store',
  body: { type: 'json', schema: z.object({ id: certificateId }) },
  reply: data(CardCertificate),
  problems: keyProblems,
})

export const listStoreAlgorithms = operation({
  ...trustStoreOperation,
  name: 'listStoreAlgorithms',
  method: 'GET',
  path: `${place}/certs/{id}/supported-algorithms`,
  summary: 'List the hash algorithms that the key of a certificate signs with, best first',
  params: z.object({ id: certificateId }),
  reply: data(z.object({ ref: z.array(z.string()) })),
  problems: keyProblems,
})

/** A PIN is accepted, and goes nowhere: Windows asks for it itself where a key has one. */
const dialog = {
  pin: z.optional(z.nullable(z.string().check(z.maxLength(1000)))),
  osDialog: z.optional(z.nullable(z.boolean())),
  timeout: z.optional(
    z.nullable(
      z.number().check(z.describe('How many seconds the user has, 10 to 180; default: 120')),
    ),
  ),
  language: z.optional(
    z.nullable(
      z.string().check(z.maxLength(35), z.describe('The language of the dialog (BCP 47)')),
    ),
  ),
  certId: z.optional(
    z.nullable(
      certificateId.check(z.describe('Default: the user’s only certificate for this purpose')),
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
  summary: 'Ask the user, and check whether the key of a certificate works',
  description: 'The connector asks again before a signature.',
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
          z.describe('A digest, as base64; its length determines the hash algorithm'),
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
  summary: 'Sign a digest with an authentication key',
  description:
    'Needs the grant raw-authenticate, because a page that can get any digest signed could impersonate the user elsewhere.',
})

export const signWithStore = operation({
  ...signing,
  name: 'signWithStore',
  path: `${place}/sign`,
  summary: 'Sign a digest',
  description:
    'The connector asks the user each time. If the key can also authenticate, this needs the grant raw-authenticate.',
  // Accepted, and without effect: nothing is kept.
  query: z.looseObject({ bulk: z.optional(z.string().check(z.maxLength(16))) }),
})

export const resetStorePin = operation({
  ...trustStoreOperation,
  name: 'resetStorePin',
  method: 'POST',
  path: `${place}/reset-bulk-pin`,
  summary: 'Does nothing, for legacy clients: the connector keeps no PIN',
  reply: data(z.boolean()),
  problems: ['card-unsupported'],
})
