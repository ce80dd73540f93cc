/** The few calls of PC/SC that the tests' own client makes, on Linux and on Windows. */
import { dlopen, ptr } from 'bun:ffi'

export interface ListedReader {
  readonly name: string
  readonly state: number
  /** Upper-case hex. */
  readonly atr: string
}

/** How names and structures lie: winscard.h of pcsc-lite, where DWORD is a long, and of Windows. */
const layouts = {
  linux: { dword: 8, state: 80, current: 16, event: 24, atrLength: 32, atr: 40, unit: 1 },
  windows: { dword: 4, state: 64, current: 16, event: 20, atrLength: 24, atr: 28, unit: 2 },
} as const

const windows = process.platform === 'win32'
const layout = windows ? layouts.windows : layouts.linux
const dword = windows ? 'u32' : 'u64'

const signatures = {
  establish: { args: [dword, 'ptr', 'ptr', 'ptr'], returns: 'i32' },
  list: { args: ['u64', 'ptr', 'ptr', 'ptr'], returns: 'i32' },
  change: { args: ['u64', dword, 'ptr', dword], returns: 'i32' },
  connect: { args: ['u64', 'ptr', dword, dword, 'ptr', 'ptr'], returns: 'i32' },
  control: { args: ['u64', dword, 'ptr', dword, 'ptr', dword, 'ptr'], returns: 'i32' },
  disconnect: { args: ['u64', dword], returns: 'i32' },
  release: { args: ['u64'], returns: 'i32' },
} as const

function load(path: string) {
  const same = {
    SCardEstablishContext: signatures.establish,
    SCardControl: signatures.control,
    SCardDisconnect: signatures.disconnect,
    SCardReleaseContext: signatures.release,
  }
  if (windows) {
    const { symbols } = dlopen(path, {
      ...same,
      SCardListReadersW: signatures.list,
      SCardGetStatusChangeW: signatures.change,
      SCardConnectW: signatures.connect,
    })
    const { SCardListReadersW, SCardGetStatusChangeW, SCardConnectW, ...others } = symbols
    return {
      ...others,
      SCardListReaders: SCardListReadersW,
      SCardGetStatusChange: SCardGetStatusChangeW,
      SCardConnect: SCardConnectW,
    }
  }
  return dlopen(path, {
    ...same,
    SCardListReaders: signatures.list,
    SCardGetStatusChange: signatures.change,
    SCardConnect: signatures.connect,
  }).symbols
}

/** Loads the library; every function throws an Error with the code in hex where a call fails. */
export function openLibrary(path: string) {
  const pcsc = load(path)
  const check = (name: keyof typeof pcsc, result: number) => {
    const code = result >>> 0
    if (code !== 0) throw new Error(`${name} ${code.toString(16)}`)
  }
  const number = (bytes: Buffer) => Number(windows ? bytes.readUInt32LE() : bytes.readBigUInt64LE())

  return {
    establish: (): number => {
      const context = Buffer.alloc(8)
      check('SCardEstablishContext', pcsc.SCardEstablishContext(2, null, null, ptr(context)))
      return Number(context.readBigUInt64LE())
    },
    list: (context: number): readonly string[] => {
      const length = Buffer.alloc(8)
      check('SCardListReaders', pcsc.SCardListReaders(context, null, null, ptr(length)))
      const names = Buffer.alloc(number(length) * layout.unit)
      check('SCardListReaders', pcsc.SCardListReaders(context, null, ptr(names), ptr(length)))
      return text(names).split('\0').filter(Boolean)
    },
    look: (
      context: number,
      names: readonly string[],
      timeoutMs: number,
    ): readonly ListedReader[] => {
      const held = names.map((name) => characters(name))
      const states = Buffer.alloc(layout.state * names.length)
      for (const [at, name] of held.entries())
        states.writeBigUInt64LE(BigInt(ptr(name)), at * layout.state)
      check(
        'SCardGetStatusChange',
        pcsc.SCardGetStatusChange(context, timeoutMs, ptr(states), names.length),
      )
      return names.map((name, at) => {
        const one = states.subarray(at * layout.state, (at + 1) * layout.state)
        const length = one.readUInt32LE(layout.atrLength)
        const atr = one
          .subarray(layout.atr, layout.atr + length)
          .toString('hex')
          .toUpperCase()
        return { name, state: one.readUInt32LE(layout.event), atr }
      })
    },
    /** The answer to the question for features, as hex. */
    features: (context: number, name: string): string => {
      const [card, protocol, count] = [Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(8)]
      check(
        'SCardConnect',
        pcsc.SCardConnect(context, ptr(characters(name)), 3, 0, ptr(card), ptr(protocol)),
      )
      const handle = Number(card.readBigUInt64LE())
      const question = windows ? 0x313520 : 0x42000d48
      const room = Buffer.alloc(256)
      try {
        check(
          'SCardControl',
          pcsc.SCardControl(handle, question, null, 0, ptr(room), room.length, ptr(count)),
        )
        return room.subarray(0, number(count)).toString('hex').toUpperCase()
      } finally {
        check('SCardDisconnect', pcsc.SCardDisconnect(handle, 0))
      }
    },
    release: (context: number) => check('SCardReleaseContext', pcsc.SCardReleaseContext(context)),
  }
}

const characters = (name: string) => Buffer.from(`${name}\0`, windows ? 'utf16le' : 'utf8')

const text = (bytes: Buffer) => bytes.toString(windows ? 'utf16le' : 'utf8')
