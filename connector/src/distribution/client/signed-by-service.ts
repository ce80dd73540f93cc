/** Statements that the service signs for one request of this device: a registration, and why it refuses the device. */
import { registrationKind, SignedRegistration } from '@cardwire/protocol/device'
import { refusalKind, SignedRefusal } from '@cardwire/protocol/sync'
import { calculateJwkThumbprint, compactVerify, decodeJwt, importJWK, type JWK } from 'jose'
import * as z from 'zod/mini'
import type { ResponseSigningKey } from './verify-reply.ts'

/** What a statement has to be about. */
interface StatementContext {
  /** The device id; the thumbprint of the identity key in a registration. */
  readonly subject: string
  /** The id of the assertion that the request was sent with. */
  readonly jti: string
}

interface RefusalContext extends StatementContext {
  /** The problem that came with the refusal. */
  readonly code: string
}

/** The keys that a registration offers, unverified: `verifyRegistration` follows. None where it is no registration. */
export function readOfferedKeys(jws: string): readonly ResponseSigningKey[] {
  try {
    return z.parse(SignedRegistration, decodeJwt(jws)).replyKeys
  } catch {
    return []
  }
}

/** Throws when none of `keys` signed the registration, or it is for another device or request. */
export async function verifyRegistration(
  jws: string,
  keys: readonly ResponseSigningKey[],
  context: StatementContext,
): Promise<SignedRegistration> {
  const claims = await verifyStatement(jws, registrationKind, SignedRegistration, ({ kid }) =>
    keys.find((key) => key.kid === kid),
  )
  requireContext(claims, context)
  return claims
}

/** The fingerprint of the key that signed the refusal; the caller decides whether it trusts that. Throws as above. */
export async function verifyRefusal(jws: string, context: RefusalContext): Promise<string> {
  let signer = ''
  const claims = await verifyStatement(jws, refusalKind, SignedRefusal, async ({ kid, jwk }) => {
    // Only the fingerprint is trusted: the key in the header counts when it has that fingerprint.
    if (jwk === undefined || (await calculateJwkThumbprint(jwk)) !== kid) return undefined
    signer = kid
    return jwk
  })
  requireContext(claims, context)
  if (claims.code !== context.code) throw new Error('it is about something else')
  return signer
}

async function verifyStatement<S extends z.ZodMiniType>(
  jws: string,
  { typ, algorithm }: { readonly typ: string; readonly algorithm: string },
  schema: S,
  findKey: (header: { readonly kid?: string; readonly jwk?: JWK }) => unknown,
): Promise<z.output<S>> {
  const { payload } = await compactVerify(
    jws,
    async (header) => {
      if (header.typ !== typ) throw new Error('it is another statement')
      const key = (await findKey(header)) as JWK | undefined
      if (key === undefined) throw new Error('its key is not known')
      return importJWK(key, algorithm)
    },
    { algorithms: [algorithm] },
  )
  return z.parse(schema, JSON.parse(new TextDecoder().decode(payload)))
}

function requireContext(
  { aud, re }: { readonly aud: string; readonly re: string },
  { subject, jti }: StatementContext,
): void {
  if (aud !== subject) throw new Error('it is for another device')
  if (re !== jti) throw new Error('it belongs to a different request')
}
