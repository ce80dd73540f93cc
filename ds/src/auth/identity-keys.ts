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

/** Devices whose keys are held, each takes about 3 kB; and those that are remembered to have come once. */
const mostHeld = 2000

/**
 * Holds the keys of devices that come often: a person at work makes a device come again, and importing its key costs half
 * as much as verifying with it. A key that nobody holds is gone with its request; held until others take its place, the
 * keys of a large fleet would be what the collector of garbage finds most of (p99 doubled with 100,000 devices).
 */
export function verifiersOfDevices(most = mostHeld): (holder: Holder) => Promise<CryptoKey> {
  const held = new Map<string, CryptoKey>()
  const seen = new Set<string>()
  return async ({ fingerprint, key }) => {
    const known = held.get(fingerprint)
    const verifier = known ?? (await verifierOf(key))
    if (known || seen.delete(fingerprint)) {
      // What is set anew stands last: the first is the one that did not come for longest.
      held.delete(fingerprint)
      held.set(fingerprint, verifier)
    } else seen.add(fingerprint)
    for (const those of [held, seen]) {
      const [first] = those.keys()
      if (those.size > most && first !== undefined) those.delete(first)
    }
    return verifier
  }
}
