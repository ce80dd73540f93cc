/** Imports the identity keys of devices, with which assertions are verified, and caches them. */
import { assertionKind, type IdentityKey } from '@cardwire/protocol'
import { type CryptoKey, errors, importJWK } from 'jose'

/** Throws JWKInvalid when the coordinates are no key. */
export async function importDeviceKey(key: IdentityKey): Promise<CryptoKey> {
  const verifier = await importJWK(key, assertionKind.algorithm).catch(() => undefined)
  if (verifier === undefined || verifier instanceof Uint8Array)
    throw new errors.JWKInvalid('the key is not a point on P-256')
  return verifier
}

interface KeyHolder {
  /** The thumbprint of the key. */
  readonly fingerprint: string
  readonly key: IdentityKey
}

/** How many keys are cached, of about 3 kB each; and how many devices are remembered that sent one request. */
const defaultMaxKeys = 2000

/**
 * Caches the keys of devices from their second request on: a device at work sends many, and the import of a key costs
 * half as much as a verification. A key of a device that sends one request is garbage at once; if it were cached until
 * others take its place, the garbage collector would have most to do with such keys (p99 doubled with 100,000 devices).
 */
export function createDeviceKeyCache(
  maxKeys = defaultMaxKeys,
): (holder: KeyHolder) => Promise<CryptoKey> {
  const cached = new Map<string, CryptoKey>()
  const seenOnce = new Set<string>()
  return async ({ fingerprint, key }) => {
    const found = cached.get(fingerprint)
    const verifier = found ?? (await importDeviceKey(key))
    if (found || seenOnce.delete(fingerprint)) {
      // Set again, it is the last of the map: the first one was not used for longest.
      cached.delete(fingerprint)
      cached.set(fingerprint, verifier)
    } else seenOnce.add(fingerprint)
    for (const entries of [cached, seenOnce]) {
      const [first] = entries.keys()
      if (entries.size > maxKeys && first !== undefined) entries.delete(first)
    }
    return verifier
  }
}
