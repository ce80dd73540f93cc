/** PC/SC: the port, and its one implementation over the library of each system. */
import { findSystemLibrary } from '../../system/libraries/system-libraries.ts'
import { PcscError } from './codes.ts'
import { getLayout, type Layout } from './layout.ts'
import { decodeNames, encodeName } from './names.ts'
import { type Call, getAddress, loadNative, type Native } from './native.ts'
import { type Awaited, packStates, type ReaderStatus, unpackStates } from './states.ts'

/** A connection to the card service; belongs to the thread that made it, except for `cancel`. */
export type Context = bigint

/** A connection to a card or, direct, to a reader. */
export interface Connection {
  readonly handle: bigint
  /** SCARD_PROTOCOL_T0 1, T1 2, RAW 4; 0 for a direct connection. */
  readonly protocol: number
}

export interface CardStatus {
  readonly reader: string
  readonly protocol: number
  /** Upper-case hex; empty when there is no card. */
  readonly atr: string
}

/** Every call throws a PcscError when the card service refuses it. Calls block their thread. */
export interface Pcsc {
  establish(): Context
  release(context: Context): void
  isValid(context: Context): boolean
  /** Names in the order of the card service; none when no reader is attached. */
  listReaders(context: Context): readonly string[]
  /** Waits for a change against what is awaited; undefined when there was none in time. */
  getStatusChange(
    context: Context,
    timeoutMs: number,
    awaited: readonly Awaited[],
  ): readonly ReaderStatus[] | undefined
  /** Ends a wait of this context in another thread. */
  cancel(context: Context): void
  connect(context: Context, reader: string, share: 'shared' | 'direct'): Connection
  /** Resets the card; a connection that has a transaction keeps it. */
  reset(connection: Connection): Connection
  disconnect(connection: Connection, leave: 'alone' | 'reset'): void
  status(connection: Connection): CardStatus
  /** `code`: as a reader names it, or of `getControlCode`. */
  control(connection: Connection, code: number, input: Uint8Array): Uint8Array
  /** SCARD_CTL_CODE of this number, such as 3400 for the features of PC/SC part 10. */
  getControlCode(number: number): number
  transmit(connection: Connection, apdu: Uint8Array): Uint8Array
  begin(connection: Connection): void
  /** `reset`: the card forgets what was verified, before anybody else has it. */
  end(connection: Connection, leave: 'alone' | 'reset'): void
  /** The most readers that one wait takes, the pseudo reader included. */
  readonly maxStates: number
}

/** What an operation with a card needs of it. */
export type CardPcsc = Pick<
  Pcsc,
  | 'establish'
  | 'isValid'
  | 'listReaders'
  | 'connect'
  | 'reset'
  | 'disconnect'
  | 'control'
  | 'getControlCode'
  | 'begin'
  | 'transmit'
  | 'end'
>

/** No end to a wait, in the milliseconds of `getStatusChange` (INFINITE of winscard.h). */
export const forever = 0xffffffff

/** The pseudo reader that changes when readers come and go; not every card service knows it. */
export const plugAndPlay = '\\\\?PnP?\\Notification'

/** Opens the card service's library: the system's own, or another. Throws when it cannot be loaded. */
export const openPcsc = (
  library: string | undefined,
  platform: string = process.platform,
): Pcsc => {
  const layout = getLayout(platform)
  return createPcsc(
    loadNative(library ?? findSystemLibrary(layout.library), platform, layout),
    layout,
  )
}

// SCARD_SCOPE_SYSTEM, SCARD_SHARE_*, SCARD_PROTOCOL_T0 | T1, SCARD_LEAVE_CARD and RESET_CARD of winscard.h.
const scopeSystem = 2
const shares = { shared: 2, direct: 3 }
const anyProtocol = 3
const dispositions = { alone: 0, reset: 1 }
/** Readers do not come one after the other between two calls for so long. */
const maxTries = 8
/** The longest answer: 64 kB of data, a header and a status word (MAX_BUFFER_SIZE_EXTENDED of pcsclite.h). */
const maxResponseBytes = 65_548

