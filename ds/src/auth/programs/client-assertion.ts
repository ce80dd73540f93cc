/** Client authentication with a JWT that the client signed: `private_key_jwt` (RFC 7523 §3, OpenID Connect Core 1.0 §9). */
import { clientTokenPath } from '@cardwire/protocol'
import { lte } from 'drizzle-orm'
import {
  calculateJwkThumbprint,
  errors,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import type { Database } from '../../db/database.ts'
import { clientAssertions } from '../../db/schema.ts'
import type { Clock, Digest } from '../../ports.ts'
import { nodeClockSkewS } from '../../rules/steady-clock.ts'

interface AssertionServices {
  readonly url: string
  readonly db: Database
  readonly clock: Clock
  readonly digest: Digest
}

/** The algorithms of a key, by `kty` and `crv`. */
const algorithms: Readonly<Record<string, readonly string[]>> = {
  'EC P-256': ['ES256'],
  'EC P-384': ['ES384'],
  'OKP Ed25519': ['EdDSA', 'Ed25519'],
  'RSA ': ['RS256', 'PS256', 'RS384', 'PS384', 'RS512', 'PS512'],
}
export const assertionAlgorithms = Object.values(algorithms).flat()

/** Seconds that an assertion may be valid. */
const maxLifetimeS = 300

const minModulusBits = 2048

const listAlgorithms = ({ kty, crv }: JWK) => algorithms[`${kty} ${crv ?? ''}`] ?? []

/** The thumbprint of a public key that can be used; undefined where it cannot. */
export async function readPublicKey(jwk: JWK): Promise<string | undefined> {
  const [algorithm] = listAlgorithms(jwk)
  if (algorithm === undefined) return undefined
  try {
    const key = await importJWK(jwk, algorithm)
    if (key instanceof Uint8Array || key.type !== 'public') return undefined
    const { modulusLength } = key.algorithm as { modulusLength?: number }
    if (modulusLength !== undefined && modulusLength < minModulusBits) return undefined
    return await calculateJwkThumbprint(jwk)
  } catch {
    return undefined
  }
}

/** The claims of an assertion that this key signed for the token endpoint. Throws a JOSEError when anything about it is wrong. */
export async function verifyAssertion(
  { url, clock }: Pick<AssertionServices, 'url' | 'clock'>,
  { client, jwk }: { readonly client: string; readonly jwk: JWK },
  assertion: string,
): Promise<JWTPayload & { readonly jti: string; readonly exp: number }> {
  const now = clock()
  const { payload } = await jwtVerify(assertion, (header) => importJWK(jwk, header.alg), {
    algorithms: [...listAlgorithms(jwk)],
    issuer: client,
    subject: client,
    audience: [url, url + clientTokenPath],
    currentDate: new Date(now),
    clockTolerance: nodeClockSkewS,
    requiredClaims: ['jti', 'exp'],
  })
  const { jti = '', exp = 0 } = payload
  if (jti === '' || jti.length > 200)
    throw new errors.JWTClaimValidationFailed('expected 1 to 200 characters', payload, 'jti')
  if (exp - now / 1000 > maxLifetimeS + nodeClockSkewS)
    throw new errors.JWTClaimValidationFailed('expected 5 minutes at most', payload, 'exp')
  return { ...payload, jti, exp }
}

/** Whether an assertion is used for the first time, over all nodes. It is remembered until it expires. */
export async function useAssertion(
  { db, clock, digest }: Pick<AssertionServices, 'db' | 'clock' | 'digest'>,
  credential: string,
  { jti, exp }: { readonly jti: string; readonly exp: number },
): Promise<boolean> {
  const now = clock()
  const hash = await digest(`${credential} ${jti}`)
  const expiresAt = (exp + 2 * nodeClockSkewS) * 1000
  const [, used] = await db.batch([
    db.delete(clientAssertions).where(lte(clientAssertions.expiresAt, now)),
    db
      .insert(clientAssertions)
      .values({ hash, expiresAt })
      .onConflictDoNothing()
      .returning({ hash: clientAssertions.hash }),
  ])
  return used.length > 0
}
