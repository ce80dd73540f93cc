/** Commands of a page to a card: one transaction from the first to the last, with a reset before and after. */

import type { RawRequest, RawResult } from '../system/ipc/card-messages.ts'
import { CardError } from './card-modules/card-error.ts'
import { connect, openLibrary, type Phase, translateErrors } from './card-transaction.ts'
import { ignorePcscErrors } from './pcsc/codes.ts'
import type { CardPcsc, Connection } from './pcsc/pcsc.ts'

interface Held {
  readonly pcsc: CardPcsc
  readonly connection: Connection
}

/** `onPhase` is called before what may block. When the process ends, the card service resets the card. */
export function createRawWorker(
  open: () => CardPcsc,
  onPhase: (phase: Phase) => void,
): (request: RawRequest) => RawResult {
  let held: Held | undefined
  const requireHeld = (): Held => {
    if (held) return held
    throw new CardError('card-changed', 'Cannot continue: the card is no longer held')
  }
  const hold = (reader: string): Held => {
    const pcsc = openLibrary(open)
    const context = pcsc.establish()
    onPhase('waiting')
    const connection = connect(pcsc, context, reader)
    translateErrors(() => pcsc.begin(connection))
    onPhase('working')
    // Within the transaction: what another program has verified is forgotten, and no other gets in between.
    return { pcsc, connection: translateErrors(() => pcsc.reset(connection)) }
  }
  return ({ reader, raw }) => {
    switch (raw.kind) {
      case 'open':
        held ??= hold(reader)
        return { kind: 'raw-open', protocol: held.connection.protocol === 1 ? 'T=0' : 'T=1' }
      case 'transmit': {
        const { pcsc, connection } = requireHeld()
        const command = Buffer.from(raw.command, 'base64')
        const answer = translateErrors(() => pcsc.transmit(connection, command))
        return { kind: 'raw-transmit', answer: Buffer.from(answer).toString('base64') }
      }
      case 'close': {
        const { pcsc, connection } = requireHeld()
        held = undefined
        ignorePcscErrors(() => pcsc.end(connection, 'reset'))
        ignorePcscErrors(() => pcsc.disconnect(connection, 'alone'))
        return { kind: 'raw-close' }
      }
    }
  }
}
