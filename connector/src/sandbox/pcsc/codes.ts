/** What the card service answers when it does not succeed: every code with its name and a sentence. */

interface Entry {
  readonly value: number
  /** For a user, without full stop. */
  readonly meaning: string
}

/**
 * Names and values of pcsclite.h and winscard.h. Two of them differ: 0x8010001F is also SCARD_E_UNSUPPORTED_FEATURE to
 * pcsc-lite, which has no 0x80100022.
 */
export const codes = {
  SCARD_F_INTERNAL_ERROR: {
    value: 0x80100001,
    meaning: 'The card service reported an internal error',
  },
  SCARD_E_CANCELLED: { value: 0x80100002, meaning: 'The call was canceled' },
  SCARD_E_INVALID_HANDLE: {
    value: 0x80100003,
    meaning: 'The connection to the card service or the card is no longer valid',
  },
  SCARD_E_INVALID_PARAMETER: {
    value: 0x80100004,
    meaning: 'The card service could not make sense of a parameter',
  },
  SCARD_E_INVALID_TARGET: {
    value: 0x80100005,
    meaning: "The system's settings for starting this are missing or broken",
  },
  SCARD_E_NO_MEMORY: { value: 0x80100006, meaning: 'There is not enough memory' },
  SCARD_F_WAITED_TOO_LONG: {
    value: 0x80100007,
    meaning: 'A part of the card service did not respond in time',
  },
  SCARD_E_INSUFFICIENT_BUFFER: {
    value: 0x80100008,
    meaning: 'The response is longer than the buffer for it',
  },
  SCARD_E_UNKNOWN_READER: { value: 0x80100009, meaning: 'There is no reader of this name' },
  SCARD_E_TIMEOUT: { value: 0x8010000a, meaning: 'Nothing happened in the time allowed' },
  SCARD_E_SHARING_VIOLATION: {
    value: 0x8010000b,
    meaning: 'Another program has exclusive use of the reader',
  },
  SCARD_E_NO_SMARTCARD: { value: 0x8010000c, meaning: 'There is no card in the reader' },
  SCARD_E_UNKNOWN_CARD: { value: 0x8010000d, meaning: 'The system knows no card of this name' },
  SCARD_E_CANT_DISPOSE: {
    value: 0x8010000e,
    meaning: 'The reader cannot leave the card in the state asked for',
  },
  SCARD_E_PROTO_MISMATCH: {
    value: 0x8010000f,
    meaning: 'The card does not speak the protocol asked for',
  },
  SCARD_E_NOT_READY: { value: 0x80100010, meaning: 'The reader or the card is not ready yet' },
  SCARD_E_INVALID_VALUE: {
    value: 0x80100011,
    meaning: 'A value lies outside what the card service accepts',
  },
  SCARD_E_SYSTEM_CANCELLED: {
    value: 0x80100012,
    meaning: 'The system canceled the call, as it does before it shuts down',
  },
  SCARD_F_COMM_ERROR: { value: 0x80100013, meaning: 'The connection to the card service broke' },
  SCARD_F_UNKNOWN_ERROR: {
    value: 0x80100014,
    meaning: 'The card service failed and does not know why',
  },
  SCARD_E_INVALID_ATR: { value: 0x80100015, meaning: 'The answer to reset is not a valid one' },
  SCARD_E_NOT_TRANSACTED: {
    value: 0x80100016,
    meaning: 'There is no transaction to end, or the exchange with the reader failed',
  },
  SCARD_E_READER_UNAVAILABLE: {
    value: 0x80100017,
    meaning: 'The reader was unplugged or cannot be used now',
  },
  SCARD_P_SHUTDOWN: {
    value: 0x80100018,
    meaning: 'The call was given up so that the program can end',
  },
  SCARD_E_PCI_TOO_SMALL: {
    value: 0x80100019,
    meaning: 'The buffer for the protocol header of the response is too small',
  },
  SCARD_E_READER_UNSUPPORTED: {
    value: 0x8010001a,
    meaning: 'The driver of the reader lacks something essential',
  },
  SCARD_E_DUPLICATE_READER: { value: 0x8010001b, meaning: 'Two readers came with one name' },
  SCARD_E_CARD_UNSUPPORTED: { value: 0x8010001c, meaning: 'The card lacks something essential' },
  SCARD_E_NO_SERVICE: { value: 0x8010001d, meaning: 'The card service is not running' },
  SCARD_E_SERVICE_STOPPED: { value: 0x8010001e, meaning: 'The card service has stopped' },
  SCARD_E_UNEXPECTED: {
    value: 0x8010001f,
    meaning: 'The reader does not support this, or the card did something unexpected',
  },
  SCARD_E_ICC_INSTALLATION: {
    value: 0x80100020,
    meaning: 'No provider is installed for this card',
  },
  SCARD_E_ICC_CREATEORDER: {
    value: 0x80100021,
    meaning: 'The card does not create objects in this order',
  },
  SCARD_E_UNSUPPORTED_FEATURE: {
    value: 0x80100022,
    meaning: 'The card or the reader does not support this',
  },
  SCARD_E_DIR_NOT_FOUND: { value: 0x80100023, meaning: 'The card has no such directory' },
  SCARD_E_FILE_NOT_FOUND: { value: 0x80100024, meaning: 'The card has no such file' },
  SCARD_E_NO_DIR: { value: 0x80100025, meaning: 'The path on the card is not a directory' },
  SCARD_E_NO_FILE: { value: 0x80100026, meaning: 'The path on the card is not a file' },
  SCARD_E_NO_ACCESS: { value: 0x80100027, meaning: 'The card denies access to this file' },
  SCARD_E_WRITE_TOO_MANY: { value: 0x80100028, meaning: 'The card has no room left' },
  SCARD_E_BAD_SEEK: { value: 0x80100029, meaning: 'The position lies outside the file' },
  SCARD_E_INVALID_CHV: { value: 0x8010002a, meaning: 'The PIN is wrong' },
  SCARD_E_UNKNOWN_RES_MNG: {
    value: 0x8010002b,
    meaning: 'A lower layer returned an unknown code',
  },
  SCARD_E_NO_SUCH_CERTIFICATE: { value: 0x8010002c, meaning: 'There is no such certificate' },
  SCARD_E_CERTIFICATE_UNAVAILABLE: {
    value: 0x8010002d,
    meaning: 'The certificate could not be read',
  },
  SCARD_E_NO_READERS_AVAILABLE: { value: 0x8010002e, meaning: 'No reader is attached' },
  SCARD_E_COMM_DATA_LOST: {
    value: 0x8010002f,
    meaning: 'Data was lost on the way to the card; trying again may help',
  },
  SCARD_E_NO_KEY_CONTAINER: { value: 0x80100030, meaning: 'The card has no such key container' },
  SCARD_E_SERVER_TOO_BUSY: { value: 0x80100031, meaning: 'The card service is too busy' },
  SCARD_E_PIN_CACHE_EXPIRED: { value: 0x80100032, meaning: 'The remembered PIN has expired' },
  SCARD_E_NO_PIN_CACHE: {
    value: 0x80100033,
    meaning: 'The PIN of this card may not be remembered',
  },
  SCARD_E_READ_ONLY_CARD: { value: 0x80100034, meaning: 'The card can only be read' },
  SCARD_W_UNSUPPORTED_CARD: {
    value: 0x80100065,
    meaning: 'The reader cannot talk to a card with this answer to reset',
  },
  SCARD_W_UNRESPONSIVE_CARD: {
    value: 0x80100066,
    meaning: 'The card is not responding; it may be inserted the wrong way round',
  },
  SCARD_W_UNPOWERED_CARD: { value: 0x80100067, meaning: 'The card has no power' },
  SCARD_W_RESET_CARD: { value: 0x80100068, meaning: 'Another program reset the card' },
  SCARD_W_REMOVED_CARD: { value: 0x80100069, meaning: 'The card was removed' },
  SCARD_W_SECURITY_VIOLATION: {
    value: 0x8010006a,
    meaning: 'The system does not let this user at the card service',
  },
  SCARD_W_WRONG_CHV: { value: 0x8010006b, meaning: 'The PIN is wrong' },
  SCARD_W_CHV_BLOCKED: {
    value: 0x8010006c,
    meaning: 'The PIN is blocked after too many wrong ones',
  },
  SCARD_W_EOF: { value: 0x8010006d, meaning: 'The end of the file on the card is reached' },
  SCARD_W_CANCELLED_BY_USER: { value: 0x8010006e, meaning: 'The user canceled' },
  SCARD_W_CARD_NOT_AUTHENTICATED: { value: 0x8010006f, meaning: 'The card wants a PIN first' },
  SCARD_W_CACHE_ITEM_NOT_FOUND: { value: 0x80100070, meaning: 'The item is not in the cache' },
  SCARD_W_CACHE_ITEM_STALE: { value: 0x80100071, meaning: 'The item in the cache is out of date' },
  SCARD_W_CACHE_ITEM_TOO_BIG: { value: 0x80100072, meaning: 'The item is too big for the cache' },
} as const satisfies Record<string, Entry>

