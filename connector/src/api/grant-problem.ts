/** A page lacks a grant: what the administrator enters, and where. */
import type { Grant } from '@cardwire/protocol/card-settings'
import { Problem } from '@cardwire/protocol/problem'

/** `refused`: what cannot be done, and why; "Cannot sign with key "9A", which is an authentication key". */
export function createGrantProblem(
  refused: string,
  origin: string,
  grant: Grant,
  more: { readonly aids?: readonly string[] } = {},
): Problem {
  const entry = JSON.stringify({ grants: [{ origin, allow: [grant], ...more }] })
  return new Problem(
    'grant-missing',
    `${refused}: the administrator has to enter ${entry} as "cards" of the CONTEXT_CONFIG, or, where no distribution service manages this connector, in the file that CARDWIRE_CARDS names`,
  )
}
