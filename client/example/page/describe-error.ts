/** What the page says when something failed: the sentence for users on the page, the one for developers in the console. */
import { CardwireError, type CardwireErrorKind } from '@cardwire/client'
import { describe } from '@cardwire/client/describe'
import { BackEndError } from './back-end.ts'

/** Where the page knows more than the library: who reads it can install something. */
const sentencesOfThePage: Readonly<Partial<Record<CardwireErrorKind, string>>> = {
  'dialog-unavailable':
    'Cardwire can’t show its window. On Linux, install pinentry-gnome3 or pinentry-qt for PINs, and zenity or kdialog for folders. Then try again.',
}

/** Throws an error that is not of the library or the back end: it is a defect of the page. */
export function describeError(error: unknown): string {
  if (error instanceof BackEndError) return `${error.message}.`
  if (!CardwireError.is(error)) throw error
  // biome-ignore lint/suspicious/noConsole: where the developer of a page looks
  console.info(error.description)
  return sentencesOfThePage[error.kind] ?? describe(error)
}
