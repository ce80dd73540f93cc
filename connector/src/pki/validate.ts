/** Validates root and leaf by the contents of their files and the time. */

import {
  type Certificate,
  isKeyOf,
  isSignedBy,
  leafLifeMs,
  readCertificate,
} from './certificate.ts'
import { type Constraints, permitsName } from './constraints.ts'
import { covers, localNames, type Name, readName } from './names.ts'

/** The texts of a certificate and its key as they were found; undefined where there is no file. */
export interface StoredKeyPair {
  readonly cert: string | undefined
  readonly key: string | undefined
}

/**
 * `good` can sign. `absent`, `broken` and `expired` are replaced. `keyless` cannot sign, and stays while its leaf is valid.
 * `early` is not valid yet: the clock is wrong, and no certificates are created by a wrong clock. `foreign` is a
 * certificate that is not ours: it is neither used nor replaced.
 */
export type RootState =
  | { readonly kind: 'good'; readonly root: Certificate }
  | UnusableRoot<'keyless'>
  | UnusableRoot<'early'>
  | UnusableRoot<'expired'>
  | UnusableRoot<'foreign'>
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'broken'; readonly reason: string }

interface UnusableRoot<Kind> {
  readonly kind: Kind
  readonly root: Certificate
  readonly reason: string
}

/** A leaf is renewed when it has this many milliseconds left: thirty days. */
export const renewBeforeMs = 30 * 24 * 60 * 60 * 1000

/** The one reason to renew a leaf that browsers still accept. */
export const expiresSoonReason = 'the localhost certificate expires within 30 days'

/** A leaf that is older than this many milliseconds is replaced although browsers accept it: ninety days (decision 0057). */
const maxLeafAgeMs = 90 * 24 * 60 * 60 * 1000

/** Why a leaf that fits in every way is replaced all the same; undefined: it is not. `now` in milliseconds since 1970. */
export function findAgeReason({ cert }: StoredKeyPair, now: number): string | undefined {
  const leaf = cert === undefined ? undefined : tryReadCertificate(cert)
  return leaf && now - leaf.notBefore > maxLeafAgeMs
    ? 'the localhost certificate is older than 90 days'
    : undefined
}

/** Validates the root. `now` in milliseconds since 1970. */
export function checkRoot(held: StoredKeyPair, now: number): RootState {
  if (held.cert === undefined && held.key === undefined)
    return { kind: 'absent', reason: 'there is no root certificate yet' }
  if (held.cert === undefined)
    return { kind: 'broken', reason: 'the root certificate is missing, but its key is there' }
  const root = tryReadCertificate(held.cert)
  if (root === undefined) return { kind: 'broken', reason: 'the root certificate cannot be read' }
  if (!root.isAuthority)
    return { kind: 'foreign', root, reason: 'the root certificate is not a certificate authority' }
  const unable = localNames.filter((name) => !permitsHost(root.constraints, name))
  if (unable.length > 0 || !root.forServers)
    return {
      kind: 'foreign',
      root,
      reason: `the root certificate cannot sign for ${unable.join(', ') || 'servers'}`,
    }
  if (now > root.notAfter)
    return { kind: 'expired', root, reason: 'the root certificate has expired' }
  if (held.key === undefined)
    return { kind: 'keyless', root, reason: 'the key of the root certificate is missing' }
  if (!isKeyOf(held.key, held.cert))
    return { kind: 'keyless', root, reason: 'the key of the root certificate does not match it' }
  if (now < root.notBefore)
    return {
      kind: 'early',
      root,
      reason: 'the clock is set to a time before the root certificate was created',
    }
  return { kind: 'good', root }
}

/** Why a leaf has to be renewed, or undefined. `names` are those it must carry; `now` in milliseconds since 1970. */
export function findRenewalReason(
  held: StoredKeyPair,
  root: Certificate,
  names: readonly Name[],
  now: number,
): string | undefined {
  const match = matchLeafToRoot(held, root)
  if (typeof match === 'string') return match
  const leaf = match
  const missing = names.filter((name) => !covers(leaf.names, name))
  if (missing.length > 0)
    return `the localhost certificate lacks ${missing.map(({ value }) => value).join(', ')}`
  if (leaf.notAfter - leaf.notBefore > leafLifeMs)
    return 'the localhost certificate is valid for more than 397 days'
  if (now < leaf.notBefore) return 'the localhost certificate is not valid yet'
  if (now > leaf.notAfter) return 'the localhost certificate has expired'
  // A leaf cannot be valid for longer than its root.
  if (leaf.notAfter - now <= renewBeforeMs && leaf.notAfter < root.notAfter)
    return expiresSoonReason
  return undefined
}

/** The leaf when certificate, key and root belong together, whatever the time; else why they do not. */
export function matchLeafToRoot(held: StoredKeyPair, root: Certificate): Certificate | string {
  if (held.cert === undefined || held.key === undefined) return 'there is no localhost certificate'
  const leaf = tryReadCertificate(held.cert)
  if (leaf === undefined) return 'the localhost certificate cannot be read'
  if (!isSignedBy(held.cert, root.pem))
    return 'the localhost certificate was not signed with the root certificate'
  if (!isKeyOf(held.key, held.cert)) return 'the key of the localhost certificate does not match it'
  if (!leaf.forServers || leaf.isAuthority) return 'the localhost certificate is not for servers'
  return leaf
}

/** Reads a certificate; undefined when it is none. */
export function tryReadCertificate(pem: string): Certificate | undefined {
  try {
    return readCertificate(pem)
  } catch {
    return undefined
  }
}

function permitsHost(constraints: Constraints, text: string): boolean {
  const name = readName(text)
  return name !== undefined && permitsName(constraints, name)
}
