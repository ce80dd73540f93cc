/** What a PIN dialog says. */

import { toPrintableLines } from '@cardwire/protocol/printable'
import { findCatalog, nameCard } from '../../languages/catalogs.ts'
import type { Catalog } from '../../languages/en/catalog.ts'
import type { Question } from '../../system/desktop/question.ts'
import type { AttemptConfirmation, PinRequest } from './pin-request.ts'
import { shortenMiddle } from './shorten-middle.ts'

/** In the first of these languages that we have; tags of BCP 47. */
export const findTexts = (...wanted: readonly (string | undefined)[]): PinTexts =>
  findCatalog(...wanted).dialogs

type PinTexts = Catalog['dialogs']

/** The text of the dialog: who asks for what, with which card in which reader, and how many tries are left. */
export function describe(request: PinRequest, texts: PinTexts): string {
  const { count = 1, kept } = request
  const manner = [
    ...(count > 1 ? [texts.pin.signatures(count)] : []),
    ...(kept ? [texts.pin.kept(kept.signatures, kept.idleMs / 1000)] : []),
  ]
  return toPrintableLines(describeWith(request, texts, manner))
}

/** The text of the notice for a reader with a pad: the same, and where the PIN is typed. */
export const describePad = (request: PinRequest, texts: PinTexts): string =>
  toPrintableLines(describeWith(request, texts, [texts.pin.typeAtReader(request.count ?? 1)]))

/** The question before an attempt: who wants it, and why the user is asked. */
export function describeAttempt(
  request: PinRequest,
  { reason, triesLeft }: AttemptConfirmation,
  texts: PinTexts,
): Question {
  const { reasons, question, accept } = texts.pin.attempt
  const described = { ...request, triesLeft: reason === 'last' ? undefined : triesLeft }
  const lines = [...describeWith(described, texts, [reasons[reason]]), '', question]
  const text = toPrintableLines(lines)
  return { title: 'Cardwire', text, accept, refuse: texts.cancel }
}

function describeWith(
  { act, origin, reader, card, module, triesLeft }: PinRequest,
  texts: PinTexts,
  manner: readonly string[],
): readonly string[] {
  return [
    texts.pin.purpose[act](origin ?? texts.program),
    ...manner,
    ...(act === 'check' ? [texts.pin.checkOnly] : []),
    '',
    texts.card(shortenMiddle(nameCard(texts, module, card))),
    texts.reader(shortenMiddle(reader)),
    ...(triesLeft === undefined ? [] : [texts.pin.tries(triesLeft)]),
  ]
}
