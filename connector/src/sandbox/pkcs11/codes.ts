/** What a PKCS #11 library answers when it does not succeed, and the problem that it is for a caller. */
import { CardError, type CardProblem } from '../card-modules/card-error.ts'

/** A function has answered with this code. */
export class Pkcs11Error extends Error {
  readonly code: number

  constructor(call: string, code: number) {
    super(`${call} returned ${codeNames.get(code) ?? `0x${code.toString(16)}`}`)
    this.code = code
  }
}

/** The values of CK_RV that we tell apart (pkcs11t.h of PKCS #11 v2.40). */
export const codes = {
  CKR_OK: 0x0,
  CKR_CANCEL: 0x1,
  CKR_SLOT_ID_INVALID: 0x3,
  CKR_ATTRIBUTE_SENSITIVE: 0x11,
  CKR_ATTRIBUTE_TYPE_INVALID: 0x12,
  CKR_DATA_INVALID: 0x20,
  CKR_DATA_LEN_RANGE: 0x21,
  CKR_DEVICE_ERROR: 0x30,
  CKR_DEVICE_REMOVED: 0x32,
  CKR_FUNCTION_CANCELED: 0x50,
  CKR_FUNCTION_NOT_SUPPORTED: 0x54,
  CKR_KEY_TYPE_INCONSISTENT: 0x63,
  CKR_KEY_FUNCTION_NOT_PERMITTED: 0x68,
  CKR_MECHANISM_INVALID: 0x70,
  CKR_MECHANISM_PARAM_INVALID: 0x71,
  CKR_PIN_INCORRECT: 0xa0,
  CKR_PIN_INVALID: 0xa1,
  CKR_PIN_LEN_RANGE: 0xa2,
  CKR_PIN_EXPIRED: 0xa3,
  CKR_PIN_LOCKED: 0xa4,
  CKR_TOKEN_NOT_PRESENT: 0xe0,
  CKR_TOKEN_NOT_RECOGNIZED: 0xe1,
  CKR_USER_ALREADY_LOGGED_IN: 0x100,
  CKR_USER_NOT_LOGGED_IN: 0x101,
  CKR_USER_PIN_NOT_INITIALIZED: 0x102,
  CKR_BUFFER_TOO_SMALL: 0x150,
  CKR_CRYPTOKI_ALREADY_INITIALIZED: 0x191,
  CKR_FUNCTION_REJECTED: 0x200,
} as const

const codeNames = new Map<number, string>(
  Object.entries(codes).map(([name, value]) => [value, name]),
)

type Fault = readonly [CardProblem, string]

const absent: Fault = ['card-absent', 'Cannot use the token: it is no longer there']
const unsupported: Fault = ['key-unsupported', 'Cannot sign: the token refuses it with this key']
const cancelled: Fault = ['pin-cancelled', 'The user gave up']
const invalid: Fault = [
  'pin-invalid',
  'Cannot use this PIN: its length or characters are not valid for this token',
]

/** What a code is for a caller; every other one says that the token does not work. */
const faults = new Map<number, Fault>([
  [codes.CKR_SLOT_ID_INVALID, absent],
  [codes.CKR_DEVICE_REMOVED, absent],
  [codes.CKR_TOKEN_NOT_PRESENT, absent],
  [
    codes.CKR_TOKEN_NOT_RECOGNIZED,
    ['card-unsupported', 'Cannot use the card: its library does not know it'],
  ],
  [codes.CKR_DATA_INVALID, unsupported],
  [codes.CKR_DATA_LEN_RANGE, unsupported],
  [codes.CKR_KEY_TYPE_INCONSISTENT, unsupported],
  [codes.CKR_KEY_FUNCTION_NOT_PERMITTED, unsupported],
  [codes.CKR_MECHANISM_INVALID, unsupported],
  [codes.CKR_MECHANISM_PARAM_INVALID, unsupported],
  [codes.CKR_CANCEL, cancelled],
  [codes.CKR_FUNCTION_CANCELED, cancelled],
  [codes.CKR_FUNCTION_REJECTED, cancelled],
  [codes.CKR_PIN_INCORRECT, ['pin-wrong', 'The PIN is wrong']],
  [codes.CKR_PIN_LOCKED, ['pin-blocked', 'Cannot use the PIN: it is blocked']],
  [
    codes.CKR_PIN_EXPIRED,
    ['pin-invalid', 'Cannot use this PIN: it has expired, its owner has to change it'],
  ],
  [codes.CKR_PIN_INVALID, invalid],
  [codes.CKR_PIN_LEN_RANGE, invalid],
  [codes.CKR_USER_PIN_NOT_INITIALIZED, ['pin-invalid', 'Cannot use a PIN: the token has none yet']],
])

/** The problem that a failed call is. */
export function toCardError({ code, message }: Pkcs11Error): CardError {
  const [problem, sentence] = faults.get(code) ?? [
    'card-mute',
    `Cannot use the token: its library fails, ${message}`,
  ]
  return new CardError(problem, sentence)
}
