/** The grant `raw-authenticate`: which signatures need it, on cards, tokens and in the system's store alike. */
import type { Caller } from '../http/route-types.ts'
import type { ApiServices } from './api-services.ts'
import { createGrantProblem } from './grant-problem.ts'

/** A program of this user can use the card without us. */
export const mayAuthenticate = (hasGrant: ApiServices['hasGrant'], caller: Caller): boolean =>
  caller.kind !== 'page' || hasGrant(caller.origin, 'raw-authenticate')

/**
 * A page that has a digest of its choice signed by a key that authenticates can make a token with which the user signs in
 * elsewhere. `what`: "key "9A"". Throws `grant-missing`.
 */
export function requireGrant(
  hasGrant: ApiServices['hasGrant'],
  caller: Caller,
  what: string,
): void {
  if (caller.kind !== 'page' || mayAuthenticate(hasGrant, caller)) return
  const refused = `Cannot sign with ${what}, which is an authentication key`
  throw createGrantProblem(refused, caller.origin, 'raw-authenticate')
}
