/** What the question for identity data says. */
import { findCatalog } from '../../languages/catalogs.ts'
import { toPrintableLines } from '../../printable.ts'
import type { IdentityRequest } from './identity-request.ts'

/** `language`: the user's, a tag of BCP 47. */
export function describeIdentity(
  { origin, card, reader }: Pick<IdentityRequest, 'origin' | 'card' | 'reader'>,
  language: string,
) {
  const { dialogs } = findCatalog(language)
  const texts = dialogs.identity
  const text = toPrintableLines([
    texts.purpose(origin ?? dialogs.program),
    texts.data,
    origin === undefined ? texts.once : texts.untilRevoked,
    '',
    dialogs.card(card),
    dialogs.reader(reader),
    '',
    texts.question,
  ])
  return { title: 'Cardwire', text, accept: texts.accept, refuse: texts.refuse }
}
