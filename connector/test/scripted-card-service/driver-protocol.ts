/** The lines between the scripted card service and its driver, as `service.c` describes them. */

export type CallName =
  | 'establish'
  | 'release'
  | 'is-valid'
  | 'cancel'
  | 'list-readers'
  | 'status-change'
  | 'connect'
  | 'reconnect'
  | 'disconnect'
  | 'begin'
  | 'end'
  | 'status'
  | 'transmit'
  | 'control'
  | 'get-attribute'
  | 'set-attribute'

export interface Call {
  /** The process that calls, as its own system counts it. */
  readonly pid: number
  readonly system: 'linux' | 'windows'
  readonly name: CallName
  /** The context or card it is about; the scope when one is established. */
  readonly handle: number
  /** What follows the handle: numbers in decimal, bytes and names in hex behind an `x`. */
  readonly fields: readonly string[]
}

export interface Reply {
  /** What the call returns, such as 0x8010002E. */
  readonly code: number
  readonly fields?: readonly string[]
}

/** Codes the service itself answers with; winscard.h has them all. */
export const codes = {
  success: 0,
  cancelled: 0x80100002,
  invalidHandle: 0x80100003,
  invalidParameter: 0x80100004,
  unknownReader: 0x80100009,
  timeout: 0x8010000a,
  sharingViolation: 0x8010000b,
  noSmartcard: 0x8010000c,
  unsupportedFeature: 0x8010001f,
  noReadersAvailable: 0x8010002e,
  unresponsiveCard: 0x80100066,
  removedCard: 0x80100069,
} as const

export function readCall(line: string): Call {
  const [pid = '', system, name = '', handle = '', ...fields] = line.split(' ')
  return {
    pid: Number(pid),
    system: system === 'windows' ? 'windows' : 'linux',
    name: name as CallName,
    handle: Number(handle),
    fields,
  }
}

export const writeReply = ({ code, fields = [] }: Reply) =>
  `${[code.toString(16).padStart(8, '0'), ...fields].join(' ')}\n`

/** Text as a field. */
export const textField = (text: string) => `x${Buffer.from(text, 'utf8').toString('hex')}`

/** Hex digits as a field. */
export const bytesField = (hex: string) => `x${hex.toLowerCase()}`

export const readText = (field: string | undefined) =>
  Buffer.from((field ?? '').slice(1), 'hex').toString('utf8')

export const readBytes = (field: string | undefined) => (field ?? '').slice(1).toUpperCase()
