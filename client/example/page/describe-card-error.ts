/** What the page says when nothing was signed: one table with the problems of cards and PINs. */
import { CardwireError } from '@cardwire/client'
import { BackEndError } from './back-end.ts'

/** Problems that the page has words for; for every other the description of the library is as good. */
const sentences: Readonly<Record<string, string>> = {
  'card-absent': 'There is no card in the reader: insert it, and try again.',
  'card-changed': 'The card was taken out: insert it again, and try again.',
  'card-busy': 'Another program uses the card: close it, or wait a moment, and try again.',
  'card-mute': 'The card does not answer: take it out, insert it again, and try again.',
  'card-unsupported': 'Cardwire cannot use this card: take another one.',
  'key-unknown': 'This card has no key for this: take another one.',
  'key-unsupported': 'This card has a key that cannot be used for this: take another one.',
  'pin-invalid': 'What you entered is no PIN of this card. No try was used.',
  'pin-blocked':
    'The PIN is blocked after too many wrong ones. Who gave you the card can unblock it.',
  'pin-cancelled': 'You closed the window for the PIN. Nothing was signed.',
  'pin-timeout': 'Nobody entered the PIN in time. Nothing was signed.',
  'pin-busy': 'Cardwire asks for your PIN already: look for its window.',
  'dialog-unavailable':
    'Cardwire cannot show its window for the PIN. On Linux, install pinentry-gnome3 or pinentry-qt, and try again.',
}

/** Throws an error that is not of the library or the back end: it is a defect of the page. */
export function describeCardError(error: unknown): string {
  if (error instanceof BackEndError) return `${error.message}.`
  if (!CardwireError.is(error)) throw error
  if (error.reason === 'aborted') return 'Stopped. Nothing was signed.'
  if (error.problem === 'pin-wrong') return describeWrongPin(error.triesLeft)
  return sentences[error.problem ?? ''] ?? `${error.description}.`
}

function describeWrongPin(triesLeft: number | undefined): string {
  if (triesLeft === undefined) return 'The PIN was wrong.'
  if (triesLeft === 0) return sentences['pin-blocked'] ?? ''
  return `The PIN was wrong. ${triesLeft === 1 ? 'One try is left.' : `${triesLeft} tries are left.`}`
}
