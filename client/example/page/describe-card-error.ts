/** What the page says when nothing was signed: one table with the problems of cards and PINs. */
import { CardwireError } from '@cardwire/client'
import { BackEndError } from './back-end.ts'

/** Problems that the page has words for; for every other the description of the library is as good. */
const sentences: Readonly<Record<string, string>> = {
  'card-absent': 'There is no card in the reader. Insert it and try again.',
  'card-changed': 'The card was removed. Insert it and try again.',
  'card-busy': 'Another program is using the card. Close it, or wait a moment, and try again.',
  'card-mute': 'The card isn’t responding. Remove it, insert it and try again.',
  'card-unsupported': 'This card isn’t supported. Use another one.',
  'key-unknown': 'This card has no key for this. Use another one.',
  'key-unsupported': 'The key on this card can’t be used for this. Use another card.',
  'pin-invalid': 'That isn’t a valid PIN for this card. No attempt was used.',
  'pin-blocked':
    'The PIN is blocked after too many wrong attempts. Contact your card issuer to unblock it.',
  'pin-cancelled': 'You canceled the PIN entry. Nothing was signed.',
  'pin-timeout': 'The PIN wasn’t entered in time. Nothing was signed.',
  'pin-busy': 'Cardwire is already asking for your PIN. Look for its window.',
  'dialog-unavailable':
    'Cardwire can’t show its PIN window. On Linux, install pinentry-gnome3 or pinentry-qt, then try again.',
}

/** Throws an error that is not of the library or the back end: it is a defect of the page. */
export function describeCardError(error: unknown): string {
  if (error instanceof BackEndError) return `${error.message}.`
  if (!CardwireError.is(error)) throw error
  if (error.reason === 'aborted') return 'Canceled. Nothing was signed.'
  if (error.problem === 'pin-wrong') return describeWrongPin(error.triesLeft)
  return sentences[error.problem ?? ''] ?? `${error.description}.`
}

function describeWrongPin(triesLeft: number | undefined): string {
  if (triesLeft === undefined) return 'The PIN was wrong.'
  if (triesLeft === 0) return sentences['pin-blocked'] ?? ''
  return `The PIN was wrong. ${triesLeft === 1 ? '1 attempt left.' : `${triesLeft} attempts left.`}`
}