function createPcsc(native: Native, layout: Layout): Pcsc {
  // Bytes of the names that were listed last: what a name reads as does not always encode to them.
  let listed: ReadonlyMap<string, Uint8Array> = new Map()
  const bytesOf = (name: string) => listed.get(name) ?? encodeName(name, layout.text)

  const call = (
    name: Call,
    ...values: Parameters<Native> extends [Call, ...infer V] ? V : never
  ) => {
    const value = native(name, ...values)
    if (value !== 0) throw new PcscError(name, value)
  }
  const dword = (value = 0) => {
    const bytes = new Uint8Array(layout.dword)
    new DataView(bytes.buffer).setUint32(0, value, true)
    return bytes
  }
  const readDword = (bytes: Uint8Array) => new DataView(bytes.buffer).getUint32(0, true)
  const readHandle = (bytes: Uint8Array) => {
    const view = new DataView(bytes.buffer)
    return layout.handle === 8 ? view.getBigUint64(0, true) : BigInt(view.getUint32(0, true))
  }
  const charBytes = layout.text === 'utf-8' ? 1 : 2

  const readNames = (context: Context): Uint8Array => {
    const length = dword()
    call('SCardListReaders', context, null, null, length)
    const bytes = new Uint8Array(readDword(length) * charBytes)
    call('SCardListReaders', context, null, bytes, length)
    return bytes.subarray(0, readDword(length) * charBytes)
  }

  return {
    maxStates: layout.maxStates,
    establish() {
      const context = new Uint8Array(layout.handle)
      call('SCardEstablishContext', scopeSystem, null, null, context)
      return readHandle(context)
    },
    release: (context) => call('SCardReleaseContext', context),
    isValid: (context) => native('SCardIsValidContext', context) === 0,
    listReaders(context) {
      for (let tries = 1; ; tries += 1) {
        try {
          listed = decodeNames(readNames(context), layout.text)
          return [...listed.keys()]
        } catch (error) {
          if (!(error instanceof PcscError)) throw error
          if (error.code === 'SCARD_E_NO_READERS_AVAILABLE') return []
          // A reader came between the two calls.
          if (error.code !== 'SCARD_E_INSUFFICIENT_BUFFER' || tries === maxTries) throw error
        }
      }
    },
    getStatusChange(context, timeoutMs, awaited) {
      const states = packStates(
        awaited.map(({ name, state }) => ({ name: bytesOf(name), state })),
        layout,
        getAddress,
      )
      try {
        call('SCardGetStatusChange', context, timeoutMs, states, awaited.length)
      } catch (error) {
        if (error instanceof PcscError && error.code === 'SCARD_E_TIMEOUT') return undefined
        throw error
      }
      return unpackStates(
        states,
        awaited.map(({ name }) => name),
        layout,
      )
    },
    cancel: (context) => call('SCardCancel', context),
    connect(context, reader, share) {
      const handle = new Uint8Array(layout.handle)
      const protocol = dword()
      const wanted = share === 'direct' ? 0 : anyProtocol
      call('SCardConnect', context, bytesOf(reader), shares[share], wanted, handle, protocol)
      return { handle: readHandle(handle), protocol: readDword(protocol) }
    },
    reset({ handle }) {
      const protocol = dword()
      call('SCardReconnect', handle, shares.shared, anyProtocol, dispositions.reset, protocol)
      return { handle, protocol: readDword(protocol) }
    },
    disconnect: ({ handle }, leave) => call('SCardDisconnect', handle, dispositions[leave]),
    status({ handle }) {
      // Longer than any name: 128 bytes in pcsc-lite, some hundred characters elsewhere.
      const name = new Uint8Array(1024)
      const nameLength = dword(name.length / charBytes)
      const protocol = dword()
      const atr = new Uint8Array(layout.readerState.maxAtrLength)
      const atrLength = dword(atr.length)
      call('SCardStatus', handle, name, nameLength, dword(), protocol, atr, atrLength)
      const [reader = ''] = decodeNames(name, layout.text).keys()
      return {
        reader,
        protocol: readDword(protocol),
        atr: atr.subarray(0, readDword(atrLength)).toHex().toUpperCase(),
      }
    },
    getControlCode: (number) => layout.control.base + number * layout.control.factor,
    control({ handle }, code, input) {
      const output = new Uint8Array(264)
      const length = dword()
      call('SCardControl', handle, code, input, input.length, output, output.length, length)
      return output.subarray(0, readDword(length))
    },
    transmit({ handle, protocol }, apdu) {
      const header = new Uint8Array(layout.ioRequest.size)
      const view = new DataView(header.buffer)
      view.setUint32(layout.ioRequest.protocol, protocol, true)
      view.setUint32(layout.ioRequest.length, header.length, true)
      const answer = new Uint8Array(maxResponseBytes)
      const length = dword(answer.length)
      call('SCardTransmit', handle, header, apdu, apdu.length, null, answer, length)
      return answer.slice(0, readDword(length))
    },
    begin: ({ handle }) => call('SCardBeginTransaction', handle),
    end: ({ handle }, leave) => call('SCardEndTransaction', handle, dispositions[leave]),
  }
}
