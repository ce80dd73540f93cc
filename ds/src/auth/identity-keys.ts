/** The identity keys of devices, as signatures are verified with them. */
import { assertionKind, type IdentityKey } from '@cardwire/client/protocol'
import { type CryptoKey, errors, importJWK } from 'jose'

/** Throws JWKInvalid when the numbers are no key. */
export async function verifierOf(key: IdentityKey): Promise<CryptoKey> {
  const verifier = await importJWK(key, assertionKind.algorithm).catch(() => undefined)
  if (verifier === undefined || verifier instanceof Uint8Array)
    throw new errors.JWKInvalid('the key is no point of P-256')
  return verifier
}

interface Holder {
  /** The thumbprint of the key. */
  readonly fingerprint: string
  readonly key: IdentityKey
}

/** Devices whose keys are held; each takes about 3 kB. */
const mostHeld = 2000

/**
 * Holds the keys of the devices that came last: a person at work makes a device come often, and importing its key costs
 * half as much as verifying with it.
 */
export function verifiersOfDevices(most = mostHeld): (holder: Holder) => Promise<CryptoKey> {
  const held = new Map<string, CryptoKey>()
  return async ({ fingerprint, key }) => {
    const verifier = held.get(fingerprint) ?? (await verifierOf(key))
    // A map is in the order of setting: the first is the one that did not come for longest.
    held.delete(fingerprint)
    held.set(fingerprint, verifier)
    const [oldest] = held.keys()
    if (held.size > most && oldest !== undefined) held.delete(oldest)
    return verifier
  }
}
