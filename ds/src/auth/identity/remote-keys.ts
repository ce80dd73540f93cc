/** The public keys of an OpenID issuer: found by its discovery document, cached, read again when a token names another. */
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import * as z from 'zod'
import type { Clock } from '../../ports.ts'

// Only algorithms with a public key: an HS256 token "signed" with the published key must not be accepted.
export const publicKeyAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) })

/** How long the issuer may take to respond, in milliseconds. */
const timeoutMs = 5000

/** The largest document that is read of an issuer, in bytes. */
const maxBytes = 512 * 1024

interface Issuer {
  readonly issuer: string | undefined
  /** Where its keys are; undefined: as its discovery document says. */
  readonly jwksUrl?: string | undefined
}

/** Returns a function that resolves with what finds the key of a token. It rejects when the issuer cannot be reached. */
export function createRemoteKeys(clock: Clock, of: Issuer): () => Promise<JWTVerifyGetKey> {
  // The key set is cached, never the promise of it: the provider may start after the service, and on Workers a promise
  // ends with the request that made it.
  let keys: JWTVerifyGetKey | undefined
  let usedAt = Number.NEGATIVE_INFINITY

  return async () => {
    const now = clock()
    // Until the clock is there again, the library would keep the old set, and fetch no other.
    if (now < usedAt) keys = undefined
    usedAt = now
    keys ??= createRemoteJWKSet(new URL(await findKeySetUrl(of)), {
      timeoutDuration: timeoutMs,
      [customFetch]: fetchBounded,
    })
    return keys
  }
}

/** The address of the keys: the setting, else what the issuer publishes (OpenID Connect Discovery 1.0 §4). */
async function findKeySetUrl({ issuer, jwksUrl }: Issuer): Promise<string> {
  if (jwksUrl !== undefined) return jwksUrl
  const url = `${issuer?.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetchBounded(url, { signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok)
    throw new Error(
      `Cannot discover the identity provider: "${url}" responded with ${response.status}`,
    )
  const found = Discovery.parse(await response.json())
  if (found.issuer !== issuer) {
    throw new Error(
      `Cannot trust the identity provider: it calls itself "${found.issuer}", not "${issuer}"`,
    )
  }
  if (issuer.startsWith('https:') && !found.jwks_uri.startsWith('https:'))
    throw new Error('Cannot trust the identity provider: its keys are not at an HTTPS address')
  return found.jwks_uri
}

/** Whether a verification failed because of the issuer or the network, not because of the token. */
export const isIssuerFailure = (error: unknown): boolean =>
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  // What jose throws when the key set answers anything but 200, and what fetch throws.
  (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC') ||
  error instanceof TypeError

/** Without redirects: the address is the one that was set. Rejects when the document is too large. */
async function fetchBounded(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  if (response.status !== 200) {
    await response.body?.cancel()
    return response
  }
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.byteLength
    if (size > maxBytes)
      throw new TypeError(`Cannot read "${url}": it is larger than ${maxBytes} bytes`)
    parts.push(part)
  }
  return new Response(new Blob(parts), { headers: response.headers })
}
