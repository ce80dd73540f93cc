/** Payment cards: their applications, data and public keys; the family of legacy clients for emv and crelan. */
import * as z from 'zod/mini'
import { pinVerification } from './card-signing.ts'
import { cardProblems } from './card-token.ts'
import { data, operation } from './operation.ts'

const base = '/v3/modules/{module}/apps/payment'
const text = z.string()
const module = z.string().check(z.describe('emv, or the name that legacy clients use for it'))
const reader = z.string().check(z.describe('The id of the reader'))
const aid = z
  .string()
  .check(
    z.regex(/^(?:[0-9A-Fa-f]{2}){5,16}$/, 'expected an application: 5 to 16 bytes as hex digits'),
    z.describe('The application, as hex: one that the card lists or that is well known'),
  )

const paymentOperation = {
  tag: 'Payment cards',
  access: 'consented',
  method: 'GET',
  problems: [...cardProblems, 'key-unknown', 'too-many-requests'],
} as const

export const PaymentApplications = z.object({
  applications: z.array(
    z.object({
      aid: text.check(z.describe('Upper-case hex')),
      name: text,
      priority: z.int().check(z.describe('1 is the highest; 0: the card has no order')),
    }),
  ),
})
export type PaymentApplications = z.output<typeof PaymentApplications>

/** What the card does not have is an empty text. */
export const PaymentData = z.object({
  country: text.check(z.describe('The country of the issuer, two letters')),
  countryCode: text.check(z.describe('The country of the issuer, three digits')),
  effectiveDate: text.check(z.describe('YYMMDD')),
  expirationDate: text.check(z.describe('YYMMDD')),
  language: text.check(z.describe('Two letters each, the preferred one first')),
  name: text,
  pan: text.check(z.describe('The card number; without the grant pan, its last four digits')),
})
export type PaymentData = z.output<typeof PaymentData>

const base64 = z.string().check(z.describe('As base64'))
const keyParts = { certificate: base64, exponent: base64, remainder: base64 }
export type PaymentKeyParts = { readonly [P in keyof typeof keyParts]: string }
export const PaymentKeyAnswer = z.object({
  ...keyParts,
  certificateType: text,
  id: text,
  certificates: z.array(z.object({ ...keyParts, certificateType: text, id: text })),
})
export type PaymentKeyAnswer = z.output<typeof PaymentKeyAnswer>

export const PaymentKeyList = z.object({
  issuerPublicCertificate: z.optional(PaymentKeyAnswer),
  ICCPublicCertificate: z.optional(PaymentKeyAnswer),
})
export type PaymentKeyList = z.output<typeof PaymentKeyList>

export const listPaymentApplications = operation({
  ...paymentOperation,
  name: 'listPaymentApplications',
  path: `${base}/readers/{reader}/data`,
  params: z.object({ module, reader }),
  summary: 'List the applications of a payment card',
  reply: data(PaymentApplications),
})

export const getPaymentData = operation({
  ...paymentOperation,
  name: 'getPaymentData',
  path: `${base}/readers/{reader}/application-data`,
  params: z.object({ module, reader }),
  summary: 'Read the name, number and dates of a payment card',
  description:
    'The connector asks the user once for each origin and module. You get the full number only with the grant pan.',
  reply: data(PaymentData),
  problems: [...paymentOperation.problems, 'identity-refused', 'dialog-unavailable', 'pin-busy'],
})

export const verifyPaymentPin = operation({
  ...paymentOperation,
  ...pinVerification,
  name: 'verifyPaymentPin',
  path: `${base}/readers/{reader}/verify-pin`,
  params: z.object({ module, reader }),
  description:
    'The first application of the card verifies the PIN, and the card is then reset. If a card accepts only enciphered PINs, or none, you get card-unsupported.',
  problems: [...pinVerification.problems, 'too-many-requests'],
})

const forget = {
  ...paymentOperation,
  path: `${base}/reset-bulk-pin`,
  params: z.object({ module }),
  reply: data(z.boolean()),
  problems: ['card-unsupported'],
} as const
export const resetPaymentBulkPin = operation({
  ...forget,
  name: 'resetPaymentBulkPin',
  method: 'POST',
  summary: 'Does nothing, for legacy clients: the connector keeps no PIN of a payment card',
})
export const resetPaymentBulkPinByGet = operation({
  ...forget,
  name: 'resetPaymentBulkPinByGet',
  summary: 'Does nothing, for legacy clients',
})

/** Legacy clients also send lists as `0=…&1=…`. */
const query = z.looseObject({ filter: z.optional(z.string().check(z.maxLength(1000))) })
const iccDescription =
  'The public key of the card contains the card number, so reading it needs the grant pan.'

export const listPaymentCertificates = operation({
  ...paymentOperation,
  name: 'listPaymentCertificates',
  path: `${base}/{aid}/readers/{reader}/cert-list`,
  params: z.object({ module, aid, reader }),
  query,
  summary: 'Read the public keys of a payment card application',
  description: iccDescription,
  reply: data(PaymentKeyList),
})
export const getIssuerPublicCertificate = operation({
  ...paymentOperation,
  name: 'getIssuerPublicCertificate',
  path: `${base}/{aid}/readers/{reader}/issuer-cert`,
  params: z.object({ module, aid, reader }),
  summary: 'Read the public key of a payment card’s issuer',
  reply: data(PaymentKeyAnswer),
})
export const getIccPublicCertificate = operation({
  ...paymentOperation,
  name: 'getIccPublicCertificate',
  path: `${base}/{aid}/readers/{reader}/icc-cert`,
  params: z.object({ module, aid, reader }),
  summary: 'Read the public key of a payment card',
  description: iccDescription,
  reply: data(PaymentKeyAnswer),
  problems: [...paymentOperation.problems, 'grant-missing'],
})

const anyReader = {
  ...paymentOperation,
  params: z.object({ module, aid }),
  description:
    'Uses the only reader with a card. Legacy clients for crelan do not name the reader.',
} as const
export const listPaymentCertificatesAnywhere = operation({
  ...anyReader,
  name: 'listPaymentCertificatesAnywhere',
  path: `${base}/{aid}/cert-list`,
  query,
  summary: 'Read the public keys, without naming a reader',
  reply: data(PaymentKeyList),
})
export const getIssuerPublicCertificateAnywhere = operation({
  ...anyReader,
  name: 'getIssuerPublicCertificateAnywhere',
  path: `${base}/{aid}/issuer-cert`,
  summary: 'Read the public key of the issuer, without naming a reader',
  reply: data(PaymentKeyAnswer),
})
export const getIccPublicCertificateAnywhere = operation({
  ...anyReader,
  name: 'getIccPublicCertificateAnywhere',
  path: `${base}/{aid}/icc-cert`,
  summary: 'Read the public key of a payment card, without naming a reader',
  reply: data(PaymentKeyAnswer),
  problems: [...paymentOperation.problems, 'grant-missing'],
})
