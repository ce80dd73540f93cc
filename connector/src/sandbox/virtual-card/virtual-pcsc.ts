/** PC/SC for the virtual reader: its card is a PIV card in software where the ATR says so, and else one that knows no command. */
import { piv } from '../card-modules/piv.ts'
import { codes, type PcscCode, PcscError } from '../pcsc/codes.ts'
import type { CardPcsc } from '../pcsc/pcsc.ts'
import { findInsertedCard, type InsertedCard, virtualReaderName } from './card-file.ts'
import { createPivCard, type EmulatedCard } from './piv-card.ts'
import { createStoredTries, loadCardKeys, virtualCardPin } from './stored-card.ts'

/** `file` holds the ATR of the card that is in the reader. */
export function openVirtualPcsc(file: string): CardPcsc {
  let present: {
    readonly insertion: string
    readonly card: Pick<EmulatedCard, 'respond' | 'reset'>
  }

  const requireCard = (call: string) => {
    const found = findInsertedCard(file)
    if (found && present?.insertion === found.insertion) return present.card
    return fail(call, 'SCARD_W_REMOVED_CARD')
  }
  const leaveCard = (leave: 'alone' | 'reset') => {
    if (leave === 'reset') present.card.reset()
  }

  return {
    establish: () => 1n,
    isValid: () => true,
    listReaders: () => [virtualReaderName],
    connect(_context, reader) {
      if (reader !== virtualReaderName) fail('SCardConnect', 'SCARD_E_UNKNOWN_READER')
      const found = findInsertedCard(file) ?? fail('SCardConnect', 'SCARD_E_NO_SMARTCARD')
      if (present?.insertion !== found.insertion) {
        present = { insertion: found.insertion, card: openCard(file, found) }
      }
      // 2 is T=1.
      return { handle: 1n, protocol: 2 }
    },
    reset(connection) {
      requireCard('SCardReconnect')
      present.card.reset()
      return connection
    },
    // It has no pad, and nothing else to tell of itself.
    getControlCode: (number) => number,
    control: () => fail('SCardControl', 'SCARD_E_UNSUPPORTED_FEATURE'),
    begin: () => void requireCard('SCardBeginTransaction'),
    transmit: (_connection, apdu) => requireCard('SCardTransmit').respond(apdu),
    end: (_connection, leave) => leaveCard(leave),
    disconnect: (_connection, leave) => leaveCard(leave),
  }
}

function fail(call: string, code: PcscCode): never {
  throw new PcscError(call, codes[code].value)
}

function openCard(
  file: string,
  { atr, insertion }: InsertedCard,
): Pick<EmulatedCard, 'respond' | 'reset'> {
  const isPiv = piv.atrs.some((pattern) => pattern.test(atr))
  const keys = isPiv ? loadCardKeys(file) : undefined
  if (!keys) return unknownCard
  const tries = createStoredTries(file, insertion)
  return createPivCard({ keys, pin: virtualCardPin, protocol: 'T=1', tries })
}

/** Answers that it has no such command (ISO/IEC 7816-4, table 6). */
const unknownCard = { respond: () => Uint8Array.of(0x6d, 0x00), reset: () => undefined }
