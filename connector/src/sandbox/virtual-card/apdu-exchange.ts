/** How a card receives and answers short APDUs (ISO/IEC 7816-4 §5): chained commands, and answers in parts. */

export interface PlainCommand {
  readonly ins: number
  readonly p1: number
  readonly p2: number
  readonly data: Uint8Array
  /** Bytes that are asked for; undefined: none. */
  readonly length: number | undefined
}

export interface PlainResponse {
  readonly data?: Uint8Array
  readonly status: number
}

/** Bytes of a chained command: the longest is a signature of RSA-4096. */
const maxChainedBytes = 4096
const getResponse = 0xc0

export function createApduExchange(
  protocol: 'T=0' | 'T=1',
  perform: (command: PlainCommand) => PlainResponse,
) {
  let chained: { readonly ins: number; readonly data: Uint8Array } | undefined
  let rest = new Uint8Array()

  /** Some of what is left, and how much more there is. */
  const sendRest = (length: number): Uint8Array => {
    if (rest.length === 0) return toStatus(0x6985)
    // T=0 answers a length that is not the right one with the right one.
    if (protocol === 'T=0' && length > rest.length) return toStatus(0x6c00 + rest.length)
    const part = rest.slice(0, length)
    rest = rest.slice(length)
    const more = rest.length === 0 ? 0x9000 : 0x6100 + (rest.length > 255 ? 0 : rest.length)
    return Buffer.concat([part, toStatus(more)])
  }

  return {
    reset() {
      chained = undefined
      rest = new Uint8Array()
    },
    respond(apdu: Uint8Array): Uint8Array {
      const command = parse(apdu)
      if (!command) return toStatus(0x6700)
      const { cla, ins, p1, p2, data, length } = command
      if (ins === getResponse) return sendRest(length ?? 256)
      if ((cla & 0xef) !== 0x00) return toStatus(0x6e00)
      const before = chained?.ins === ins ? chained.data : new Uint8Array()
      const all = Buffer.concat([before, data])
      chained = undefined
      rest = new Uint8Array()
      if (all.length > maxChainedBytes) return toStatus(0x6700)
      if ((cla & 0x10) !== 0) {
        chained = { ins, data: all }
        return toStatus(0x9000)
      }
      const response = perform({ ins, p1, p2, data: all, length })
      if (!response.data || response.data.length === 0) return toStatus(response.status)
      rest = new Uint8Array(response.data)
      // With data of its own a command of T=0 has no place for a length: the answer is fetched.
      if (protocol === 'T=0' && data.length > 0) {
        return toStatus(0x6100 + (rest.length > 255 ? 0 : rest.length))
      }
      return sendRest(length ?? 256)
    },
  }
}

const toStatus = (status: number) => Uint8Array.of(status >> 8, status & 0xff)

/** The four cases of a short APDU; undefined: it is none. A length of 0 stands for 256. */
function parse(apdu: Uint8Array) {
  const [cla, ins, p1, p2, third] = apdu
  if (cla === undefined || ins === undefined || p1 === undefined || p2 === undefined) return
  const header = { cla, ins, p1, p2 }
  const none = new Uint8Array()
  if (third === undefined) return { ...header, data: none, length: undefined }
  if (apdu.length === 5) return { ...header, data: none, length: third || 256 }
  const data = apdu.subarray(5, 5 + third)
  const length = apdu[5 + third]
  if (data.length !== third || third === 0 || apdu.length > 6 + third) return
  return { ...header, data, length: length === undefined ? undefined : length || 256 }
}
