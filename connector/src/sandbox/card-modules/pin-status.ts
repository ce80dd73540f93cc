/** What a card answers to VERIFY (ISO/IEC 7816-4 §7.5.1, §11.5). */
import { CardError } from './card-error.ts'
import { requireUncounted } from './card-status.ts'

export function refusePin(status: number): CardError {
  const triesLeft = readTriesLeft(status)
  if (triesLeft === 0) return createBlockedError()
  if (triesLeft !== undefined) {
    return new CardError(
      'pin-wrong',
      `The PIN is wrong: ${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left`,
      triesLeft,
    )
  }
  // Security status not satisfied, which OpenPGP cards answer to a wrong PIN (§7.2.2 of their specification).
  if (status >> 8 === 0x63 || status === 0x6982)
    return new CardError('pin-wrong', 'The PIN is wrong')
  return new CardError('pin-invalid', 'Cannot use this PIN: the card refuses it')
}

/** undefined: the status word does not tell. */
export const readTriesLeft = (status: number): number | undefined => {
  // Blocked, or not usable any more, which payment cards answer to the first command after that (EMV 4.4 Book 3 §6.5.12.5).
  if (status === 0x6983 || status === 0x6984) return 0
  return (status & 0xfff0) === 0x63c0 ? status & 0x0f : undefined
}

/** Of VERIFY without data; undefined: the card does not report it so. Throws `card-mute` for a card that fails. */
export function readReportedTries(status: number): number | undefined {
  const triesLeft = readTriesLeft(status)
  if (triesLeft === undefined) requireUncounted(status)
  return triesLeft
}

export const createBlockedError = (): CardError =>
  new CardError('pin-blocked', 'Cannot use the PIN: it is blocked after too many wrong ones', 0)
