/** The PIN of a token: what the token says of it, and logging in with it. */
import { CardError, UnsentPinError } from '../card-modules/card-error.ts'
import { isPinAllowed, type PinRule } from '../card-modules/pin-rule.ts'
import { createBlockedError } from '../card-modules/pin-status.ts'
import { codes, Pkcs11Error } from '../pkcs11/codes.ts'
import { flags, userTypes } from '../pkcs11/layout.ts'
import type { Pkcs11, Session, TokenFields } from '../pkcs11/pkcs11.ts'
import type { TokenSlot } from './choose-slots.ts'

/** Frames to a process have room for no more. */
const maxPinLength = 255

/** undefined: it wants none. What it says of lengths is kept within reason. */
export function toPinRule({ flags: found, numbers }: TokenFields): PinRule | undefined {
  if ((found & flags.tokenLoginRequired) === 0) return undefined
  const [longest = 0n, shortest = 0n] = numbers.slice(4)
  const max = longest >= 1n && longest <= maxPinLength ? Number(longest) : maxPinLength
  const min = shortest >= 1n && shortest <= max ? Number(shortest) : 1
  return { min, max, alphabet: 'printable' }
}

/** Whether the user enters it at the token. */
export const hasOwnPad = ({ flags: found }: TokenFields): boolean =>
  (found & flags.tokenProtectedPath) !== 0

/** A token tells of the last try alone, not of the others. Throws `pin-blocked` when there is none. */
export function readTriesLeft({ flags: found }: TokenFields): number | undefined {
  if ((found & flags.pinLocked) !== 0) throw createBlockedError()
  return (found & flags.pinFinalTry) !== 0 ? 1 : undefined
}

export interface Login {
  readonly session: Session
  readonly slot: TokenSlot
  /** undefined: the user enters it at the token. */
  readonly pin: Uint8Array | undefined
}

/** Logs in, does something, and logs out. Throws a CardError when the token refuses the PIN. */
export function withLogin<T>(pkcs11: Pkcs11, login: Login, act: () => T): T {
  const { session, slot, pin } = login
  const rule = toPinRule(slot.token)
  readTriesLeft(pkcs11.readToken(slot.slot))
  if (rule && pin && !isPinAllowed(rule, pin)) {
    throw new UnsentPinError(
      'Cannot use this PIN: its length or characters are not valid for this token',
    )
  }
  const logout = () => ignoreErrors(() => pkcs11.logout(session))
  try {
    enterPin(pkcs11, login, userTypes.user)
  } catch (error) {
    if (!isCode(error, codes.CKR_USER_ALREADY_LOGGED_IN)) throw error
    // Somebody else's PIN is not this one.
    logout()
    enterPin(pkcs11, login, userTypes.user)
  }
  try {
    return act()
  } finally {
    logout()
  }
}

/** `user`: the whole token, or one use of a key. */
export function enterPin(pkcs11: Pkcs11, { session, slot, pin }: Login, user: number): void {
  try {
    pkcs11.login(session, user, pin)
  } catch (error) {
    if (!isCode(error, codes.CKR_PIN_INCORRECT)) throw error
    const triesLeft = readTriesAfterWrongPin(pkcs11, slot)
    throw triesLeft === undefined
      ? new CardError('pin-wrong', 'The PIN is wrong')
      : new CardError('pin-wrong', 'The PIN is wrong: 1 try left', triesLeft)
  }
}

/** undefined also where the token does not answer: the PIN is wrong all the same. */
function readTriesAfterWrongPin(pkcs11: Pkcs11, { slot }: TokenSlot): number | undefined {
  let token: TokenFields | undefined
  ignoreErrors(() => {
    token = pkcs11.readToken(slot)
  })
  return token && readTriesLeft(token)
}

export function ignoreErrors(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof Pkcs11Error)) throw error
  }
}

const isCode = (error: unknown, code: number): boolean =>
  error instanceof Pkcs11Error && error.code === code
