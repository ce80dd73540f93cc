/** Who may use the local page: whoever brings the ticket of its address in time gets the token of its requests, once. */
import { randomBytes, timingSafeEqual } from 'node:crypto'

/** How long the ticket is valid, in milliseconds. */
export const ticketMs = 30_000

export interface PageAccess {
  /** For the fragment of the address, which browsers send to no server. */
  readonly ticket: string
  /** The token; undefined when the ticket is wrong, late, or was used before. */
  exchange(ticket: string): string | undefined
  accepts(token: string): boolean
}

/** `now`: milliseconds of a clock that nobody sets. */
export function createPageAccess(now: () => number): PageAccess {
  const [ticket, token] = [createSecret(), createSecret()]
  const validUntil = now() + ticketMs
  let isUsed = false
  return {
    ticket,
    exchange(given) {
      if (isUsed || now() >= validUntil || !isSame(given, ticket)) return undefined
      isUsed = true
      return token
    },
    accepts: (given) => isUsed && isSame(given, token),
  }
}

const createSecret = () => randomBytes(32).toString('base64url')

/** In constant time: both are hashed first, so that their lengths are equal. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
