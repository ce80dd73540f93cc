/** What names and passwords of accounts the administrators' command accepts; the API has the same limits in its schemas. */
import { accountLimits, Problem } from '@cardwire/protocol'

/** Throws `input-invalid`. */
export function checkAccountName(name: string): void {
  const { max } = accountLimits.name
  if (name.trim() === '' || name.length > max)
    throw new Problem('input-invalid', `Cannot accept this name: expected 1 to ${max} characters`)
  // Addresses leave such a segment out, and nobody could manage the account.
  if (/^\.{1,2}$|\p{Cf}/u.test(name))
    throw new Problem(
      'input-invalid',
      'Cannot accept this name: expected no invisible letters, and neither . nor ..',
    )
}

/** Throws `input-invalid`. */
export function checkPassword({ length }: string): void {
  const { min, max } = accountLimits.password
  if (length >= min && length <= max) return
  throw new Problem(
    'input-invalid',
    `Cannot accept this password: it has ${length} characters, expected ${min} to ${max}`,
  )
}