export type PcscCode = keyof typeof codes

const names = new Map<number, PcscCode>()
for (const name of Object.keys(codes)) if (isPcscCode(name)) names.set(codes[name].value, name)

export function isPcscCode(name: string): name is PcscCode {
  return Object.hasOwn(codes, name)
}

/** The name of a 32-bit answer; one that nobody named keeps its digits, such as `0x00000006`. */
export const getCodeName = (value: number): string =>
  names.get(value) ?? `0x${value.toString(16).toUpperCase().padStart(8, '0')}`

/** The sentence for a name, and for one that nobody wrote a sentence for. */
export const getCodeMeaning = (name: string): string =>
  isPcscCode(name) ? codes[name].meaning : 'The smart card service returned a code of the system'

/** A call of PC/SC that did not succeed. `code` is a name such as SCARD_E_NO_SERVICE. */
export class PcscError extends Error {
  override readonly name = 'PcscError'
  readonly call: string
  readonly code: string
  constructor(call: string, value: number) {
    const code = getCodeName(value)
    super(`Cannot ${call}: ${code}, ${getCodeMeaning(code)}`)
    this.call = call
    this.code = code
  }
}

/** Does what may fail without harm, such as letting go of what the card service has forgotten already. */
export function ignorePcscErrors<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof PcscError)) throw error
    return undefined
  }
}
