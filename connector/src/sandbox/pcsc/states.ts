/** SCARD_READERSTATE: what a wait starts from and what it ends with, packed as the system wants it. */
import type { Layout } from './layout.ts'

/** A reader to wait for; `state` is what the last wait said, 0 at first. */
export interface Awaited {
  readonly name: string
  readonly state: number
}

/** What became of a reader. */
export interface ReaderStatus {
  readonly name: string
  /** The new state with its event counter in the upper half, ready to be waited from. */
  readonly state: number
  readonly changed: boolean
  /** The reader is not known (any more). */
  readonly gone: boolean
  /** Upper-case hex, for a card that answered. */
  readonly atr?: string
}

// SCARD_STATE_* of winscard.h; the same everywhere.
const stateFlags = { changed: 0x2, unknown: 0x4, present: 0x20, mute: 0x200 }

/** Lays the structures out, and the names behind them, in one buffer: it must live as long as the call. */
export function packStates(
  awaited: readonly { readonly name: Uint8Array; readonly state: number }[],
  layout: Layout,
  addressOf: (buffer: Uint8Array) => bigint,
): Uint8Array {
  const { size, name, current } = layout.readerState
  const namesAt = size * awaited.length
  const bytes = new Uint8Array(awaited.reduce((sum, entry) => sum + entry.name.length, namesAt))
  const view = new DataView(bytes.buffer)
  const address = awaited.length > 0 ? addressOf(bytes) : 0n
  let nameAt = namesAt
  for (const [index, entry] of awaited.entries()) {
    bytes.set(entry.name, nameAt)
    view.setBigUint64(index * size + name, address + BigInt(nameAt), true)
    // A DWORD of eight bytes has nothing but zeros above the first four.
    view.setUint32(index * size + current, entry.state, true)
    nameAt += entry.name.length
  }
  return bytes
}

/** Reads what the call left in the structures. */
export function unpackStates(
  bytes: Uint8Array,
  names: readonly string[],
  layout: Layout,
): readonly ReaderStatus[] {
  const { size, event, atrLength, atr, maxAtrLength } = layout.readerState
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return names.map((name, index) => {
    const at = index * size
    const flags = view.getUint32(at + event, true)
    const length = Math.min(view.getUint32(at + atrLength, true), maxAtrLength)
    const answered =
      hasFlag(flags, stateFlags.present) && !hasFlag(flags, stateFlags.mute) && length > 0
    return {
      name,
      state: (flags & ~stateFlags.changed) >>> 0,
      changed: hasFlag(flags, stateFlags.changed),
      gone: hasFlag(flags, stateFlags.unknown),
      ...(answered && { atr: toHex(bytes.subarray(at + atr, at + atr + length)) }),
    }
  })
}

const hasFlag = (flags: number, flag: number) => (flags & flag) !== 0
const toHex = (bytes: Uint8Array) => bytes.toHex().toUpperCase()
