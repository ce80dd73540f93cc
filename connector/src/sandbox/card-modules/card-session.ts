/** Commands to a card: short APDUs, chained where the data is longer, with the answer gathered from its parts, all within bounds. */
import { CardError } from './card-error.ts'
import { createSecretBytes } from './secret-bytes.ts'

/** A command (ISO/IEC 7816-4 §5.1). */
export interface Command {
  /** 00 unless it says another one, as commands of a maker do. */
  readonly cla?: number
  readonly ins: number
  readonly p1: number
  readonly p2: number
  readonly data?: Uint8Array
  /** Whether the card answers with data. */
  readonly hasResponse?: boolean
  /** Bytes that it is asked for, at most 256; absent: as many as it has. */
  readonly length?: number
}

export interface CardResponse {
  readonly data: Uint8Array
  /** The status word: 0x9000 is success. */
  readonly status: number
}

export interface CardSession {
  /** Throws `card-mute` when the card does not answer as a card does, or not in time. */
  send(command: Command): CardResponse
}

export interface SessionOptions {
  readonly protocol: 'T=0' | 'T=1'
  /** One command, one answer; blocks. */
  readonly transmit: (apdu: Uint8Array) => Uint8Array
  /** Whether the time of the whole operation is over. */
  readonly isOver: () => boolean
}

/** Bytes of an answer: the longest that any of our cards gives is a picture of some kilobytes. */
const maxResponseBytes = 65_536
/** Parts of an answer; parts have 256 bytes, but for those of odd cards. */
const maxParts = 1024
/** Data in one short APDU. */
const maxData = 255
/** The bit of the class that says that the command goes on (ISO/IEC 7816-4 §5.1.1.1). */
const chainingBit = 0x10
const getResponse = 0xc0
const tooLong = 'Cannot use the card: its response never ends'

type Exchange = (apdu: Uint8Array) => CardResponse

export function createCardSession({ protocol, ...port }: SessionOptions): CardSession {
  const exchange: Exchange = (apdu) => exchangeApdu(apdu, port)
  const sendPart = (
    cla: number,
    { ins, p1, p2, data, hasResponse, length = 256 }: Command,
  ): CardResponse => {
    const header = [cla, ins, p1, p2]
    if (!data || data.length === 0) {
      // Without data and answer the command ends with its header, which T=0 fills up with P3 (ISO/IEC 7816-3 §12.1).
      // A length of 256 is written as 0 (§5.1).
      if (hasResponse) return exchangeWithLength(exchange, header, length & 0xff)
      return exchange(Uint8Array.from(protocol === 'T=0' ? [...header, 0] : header))
    }
    const apdu = createSecretBytes(header.length + 1 + data.length + 1)
    apdu.set([...header, data.length])
    apdu.set(data, header.length + 1)
    try {
      // T=0 has no place for the length of the answer behind data.
      if (!hasResponse || protocol === 'T=0') return exchange(apdu.subarray(0, -1))
      const response = exchange(apdu)
      if (response.status >> 8 !== 0x6c) return response
      apdu[apdu.length - 1] = response.status & 0xff
      return exchange(apdu)
    } finally {
      // It may have held a PIN.
      apdu.fill(0)
    }
  }
  return {
    send(command) {
      const { data } = command
      let sent = 0
      for (; data && data.length - sent > maxData; sent += maxData) {
        const part = data.subarray(sent, sent + maxData)
        const response = sendPart(chainingBit, { ...command, data: part, hasResponse: false })
        if (response.status !== 0x9000) return response
      }
      return gatherResponse(
        exchange,
        sendPart(command.cla ?? 0x00, data ? { ...command, data: data.subarray(sent) } : command),
      )
    },
  }
}

/** One command, one answer, both within their bounds. */
function exchangeApdu(
  apdu: Uint8Array,
  { transmit, isOver }: Pick<SessionOptions, 'transmit' | 'isOver'>,
): CardResponse {
  if (isOver()) throw new CardError('card-mute', 'Cannot use the card: it is too slow')
  const answer = transmit(apdu)
  if (answer.length > maxResponseBytes + 2) throw new CardError('card-mute', tooLong)
  const [high, low] = answer.slice(-2)
  if (high === undefined || low === undefined) {
    throw new CardError('card-mute', 'Cannot use the card: its response has no status')
  }
  return { data: answer.subarray(0, -2), status: high * 0x100 + low }
}

/** A card that wants another length says so once, with 6Cxx. */
function exchangeWithLength(
  exchange: Exchange,
  header: readonly number[],
  length: number,
): CardResponse {
  const response = exchange(Uint8Array.from([...header, length]))
  if (response.status >> 8 !== 0x6c) return response
  return exchange(Uint8Array.from([...header, response.status & 0xff]))
}

/** The whole answer of a card that gives it in parts, with 61xx. */
function gatherResponse(exchange: Exchange, first: CardResponse): CardResponse {
  const parts = [first.data]
  let bytes = first.data.length
  let { status } = first
  for (let part = 1; status >> 8 === 0x61; part += 1) {
    const next = exchangeWithLength(exchange, [0x00, getResponse, 0x00, 0x00], status & 0xff)
    bytes += next.data.length
    const isEndless = part === maxParts || bytes > maxResponseBytes
    if (isEndless || (next.status >> 8 === 0x61 && next.data.length === 0)) {
      throw new CardError('card-mute', tooLong)
    }
    parts.push(next.data)
    status = next.status
  }
  return { data: new Uint8Array(Buffer.concat(parts)), status }
}
