/** PINs and signatures of the cards in the readers: the same operations for every module. */

import * as z from 'zod/mini'
import { authenticationToken } from './authentication.ts'
import { cardInReader, inReader, keyProblems } from './card-token.ts'
import { data, operation } from './operation.ts'

const maxDataBytes = 65_536
const tooLong = 'expected at most 64 KiB as base64'
const base64 = (description: string) =>
  z.string().check(
    z.maxLength(Math.ceil(maxDataBytes / 3) * 4, tooLong),
    z.refine((text) => countBytes(text) <= maxDataBytes, tooLong),
    z.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'expected base64'),
    z.describe(description),
  )

/** Of what the base64 stands for. */
const countBytes = (text: string) =>
  (text.length / 4) * 3 - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)

const pinProblems = [
  ...keyProblems,
  'dialog-unavailable',
  'pin-busy',
  'pin-wrong',
  'pin-blocked',
  'pin-cancelled',
  'pin-timeout',
  'pin-invalid',
] as const

/** What legacy clients send beside; it changes nothing. */
const accepted = {
  pace: z.optional(z.nullable(z.string().check(z.maxLength(1000)))),
  osDialog: z.optional(z.nullable(z.boolean())),
  txId: z.optional(z.nullable(z.string().check(z.maxLength(1000)))),
  base64Encoded: z.optional(z.nullable(z.boolean())),
}
const pagePin = z.optional(
  z.nullable(
    z
      .string()
      .check(
        z.maxLength(1000),
        z.describe(
          'Encrypted with the device key (RSAES-PKCS1-v1_5, base64), or plain. Used only with the grant page-pin; without it, a dialog asks the user',
        ),
      ),
  ),
)
const dialog = {
  ...accepted,
  pin: pagePin,
  id: z.optional(z.nullable(z.string().check(z.maxLength(64), z.describe('The key')))),
  language: z.optional(
    z.nullable(
      z.string().check(z.maxLength(35), z.describe('The language of the dialog (BCP 47)')),
    ),
  ),
  timeout: z.optional(
    z.nullable(
      z.number().check(z.describe('How many seconds the user has, 10 to 180; default: 120')),
    ),
  ),
}

/** Of an operation that verifies a PIN, and no more. */
export const pinVerification = {
  method: 'POST',
  summary: 'Ask the user for the PIN and verify it',
  body: { type: 'json', schema: z.object(dialog), optional: true },
  reply: data(z.object({ verified: z.boolean() })),
  problems: pinProblems,
} as const

export const verifyCardPin = operation({
  ...cardInReader,
  ...pinVerification,
  name: 'verifyCardPin',
  path: `${inReader}/verify-pin`,
  description:
    'The connector forgets the PIN immediately, and asks for it again before a signature.',
})

const algorithm = z
  .string()
  .check(
    z.maxLength(16),
    z.describe(
      'sha1, sha256, sha384 or sha512, upper or lower case, with or without a hyphen. It ends with -pss for RSASSA-PSS, if supported-algorithms lists it',
    ),
  )
const digestToSign = {
  ...dialog,
  algorithm,
  data: base64('The digest, as base64'),
  format: z.optional(
    z
      .enum(['raw', 'der'])
      .check(
        z.describe(
          'The form of an ECDSA signature: r and s concatenated (raw), or ECDSA-Sig-Value (RFC 3279); default: raw',
        ),
      ),
  ),
}

const signing = {
  ...cardInReader,
  method: 'POST',
  reply: data(z.object({ data: z.string().check(z.describe('The signature, as base64')) })),
  problems: [...pinProblems, 'grant-missing'],
} as const

const needsGrant =
  'If the certificate of the key allows authentication, this needs the grant raw-authenticate, because someone could impersonate the user elsewhere with the signature.'

export const authenticateWithCard = operation({
  ...signing,
  name: 'authenticateWithCard',
  path: `${inReader}/authenticate`,
  summary: 'Sign a digest with the authentication key',
  description:
    'Needs the grant raw-authenticate, because a page that can get any digest signed could impersonate the user elsewhere.',
  body: { type: 'json', schema: z.object(digestToSign) },
})

const bulk = z.looseObject({
  bulk: z.optional(
    z
      .string()
      .check(
        z.maxLength(16),
        z.describe(
          'true, with the grant bulk: further signatures of this page with this key need no dialog, for 60 seconds after each signature, up to 100 in total',
        ),
      ),
  ),
})

export const signWithCard = operation({
  ...signing,
  name: 'signWithCard',
  path: `${inReader}/sign`,
  summary: 'Sign a digest',
  description: needsGrant,
  query: bulk,
  body: { type: 'json', schema: z.object(digestToSign) },
})

export const signDataWithCard = operation({
  ...signing,
  name: 'signDataWithCard',
  path: `${inReader}/sign_raw`,
  summary: 'Sign data of at most 64 KiB',
  description: needsGrant,
  query: bulk,
  body: {
    type: 'json',
    schema: z.object({ ...digestToSign, data: base64('What is signed, as base64') }),
  },
})

/** Bytes of SHA-512, as base64. */
const maxDigestLength = 88

export const signDigestsWithCard = operation({
  ...signing,
  name: 'signDigestsWithCard',
  path: `${inReader}/signatures`,
  summary: 'Sign several digests with one dialog, which says how many',
  description: needsGrant,
  body: {
    type: 'json',
    schema: z.object({
      digests: z
        .array(base64('A digest, as base64').check(z.maxLength(maxDigestLength)))
        .check(z.minLength(1), z.maxLength(100)),
      algorithm,
      id: dialog.id,
      format: digestToSign.format,
      language: dialog.language,
      timeout: dialog.timeout,
    }),
  },
  reply: data(
    z.object({
      signatures: z.array(z.string()).check(z.describe('As base64, in the order of the digests')),
    }),
  ),
})

export const validateCardSignature = operation({
  ...cardInReader,
  name: 'validateCardSignature',
  method: 'POST',
  path: `${inReader}/validate`,
  summary: 'Verify the signature of a digest with a certificate of the card',
  description: 'The connector asks for no PIN, and the card signs nothing.',
  body: {
    type: 'json',
    schema: z.object({
      ...dialog,
      algorithm,
      hash: base64('The digest, as base64'),
      signedHash: base64(
        'The signature, as base64: PKCS #1 v1.5 for an RSA key; for an elliptic curve, r and s concatenated, or ECDSA-Sig-Value',
      ),
    }),
  },
  reply: data(z.object({ valid: z.boolean() })),
  problems: keyProblems,
})

export const createAuthenticationToken = operation({
  ...cardInReader,
  name: 'createAuthenticationToken',
  method: 'POST',
  path: `${inReader}/authentication-token`,
  summary: 'Sign the user in to the page: get a token that its back end verifies',
  description:
    'The token of Web eID. The connector signs the hashes of the origin that it saw and of the nonce, so no one else can use the token.',
  body: {
    type: 'json',
    schema: z.object({
      nonce: z
        .string()
        .check(
          z.minLength(44),
          z.maxLength(128),
          z.describe('From the back end, for this session only: 32 random bytes in base64'),
        ),
      language: dialog.language,
      timeout: dialog.timeout,
    }),
  },
  reply: data(authenticationToken),
  problems: [...pinProblems, 'page-unnamed'],
})
