/** Reads the parts of a card's identity from an answer. */

import type { CardIdentity as IdentityAnswer } from '@cardwire/protocol/card-identity'
import type { CardIdentity } from './identity.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** The members that are bytes; all are base64 in an answer. */
const byteMembers: ReadonlySet<string> = new Set(['rawData', 'signature', 'pictureHash', 'picture'])

/** The parts that were asked for; `readBytes` decodes base64, `missing` makes the error for a part that is not there. */
export function readIdentity<P extends keyof CardIdentity>(
  answer: IdentityAnswer,
  parts: readonly P[],
  readBytes: (base64: string) => Bytes,
  missing: (part: P) => Error,
): Pick<CardIdentity, P> {
  const decode = (part: P) => {
    const found = answer[part]
    if (!found) throw missing(part)
    const members = Object.entries(found).map(([name, value]) => [
      name,
      // Members of a newer connector are given as they are.
      byteMembers.has(name) && typeof value === 'string' ? readBytes(value) : value,
    ])
    return [part, Object.fromEntries(members)]
  }
  return Object.fromEntries(parts.map(decode)) as Pick<CardIdentity, P>
}
