/** What the question for the use of a key says. */

import { toPrintableLines } from '@cardwire/protocol/printable'
import { findCatalog } from '../../languages/catalogs.ts'
import type { KeyUseRequest } from './key-request.ts'
import { shortenMiddle } from './shorten-middle.ts'

/** In the language that the page wishes, else in that of the user: tags of BCP 47. */
export function describeKeyUse(
  {
    origin,
    act,
    subject,
    issuer,
    language: wished,
  }: Pick<KeyUseRequest, 'origin' | 'act' | 'subject' | 'issuer' | 'language'>,
  language: string,
) {
  const { dialogs } = findCatalog(wished, language)
  const texts = dialogs.key
  const text = toPrintableLines([
    texts.purposes[act](origin ?? dialogs.program),
    '',
    texts.certificate(shortenMiddle(subject)),
    texts.issuer(shortenMiddle(issuer)),
    '',
    texts.question,
  ])
  return { title: 'Cardwire', text, accept: texts.accept, refuse: texts.refuse }
}
