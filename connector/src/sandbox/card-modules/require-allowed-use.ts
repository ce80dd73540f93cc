/** What a key signs is checked once more where it signs: the card is read there, and nothing that was decided elsewhere is believed. */
import { canAuthenticate } from '../../pki/key-usage.ts'
import { CardError } from './card-error.ts'
import type { CardKey } from './card-module.ts'

/** `found`: the certificate of the key, or its public key. Throws `grant-missing` for a key that authenticates, unless that is allowed. */
export function requireAllowedUse(
  { id, purpose }: Pick<CardKey, 'id' | 'purpose'>,
  found: Uint8Array,
  mayAuthenticate: true | undefined,
): void {
  if (mayAuthenticate) return
  if (purpose === 'non-repudiation' && !canAuthenticate(found)) return
  const message = `Cannot sign with key "${id}", which is an authentication key: the grant raw-authenticate is missing`
  throw new CardError('grant-missing', message)
}
