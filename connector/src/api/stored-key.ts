/** Which key that the system keeps a request is about, and what it may be used for. */
import { Problem } from '@cardwire/protocol/problem'
import { type KeyType, listHashes, readKeyType } from '../sandbox/card-modules/key-type.ts'
import type { KeyStore } from '../sandbox/windows-keys/key-store.ts'
import { findOwn, hasPurpose, type OwnCertificate, requireRead } from './stored-certificates.ts'

/** Throws `key-unknown`; `store-unavailable` if one that cannot be read may be it. */
export async function requireOwn(
  store: KeyStore,
  id: string,
  field: string,
): Promise<OwnCertificate> {
  const own = await findOwn(store)
  const [found] = requireRead({
    ...own,
    found: own.found.filter(({ fingerprint }) => fingerprint === id.toLowerCase()),
  })
  if (found) return found
  const message = 'the user has no certificate with this id, and a key for it'
  throw new Problem('key-unknown', `Cannot find certificate "${id}": ${message}`, {
    errors: [{ path: field, message }],
  })
}

/** The certificate that the page names, else the only one for the purpose that is valid now. Throws as `requireOwn` does. */
export async function chooseOwn(
  store: KeyStore,
  id: string | null | undefined,
  purpose: 'authentication' | 'non-repudiation',
  now: number,
): Promise<OwnCertificate> {
  if (id !== undefined && id !== null) return requireOwn(store, id, 'certId')
  const own = await findOwn(store)
  const candidates = requireRead({
    ...own,
    found: own.found.filter(
      (one) => hasPurpose(one, purpose) && one.notBefore <= now && now <= one.notAfter,
    ),
  })
  const [only, ...others] = candidates
  if (only && others.length === 0) return only
  const message = only
    ? `expected the id of one of ${candidates.length} certificates for ${purpose}`
    : `there is no valid certificate for ${purpose}`
  throw new Problem('key-unknown', `Cannot choose a key: ${message}`, {
    errors: [{ path: 'certId', message }],
  })
}

/** Throws `key-unsupported` for a key that does not sign. */
export function requireSigning({ der, usage }: OwnCertificate): KeyType {
  const type = readKeyType(der)
  if (type && type !== 'Ed25519' && (usage.authenticates || usage.signs)) return type
  throw new Problem(
    'key-unsupported',
    'Cannot sign with this certificate: expected one to authenticate or to sign with, RSA or an elliptic curve',
  )
}

export const listKeyHashes = (type: KeyType) => listHashes({}, type)
