/** Chooses the reply keys that a registration trusts. */
import { calculateJwkThumbprint } from 'jose'
import { DsError } from './ds-response.ts'
import { describeChainFailure, resolveKeyChain } from './key-chain.ts'
import type { ResponseSigningKey } from './verify-reply.ts'

/**
 * Of the offered keys those with one of the configured fingerprints, all of them where none is configured. Where no
 * offered key has one, those that the configured keys endorse. Throws DsError `fingerprint-unknown`.
 */
export async function selectResponseSigningKeys(
  offered: readonly ResponseSigningKey[],
  fingerprints: readonly string[],
  fetchRotationStatements: () => Promise<readonly string[]>,
): Promise<readonly ResponseSigningKey[]> {
  const valid = await filterValidKeys(offered)
  const pick = (kids: readonly string[]) => valid.filter(({ kid }) => kids.includes(kid))
  const configured = fingerprints.length === 0 ? valid : pick(fingerprints)
  if (configured.length > 0) return configured
  const reason =
    'Cannot trust the service: none of its keys has a fingerprint of CARDWIRE_DS_FINGERPRINTS'
  const rotationStatements = await fetchRotationStatements().catch((error) => {
    throw new DsError('fingerprint-unknown', `${reason}; ${describeChainFailure(error)}`)
  })
  const succeeding = pick(
    (await resolveKeyChain(rotationStatements, fingerprints)).map(({ kid }) => kid),
  )
  if (succeeding.length > 0) return succeeding
  throw new DsError('fingerprint-unknown', `${reason}, or follows one that has`)
}

/** The keys whose `kid` is their fingerprint. */
async function filterValidKeys(
  keys: readonly ResponseSigningKey[],
): Promise<readonly ResponseSigningKey[]> {
  const checked = await Promise.all(
    keys.map(async (key) => ((await calculateJwkThumbprint(key)) === key.kid ? [key] : [])),
  )
  return checked.flat()
}
