/** Follows the rotations of the response signing keys of the service: a trusted key endorses its successor with a signature. */
import { maxSuccessions, Succession, successionKind } from '@cardwire/protocol/sync'
import { calculateJwkThumbprint, compactVerify, decodeProtectedHeader, importJWK } from 'jose'
import * as z from 'zod/mini'
import { errorText } from '../../system/error-text.ts'
import type { ResponseSigningKey } from './verify-reply.ts'

/** Bytes of a response with all of them: one statement is less than 1 KiB. */
export const maxRotationStatementsBytes = maxSuccessions * 1024

/** The rotation statements that the service publishes, each a JWS that is not verified yet. */
export const RotationStatements = z.array(z.string()).check(z.maxLength(maxSuccessions))

/**
 * The keys that are endorsed by the keys with the fingerprints `trusted`, directly or through other endorsed keys. A
 * statement that is invalid, or by a key that is not trusted, is ignored.
 */
export async function resolveKeyChain(
  rotationStatements: readonly string[],
  trusted: readonly string[],
): Promise<readonly ResponseSigningKey[]> {
  const bySigner = Map.groupBy(rotationStatements, readSignerKid)
  const kids = new Set(trusted)
  const keys: ResponseSigningKey[] = []
  // Iterating a set includes what is added meanwhile: whatever the order, each statement is verified once at most.
  for (const kid of kids) {
    for (const statement of bySigner.get(kid) ?? []) {
      const key = await verifyRotationStatement(statement)
      if (key === undefined || kids.has(key.kid)) continue
      kids.add(key.kid)
      keys.push(key)
    }
  }
  return keys
}

/** Part of a sentence: why the rotation statements could not be fetched. */
export const describeChainFailure = (error: unknown) =>
  `how its keys followed each other cannot be read: ${errorText(error)}`

/** The fingerprint of the key that the header names, unverified; undefined: it is no JWS. */
export function readSignerKid(statement: string): string | undefined {
  try {
    return decodeProtectedHeader(statement).kid
  } catch {
    return undefined
  }
}

/** The endorsed key; undefined: the key that the header names did not sign it, or it contains no valid key. */
async function verifyRotationStatement(statement: string): Promise<ResponseSigningKey | undefined> {
  try {
    const { payload } = await compactVerify(
      statement,
      async ({ typ, kid, jwk }) => {
        if (typ !== successionKind.typ || jwk === undefined)
          throw new Error('it is not a key succession')
        // Only the fingerprint is trusted: the key in the header counts when it has that fingerprint.
        if ((await calculateJwkThumbprint(jwk)) !== kid) throw new Error('it names another key')
        return importJWK(jwk, successionKind.algorithm)
      },
      { algorithms: [successionKind.algorithm] },
    )
    const { key } = z.parse(Succession, JSON.parse(new TextDecoder().decode(payload)))
    return (await calculateJwkThumbprint(key)) === key.kid ? key : undefined
  } catch {
    return undefined
  }
}
