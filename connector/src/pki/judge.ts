/** What the four files are worth: rules over their contents and the time. */

import { type Facts, isKeyOf, isSignedBy, leafLifeMs, readCertificate } from './certificate.ts'
import { type Constraints, permits } from './constraints.ts'
import { covers, localNames, type Name, readName } from './names.ts'

/** The texts of a certificate and its key as they were found; undefined where there is no file. */
export interface Held {
  readonly cert: string | undefined
  readonly key: string | undefined
}

/**
 * `good` signs. `absent`, `broken` and `expired` are made anew. `keyless` signs nothing, and stands while its leaf holds.
 * `early` is not valid yet: the clock is wrong, and nothing is made by a wrong clock. `foreign` is somebody's
 * certificate that we can neither use nor throw away.
 */
export type RootVerdict =
  | { readonly kind: 'good'; readonly root: Facts }
  | Flawed<'keyless'>
  | Flawed<'early'>
  | Flawed<'expired'>
  | Flawed<'foreign'>
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'broken'; readonly reason: string }

interface Flawed<Kind> {
  readonly kind: Kind
  readonly root: Facts
  readonly reason: string
}

/** A leaf is renewed when it has this many milliseconds left: thirty days. */
export const renewBeforeMs = 30 * 24 * 60 * 60 * 1000

/** The one reason to renew a leaf that browsers do not mind yet. */
export const endsSoon = 'the leaf ends within 30 days'

/** Judges the root. `now` in milliseconds since 1970. */
export function judgeRoot(held: Held, now: number): RootVerdict {
  if (held.cert === undefined && held.key === undefined)
    return { kind: 'absent', reason: 'there is no root yet' }
  if (held.cert === undefined)
    return { kind: 'broken', reason: 'the certificate of the root is missing' }
  const root = tryRead(held.cert)
  if (root === undefined) return { kind: 'broken', reason: 'the root cannot be read' }
  if (!root.authority)
    return { kind: 'foreign', root, reason: 'the root is no certificate authority' }
  const unable = localNames.filter((name) => !permitsText(root.constraints, name))
  if (unable.length > 0 || !root.forServers)
    return {
      kind: 'foreign',
      root,
      reason: `the root may not sign for ${unable.join(', ') || 'servers'}`,
    }
  if (now > root.notAfter) return { kind: 'expired', root, reason: 'the root has expired' }
  if (held.key === undefined)
    return { kind: 'keyless', root, reason: 'the key of the root is missing' }
  if (!isKeyOf(held.key, held.cert))
    return { kind: 'keyless', root, reason: 'the key of the root does not belong to it' }
  if (now < root.notBefore)
    return { kind: 'early', root, reason: 'the clock stands before the root was made' }
  return { kind: 'good', root }
}

/** Why a leaf cannot stay, or undefined. `names` are those it must carry; `now` in milliseconds since 1970. */
export function judgeLeaf(
  held: Held,
  root: Facts,
  names: readonly Name[],
  now: number,
): string | undefined {
  const unfit = fitsTogether(held, root)
  if (typeof unfit === 'string') return unfit
  const leaf = unfit
  const missing = names.filter((name) => !covers(leaf.names, name))
  if (missing.length > 0) return `the leaf lacks ${missing.map(({ value }) => value).join(', ')}`
  if (leaf.notAfter - leaf.notBefore > leafLifeMs) return 'the leaf holds longer than 397 days'
  if (now < leaf.notBefore) return 'the leaf is not valid yet'
  if (now > leaf.notAfter) return 'the leaf has expired'
  // A leaf that ends with its root cannot be had any longer.
  if (leaf.notAfter - now <= renewBeforeMs && leaf.notAfter < root.notAfter) return endsSoon
  return undefined
}

/** Whether certificate, key and root belong together, whatever the time: the leaf, or why they do not. */
export function fitsTogether(held: Held, root: Facts): Facts | string {
  if (held.cert === undefined || held.key === undefined) return 'there is no leaf'
  const leaf = tryRead(held.cert)
  if (leaf === undefined) return 'the leaf cannot be read'
  if (!isSignedBy(held.cert, root.pem)) return 'the leaf was not signed by the root'
  if (!isKeyOf(held.key, held.cert)) return 'the key of the leaf does not belong to it'
  if (!leaf.forServers || leaf.authority) return 'the leaf is not for servers'
  return leaf
}

/** Reads a certificate; undefined when it is none. */
export function tryRead(pem: string): Facts | undefined {
  try {
    return readCertificate(pem)
  } catch {
    return undefined
  }
}

function permitsText(constraints: Constraints, text: string): boolean {
  const name = readName(text)
  return name !== undefined && permits(constraints, name)
}
