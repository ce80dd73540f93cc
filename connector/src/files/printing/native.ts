/** The functions of winspool.drv that we call, as winspool.h declares them. */
import { FFIType, ptr } from 'bun:ffi'
import { openSystemLibrary } from '../../system/libraries/system-libraries.ts'

const { u32, u64, bool, ptr: pointer } = FFIType

// Handles are opaque 64-bit numbers here: every Windows we build for has 64 bits.
const functions = {
  EnumPrintersW: { args: [u32, u64, u32, u64, u32, pointer, pointer], returns: bool },
  OpenPrinterW: { args: [pointer, pointer, u64], returns: bool },
  StartDocPrinterW: { args: [u64, u32, pointer], returns: u32 },
  StartPagePrinter: { args: [u64], returns: bool },
  WritePrinter: { args: [u64, pointer, u32, pointer], returns: bool },
  EndPagePrinter: { args: [u64], returns: bool },
  EndDocPrinter: { args: [u64], returns: bool },
  AbortPrinter: { args: [u64], returns: bool },
  ClosePrinter: { args: [u64], returns: bool },
} as const

/** Opens winspool.drv. Throws on other systems. */
export const openWinspool = () => openSystemLibrary('winspool.drv', functions)

export type Winspool = ReturnType<typeof openWinspool>

/** UTF-16, ended by a zero; hold it for as long as Windows reads it. */
export const toUtf16 = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le')

/** The address of a buffer, good for as long as something holds the buffer. */
export const getAddress = (buffer: Uint8Array) => ptr(buffer)
