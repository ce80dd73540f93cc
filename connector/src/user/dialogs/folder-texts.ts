/** What the windows that ask for a folder say. */

import { toPrintableLines } from '@cardwire/protocol/printable'
import { findCatalog } from '../../languages/catalogs.ts'
import { shortenMiddle } from './shorten-middle.ts'

/** A title has one line of the window: of a long origin the end is shown, which tells who it is. */
const maxOriginLength = 60

/** `language`: the user's, a tag of BCP 47. */
export function describeFolders(origin: string, language: string) {
  const { cancel, folder: texts } = findCatalog(language).dialogs
  const shown = origin.length <= maxOriginLength ? origin : `…${origin.slice(1 - maxOriginLength)}`
  return {
    title: texts.title(shown),
    /** The question once a folder is chosen: it names the origin in full, and the folder. */
    confirm: (path: string) => ({
      title: 'Cardwire',
      text: toPrintableLines([
        texts.purpose(origin),
        shortenMiddle(path),
        '',
        texts.extent,
        '',
        texts.question,
      ]),
      accept: texts.accept,
      refuse: texts.refuse,
    }),
    /** The question whether another folder is to be chosen. */
    retry: (path: string) => ({
      title: 'Cardwire',
      text: toPrintableLines([shortenMiddle(path), '', texts.unsuitable]),
      accept: texts.choose,
      refuse: cancel,
    }),
  }
}
