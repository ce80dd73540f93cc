/** Chooses the reply keys that a registration trusts. */
import { calculateJwkThumbprint } from 'jose'
import { DsError } from './ds-response.ts'
import { describeChainFailure, resolveKeyChain } from './key-chain.ts'
import type { ResponseSigningKey } from './verify-reply.ts'

/**
 * Of the offered keys those with a trusted fingerprint; where the signer is not among them, also those that trusted keys
 * endorse. All of them where nothing is trusted yet. Throws DsError `fingerprint-unknown` when `signer`, the fingerprint of
 * the key that signed the registration, is not among them.
 */
export async function selectResponseSigningKeys(
  offered: readonly ResponseSigningKey[],
  signer: string | undefined,
  trusted: readonly string[],
  fetchRotationStatements: () => Promise<readonly string[]>,
): Promise<readonly ResponseSigningKey[]> {
  const valid = await filterValidKeys(offered)
  const pick = (kids: readonly string[]) => valid.filter(({ kid }) => kids.includes(kid))
  const hasSigner = (keys: readonly ResponseSigningKey[]) => keys.some(({ kid }) => kid === signer)
  const known = trusted.length === 0 ? valid : pick(trusted)
  if (hasSigner(known)) return known
  const reason =
    'Cannot trust the service: its key is neither in CARDWIRE_DS_FINGERPRINTS nor a key it had before'
  const rotationStatements = await fetchRotationStatements().catch((error) => {
    throw new DsError('fingerprint-unknown', `${reason}; ${describeChainFailure(error)}`)
  })
  const endorsed = (await resolveKeyChain(rotationStatements, trusted)).map(({ kid }) => kid)
  const following = pick([...trusted, ...endorsed])
  if (hasSigner(following)) return following
  throw new DsError('fingerprint-unknown', `${reason}, or follows one of them`)
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
