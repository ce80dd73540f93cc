/** What the page says when a file or folder cannot be used: one table with the problems of file exchange. */
import { CardwireError } from '@cardwire/client'

/** Problems that the page has words for; for every other the description of the library is as good. */
const sentences: Readonly<Record<string, string>> = {
  'file-type-refused':
    'You gave this page no folder. Cardwire waits half a minute before it asks again, and longer after each further no.',
  'file-type-unknown': 'This page has this folder no longer: choose one again.',
  'file-type-unmapped':
    'The folder is not there any more, or no site may have it: choose another one.',
  'file-path-refused':
    'Cardwire refuses this name: sites write documents of known types, such as .pdf and .txt, and some systems cannot keep every name.',
  'file-taken': 'There is a file of this name already, and nothing is replaced: take another name.',
  'file-unknown': 'The file is not there any more.',
  'file-too-large': 'The file is too large: 50 MiB at most.',
  'disk-full': 'The disk is full. Nothing was saved.',
  'pin-busy': 'Cardwire asks you something already: look for its window.',
  'dialog-unavailable':
    'Cardwire cannot show its window for folders. On Linux, install zenity or kdialog, and try again.',
}

/** Throws an error that is not of the library: it is a defect of the page. */
export function describeFileError(error: unknown): string {
  if (!CardwireError.is(error)) throw error
  return sentences[error.problem ?? ''] ?? `${error.description}.`
}
