/** For back ends: checks the token with which a user authenticated by a card, on Node, Bun, Deno and Workers. */

import { type AuthenticationToken, authenticationToken } from '@cardwire/protocol/authentication'
import { decodeBase64 } from '@cardwire/protocol/base64'
import type { X509Certificate } from '@peculiar/x509'
import { AuthenticationError } from './authentication-error.ts'
import { type AuthenticationOptions, readOptions } from './authentication-options.ts'
import { acceptedUsages, isForAuthentication, parseUserCertificate } from './certificate-path.ts'
import { readSubject, type Subject, toDer } from './certificate-subject.ts'
import type { RevocationFailure, RevocationResult } from './revocation/checker.ts'
import { requireNotRevoked } from './revocation-requirement.ts'
import { type CertificateFailure, requirePath } from './trusted-path.ts'

/** The user who signed in. */
export interface Authentication {
  /** The user's certificate in DER. Use its issuer and serial number to look up the user. */
  readonly certificate: Uint8Array<ArrayBuffer>
  /** From the user's certificate to the root, both included, in DER. */
  readonly path: readonly Uint8Array<ArrayBuffer>[]
  /** The certificate's subject: its attributes by their short names (`CN`, `SN`, `G`, `C`, `serialNumber`…) or object identifiers. */
  readonly subject: Subject
  /** How the card signed, as RFC 7518 names it. */
  readonly algorithm: 'ES256' | 'ES384' | 'RS256'
  /** With the option `revocation`: what the CAs said, at this moment. `unknown` only if the checker accepts that. */
  readonly revocation?: RevocationResult
}

/** Characters that a token of the largest certificates has, in JSON. */
const maxTokenLength = 32_768
/** Bits of an RSA key: fewer can be broken, more only take time. */
const rsaBits = { min: 2048, max: 8192 } as const

const authentication = {
  name: 'authentication',
  isSuitable: isForAuthentication,
  accepted: acceptedUsages.authentication,
} as const

/** What each algorithm is in WebCrypto. */
const algorithms = {
  ES256: { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' },
  ES384: { name: 'ECDSA', hash: 'SHA-384', namedCurve: 'P-384' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
} as const

/**
 * Checks a token from `card.authenticate({ nonce })`, as JSON or parsed, and resolves with the user's certificate. It leads to
 * one of `roots`, is valid now and is meant for authentication, and its key signed this origin and this nonce.
 *
 * With the option `revocation`, no certificate of the path below the root was revoked. Nothing is requested before the signature was verified.
 *
 * Rejects with an `AuthenticationError`. You still have to check the age of the nonce, and that each nonce is used once.
 */
export async function verifyAuthentication(
  token: unknown,
  options: AuthenticationOptions,
): Promise<Authentication> {
  const { authorities, now, revocation: checker } = readOptions(options)
  const parsed = readToken(token)
  const certificate = readUserCertificate(parsed)
  const { algorithm } = parsed
  requireKey(certificate, algorithm)
  const path = await requirePath(certificate, {
    authorities,
    now,
    purpose: authentication,
    createError,
  })
  if (!(await isSignedFor(parsed, certificate, options))) {
    throw new AuthenticationError(
      'signature-invalid',
      'Cannot accept the signature: it was made with a different key, or for a different origin or nonce',
    )
  }
  const ders = path.map(toDer)
  const revocation = await requireNotRevoked(ders, { checker, at: now, createError })
  return {
    certificate: toDer(certificate),
    path: ders,
    subject: readSubject(certificate),
    algorithm,
    ...(revocation && { revocation }),
  }
}

const createError = (
  reason: CertificateFailure | RevocationFailure,
  message: string,
): AuthenticationError => new AuthenticationError(reason, message)

function readToken(token: unknown): AuthenticationToken {
  const { success, data, error } = authenticationToken.safeParse(parseJson(token))
  if (success) return data
  const field = error.issues[0]?.path.join('.')
  throw malformed(field ? `its field ${field} is missing or wrong` : 'it is not an object', error)
}

function parseJson(token: unknown): unknown {
  if (typeof token !== 'string') return token
  if (token.length > maxTokenLength) throw malformed(`it is longer than ${maxTokenLength}`)
  try {
    return JSON.parse(token)
  } catch (error) {
    throw malformed('it is not JSON', error)
  }
}

/** Reads all that is asked of a certificate later: the library decodes extensions and key when they are first read. */
function readUserCertificate({ unverifiedCertificate }: AuthenticationToken): X509Certificate {
  try {
    const certificate = parseUserCertificate(
      decodeBase64(unverifiedCertificate) ?? new Uint8Array(),
    )
    for (const read of [isForAuthentication, readSubject, readKey]) read(certificate)
    return certificate
  } catch (error) {
    throw malformed('its field unverifiedCertificate is not a certificate', error)
  }
}

const malformed = (what: string, cause?: unknown): AuthenticationError =>
  new AuthenticationError('token-malformed', `Cannot read the token: ${what}`, cause)

interface KeyAlgorithm {
  readonly name: string
  readonly namedCurve?: string
  readonly modulusLength?: number
}

const readKey = ({ publicKey }: X509Certificate): KeyAlgorithm => publicKey.algorithm

function requireKey(
  certificate: X509Certificate,
  algorithm: AuthenticationToken['algorithm'],
): void {
  const demanded = algorithms[algorithm]
  const { name, namedCurve, modulusLength: bits = 0 } = readKey(certificate)
  const fits =
    'namedCurve' in demanded
      ? namedCurve === demanded.namedCurve
      : name.startsWith('RSA') && bits >= rsaBits.min && bits <= rsaBits.max
  if (fits) return
  throw new AuthenticationError(
    'key-unsupported',
    `Cannot use the key of the certificate with ${algorithm}: it is of a different type, or too weak`,
  )
}

async function isSignedFor(
  { algorithm, signature }: AuthenticationToken,
  { publicKey }: X509Certificate,
  { origin, nonce }: AuthenticationOptions,
): Promise<boolean> {
  const { subtle } = globalThis.crypto
  const parameters = algorithms[algorithm]
  const bytes = decodeBase64(signature)
  if (bytes === undefined) return false
  const key = await subtle.importKey('spki', publicKey.rawData, parameters, false, ['verify'])
  const digest = (text: string) => subtle.digest(parameters.hash, new TextEncoder().encode(text))
  const digests = await Promise.all([digest(origin), digest(nonce)])
  const signed = await new Blob(digests).arrayBuffer()
  // A signature of another length is not valid to WebCrypto (W3C, ECDSA verify).
  return subtle.verify(parameters, key, bytes, signed)
}
