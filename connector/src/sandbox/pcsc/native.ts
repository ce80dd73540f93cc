/** The functions of PC/SC as the system's library exports them: names and signatures. */
import { FFIType, ptr } from 'bun:ffi'
import { openLibrary } from '../../system/libraries/native.ts'
import type { Layout } from './layout.ts'

const calls = [
  'SCardEstablishContext',
  'SCardReleaseContext',
  'SCardIsValidContext',
  'SCardListReaders',
  'SCardGetStatusChange',
  'SCardCancel',
  'SCardConnect',
  'SCardReconnect',
  'SCardDisconnect',
  'SCardStatus',
  'SCardControl',
  'SCardTransmit',
  'SCardBeginTransaction',
  'SCardEndTransaction',
] as const

export type Call = (typeof calls)[number]
interface Signature {
  readonly args: FFIType[]
  readonly returns: FFIType.i32 | FFIType.i64
}

type Value = number | bigint | Uint8Array | null

/** A function of the library; it answers with its 32-bit code, 0 for success. */
export type Native = (call: Call, ...values: readonly Value[]) => number

/**
 * Loads the library, by its absolute path. Throws when it is not there. Must have happened on the main thread before a worker does it: two
 * threads loading at once crash Bun 1.4.5.
 */
export function loadNative(library: string, platform: string, layout: Layout): Native {
  const symbols = openLibrary(
    library,
    Object.fromEntries(
      calls.map((call) => [getExportedName(platform, call), getSignatures(layout)[call]]),
    ),
  )
  return (call, ...values) => {
    const answer: unknown = symbols[getExportedName(platform, call)]?.(...values)
    if (typeof answer === 'bigint') return Number(BigInt.asUintN(32, answer))
    if (typeof answer === 'number') return answer >>> 0
    throw new Error(`Cannot call ${call}: the library has no such function`)
  }
}

/** The address of a buffer, good for as long as something holds the buffer. */
export const getAddress = (buffer: Uint8Array): bigint => BigInt(ptr(buffer))

/** winscard.h. What differs by system is the width of DWORD, LONG, SCARDCONTEXT and SCARDHANDLE. */
function getSignatures(layout: Layout): Record<Call, Signature> {
  const dword = layout.dword === 8 ? FFIType.u64 : FFIType.u32
  const handle = layout.handle === 8 ? FFIType.u64 : FFIType.u32
  const returns = layout.dword === 8 ? FFIType.i64 : FFIType.i32
  const p = FFIType.pointer
  return {
    SCardEstablishContext: { args: [dword, p, p, p], returns },
    SCardReleaseContext: { args: [handle], returns },
    SCardIsValidContext: { args: [handle], returns },
    SCardListReaders: { args: [handle, p, p, p], returns },
    SCardGetStatusChange: { args: [handle, dword, p, dword], returns },
    SCardCancel: { args: [handle], returns },
    SCardConnect: { args: [handle, p, dword, dword, p, p], returns },
    SCardReconnect: { args: [handle, dword, dword, dword, p], returns },
    SCardDisconnect: { args: [handle, dword], returns },
    SCardStatus: { args: [handle, p, p, p, p, p, p], returns },
    SCardControl: { args: [handle, dword, p, dword, p, dword, p], returns },
    SCardTransmit: { args: [handle, p, p, dword, p, p, p], returns },
    SCardBeginTransaction: { args: [handle], returns },
    SCardEndTransaction: { args: [handle, dword], returns },
  }
}

/** Functions with text in them end in W where they take UTF-16; macOS keeps SCardControl for an older signature. */
function getExportedName(platform: string, call: Call): string {
  if (platform === 'win32' && textCalls.has(call)) return `${call}W`
  if (platform === 'darwin' && call === 'SCardControl') return 'SCardControl132'
  return call
}

const textCalls: ReadonlySet<Call> = new Set([
  'SCardListReaders',
  'SCardGetStatusChange',
  'SCardConnect',
  'SCardStatus',
])
