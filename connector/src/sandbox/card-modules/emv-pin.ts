/** The PIN of a payment card, which the card verifies itself (offline PIN, EMV 4.4 Book 3 §6.5.12, §10.5.1). */
import { findTlv, TlvError } from './ber-tlv.ts'
import { CardError } from './card-error.ts'
import type { CardSession } from './card-session.ts'
import { isOffered } from './card-status.ts'
import { openFirstApplication } from './emv-data.ts'

/** The cardholder verification methods of an application (annex C.3): two amounts, then rules of a method and a condition. */
const methodList = { tag: 0x8e, amounts: 8, rule: 2 } as const
/** Of a method: whether the next one follows where it fails. */
const methodBits = 0x3f
/** The card verifies the PIN as it is, alone or with a signature on paper. */
const plainPin: ReadonlySet<number> = new Set([0x01, 0x03])
/** PIN Try Counter, by GET DATA (§6.5.7). */
const tryCounter = { p1: 0x9f, p2: 0x17, tag: 0x9f17 } as const

/** Selects the first application. Throws unless its card verifies PINs as they are: others want them enciphered, or ask their bank. */
export function requirePlainPin(session: CardSession): void {
  const list = openFirstApplication(session).get(methodList.tag) ?? new Uint8Array()
  for (let at = methodList.amounts; at + methodList.rule <= list.length; at += methodList.rule) {
    if (plainPin.has((list[at] ?? 0) & methodBits)) return
  }
  const message = 'Cannot verify the PIN: the card verifies no PINs, or only enciphered ones'
  throw new CardError('card-unsupported', message)
}

/** Of the application that is selected; undefined: the card does not tell. Throws `card-mute` or TlvError when it fails. */
export function readPinTries(session: CardSession): number | undefined {
  const { p1, p2, tag } = tryCounter
  const { data, status } = session.send({ cla: 0x80, ins: 0xca, p1, p2, hasResponse: true })
  if (!isOffered(status)) return undefined
  const [tries] = findTlv(data, tag) ?? []
  if (tries === undefined) throw new TlvError('the counter of attempts is missing')
  return tries
}
