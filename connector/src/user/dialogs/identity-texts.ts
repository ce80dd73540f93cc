/** What the question for identity data says. */

import { toPrintableLines } from '@cardwire/protocol/printable'
import { findCatalog, nameCard } from '../../languages/catalogs.ts'
import type { IdentityRequest } from './identity-request.ts'
import { shortenMiddle } from './shorten-middle.ts'

/** `language`: the user's, a tag of BCP 47. */
export function describeIdentity(
  { origin, module, data, card, reader }: Omit<IdentityRequest, 'signal'>,
  language: string,
) {
  const { dialogs } = findCatalog(language)
  const texts = dialogs.identity
  const list = (all: readonly string[]): string =>
    all.length > 1 ? texts.and(all.slice(0, -1).join(', '), all.at(-1) ?? '') : all.join('')
  const text = toPrintableLines([
    texts.purpose(origin ?? dialogs.program),
    texts.data(list(data.map((one) => texts.holder[one]))),
    origin === undefined ? texts.once : texts.untilRevoked,
    '',
    dialogs.card(shortenMiddle(nameCard(dialogs, module, card))),
    dialogs.reader(shortenMiddle(reader)),
    '',
    texts.question,
  ])
  return { title: 'Cardwire', text, accept: texts.accept, refuse: texts.refuse }
}
