/** One operation with a card is one transaction of PC/SC; a card that a PIN was sent to is reset before anybody else has it. */

import type { CardRequest, CardResult } from '../system/ipc/card-messages.ts'
import { CardError, type CardProblem } from './card-modules/card-error.ts'
import { createCardSession } from './card-modules/card-session.ts'
import type { ReaderPad } from './card-modules/pad.ts'
import { runOperation } from './card-modules/run-operation.ts'
import { readFeatures } from './features.ts'
import { ignorePcscErrors, PcscError } from './pcsc/codes.ts'
import type { CardPcsc, Connection, Context } from './pcsc/pcsc.ts'

export type Phase = 'waiting' | 'working'

/** `open` loads the library at the first request. `onPhase` is called before what may block. */
export function createCardWorker(
  open: () => CardPcsc,
  onPhase: (phase: Phase) => void,
): (request: CardRequest, pin: Uint8Array) => CardResult {
  let pcsc: CardPcsc | undefined
  let context: Context | undefined
  return (request, pin) => {
    pcsc ??= openLibrary(open)
    if (context === undefined || !pcsc.isValid(context)) context = pcsc.establish()
    onPhase('waiting')
    const connection = connect(pcsc, context, request.reader)
    const held: HeldCard = { connection, leave: 'alone' }
    const { disconnect } = pcsc
    try {
      return withTransaction(pcsc, held, request, pin, onPhase)
    } finally {
      ignorePcscErrors(() => disconnect(connection, held.leave))
    }
  }
}

interface HeldCard {
  readonly connection: Connection
  /** `reset`: a PIN was sent to the card, and it has not been reset since. */
  leave: 'alone' | 'reset'
}

function withTransaction(
  pcsc: CardPcsc,
  held: HeldCard,
  { operation, timeoutMs }: CardRequest,
  pin: Uint8Array,
  onPhase: (phase: Phase) => void,
): CardResult {
  const { connection } = held
  translateErrors(() => pcsc.begin(connection))
  onPhase('working')
  const end = performance.now() + timeoutMs
  try {
    const session = createCardSession({
      protocol: connection.protocol === 1 ? 'T=0' : 'T=1',
      transmit: (apdu) => translateErrors(() => pcsc.transmit(connection, apdu)),
      isOver: () => performance.now() > end,
    })
    return runOperation(session, operation, {
      pin,
      onPin: () => {
        held.leave = 'reset'
      },
      findPad: () => findPad(pcsc, connection),
    })
  } finally {
    // Where this fails, the end of the connection resets the card.
    ignorePcscErrors(() => {
      pcsc.end(connection, held.leave)
      held.leave = 'alone'
    })
  }
}

/**
 * FEATURE_VERIFY_PIN_DIRECT (PC/SC part 10 §2.2). Asked only of a reader that was listed with a pad: one that fails now has not lost it, and
 * the PIN is not typed on the computer instead.
 */
function findPad(pcsc: CardPcsc, connection: Connection): ReaderPad | undefined {
  const features = translateErrors(() => readFeatures(pcsc, connection))
  const code = features.find(({ tag }) => tag === verifyPinDirect)?.code
  if (code === undefined) return undefined
  return {
    verify: (pinVerify) => translateErrors(() => pcsc.control(connection, code, pinVerify)),
  }
}
const verifyPinDirect = 0x06

export function openLibrary(open: () => CardPcsc): CardPcsc {
  try {
    return open()
  } catch {
    throw new CardError(
      'pcsc-unavailable',
      'Cannot use the card: the smart card service is not running, start it and try again',
    )
  }
}

export const connect = (pcsc: CardPcsc, context: Context, reader: string): Connection =>
  translateErrors(() => {
    // A name is known to the library as its bytes once it was listed.
    pcsc.listReaders(context)
    return pcsc.connect(context, reader, 'shared')
  })

export function translateErrors<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    const found = error instanceof PcscError ? faults[error.code] : undefined
    if (!found) throw error
    throw new CardError(...found)
  }
}

const absent = ['card-absent', 'Cannot use the card: there is none in the reader'] as const
const mute = ['card-mute', 'Cannot use the card: it is not responding'] as const
const changed = [
  'card-changed',
  'Cannot continue: another program has reset the card, try again',
] as const

/** What the codes of the card service are for a caller; every other one says that the service is not to be used. */
const faults: Readonly<Record<string, readonly [CardProblem, string]>> = {
  SCARD_E_NO_SMARTCARD: absent,
  SCARD_W_REMOVED_CARD: absent,
  SCARD_E_UNKNOWN_READER: absent,
  SCARD_E_READER_UNAVAILABLE: absent,
  SCARD_E_SHARING_VIOLATION: [
    'card-busy',
    'Cannot use the card: another program uses it exclusively, close that program and try again',
  ],
  SCARD_W_UNRESPONSIVE_CARD: mute,
  SCARD_W_UNPOWERED_CARD: mute,
  SCARD_W_UNSUPPORTED_CARD: mute,
  SCARD_E_NOT_TRANSACTED: mute,
  SCARD_E_PROTO_MISMATCH: mute,
  SCARD_E_COMM_DATA_LOST: mute,
  SCARD_E_TIMEOUT: mute,
  SCARD_F_COMM_ERROR: mute,
  SCARD_E_INSUFFICIENT_BUFFER: mute,
  SCARD_W_RESET_CARD: changed,
}
