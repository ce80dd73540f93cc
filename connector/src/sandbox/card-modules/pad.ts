/** PINs that the user types at the reader's own pad: what the reader is told, and what it answers (PC/SC part 10 v2.02.09 §2.5). */
import { CardError, UnsentPinError } from './card-error.ts'
import type { PinRule } from './pin-rule.ts'
import { refusePin } from './pin-status.ts'

/** How a pad makes the block of VERIFY from digits. */
export interface PadFormat {
  readonly encoding: 'ascii' | 'bcd'
  /** The block before any digit is in it; the digits begin at its left. Empty: the digits alone are the block, however many they are. */
  readonly block: Uint8Array
  /** Bytes of the block before the first digit; absent: none. */
  readonly position?: number
  /** Where the number of digits goes: its width and place in bits, from the begin of the block; absent: nowhere. */
  readonly length?: { readonly bits: number; readonly position: number }
}

/** The pad of a reader that sends VERIFY to the card by itself (FEATURE_VERIFY_PIN_DIRECT). */
export interface ReaderPad {
  /** Blocks until the user has typed, has cancelled, or was too slow; the status word of the card or of the reader. */
  verify(pinVerify: Uint8Array): Uint8Array
}

const encodings = { bcd: 0x01, ascii: 0x02 } as const
/** Positions are counted in bytes; digits are justified left (bit 2 is clear). */
const inBytes = 0x80
/** bEntryValidationCondition: the key that ends the entry. */
const validationKey = 0x02
/** bNumberMessage: the reader's own. */
const ownMessages = 0xff
/** wLangId: English (United States), which readers with one language have. */
const language = 0x0409
/** A pad takes no more digits (GnuPG, scd/apdu.c, asks for no more of any). */
const maxDigits = 15
/** Bytes before abData. */
const headerBytes = 19

/** The PIN_VERIFY structure (§2.5.2), packed, least significant bytes first. */
export function encodePinVerify(
  { reference, min, max }: PinRule & { readonly reference: number },
  { encoding, block, position = 0, length }: PadFormat,
  timeoutS: number,
): Uint8Array {
  const command = [0x00, 0x20, 0x00, reference, block.length, ...block]
  const bytes = new Uint8Array(headerBytes + command.length)
  const view = new DataView(bytes.buffer)
  // To the first digit, and after it.
  bytes.fill(timeoutS, 0, 2)
  bytes[2] = inBytes | (position << 3) | encodings[encoding]
  bytes[3] = ((length?.bits ?? 0) << 4) | (block.length - position)
  bytes[4] = length?.position ?? 0
  view.setUint16(5, (min << 8) | Math.min(max, maxDigits), true)
  bytes[7] = validationKey
  bytes[8] = ownMessages
  view.setUint16(9, language, true)
  view.setUint32(15, command.length, true)
  bytes.set(command, headerBytes)
  return bytes
}

/** Throws a CardError unless the PIN was right. */
export function verifyOnPad(pad: ReaderPad, pinVerify: Uint8Array): void {
  const [high, low, ...rest] = pad.verify(pinVerify)
  if (high === undefined || low === undefined || rest.length > 0) {
    throw new CardError('card-mute', "Cannot use the reader's pad: its response has no status")
  }
  const status = high * 0x100 + low
  if (status === 0x9000) return
  throw padFailures[status]?.() ?? refusePin(status)
}

/** Status words of the reader (§2.5.2; CCID 1.1 §6.1.11). */
const padFailures: Readonly<Record<number, () => CardError>> = {
  [0x6400]: () =>
    new CardError(
      'pin-timeout',
      'Cannot continue: the user did not enter a PIN on the reader in time',
    ),
  [0x6401]: () =>
    new CardError('pin-cancelled', 'Cannot continue: the user canceled on the reader'),
  [0x6403]: () => new UnsentPinError('Cannot use this PIN: its length is not valid for this card'),
}
