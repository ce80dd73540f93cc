/** The functions of the systems that the desktop needs: winuser.h, winbase.h, shellapi.h; sys/socket.h. */
import { FFIType, ptr, toArrayBuffer } from 'bun:ffi'
import { openSystemLibrary } from '../libraries/system-libraries.ts'

const { bool, i32, ptr: pointer, u32, u64 } = FFIType

// Handles are opaque 64-bit numbers here: every Windows we build for has 64 bits.
const user32Functions = {
  OpenClipboard: { args: [u64], returns: bool },
  CloseClipboard: { args: [], returns: bool },
  IsClipboardFormatAvailable: { args: [u32], returns: bool },
  GetClipboardData: { args: [u32], returns: u64 },
  MessageBoxW: { args: [u64, pointer, pointer, u32], returns: i32 },
  LoadIconW: { args: [u64, u64], returns: u64 },
  CreateWindowExW: {
    args: [u32, pointer, pointer, u32, i32, i32, i32, i32, u64, u64, u64, u64],
    returns: u64,
  },
  ShowWindow: { args: [u64, i32], returns: bool },
  DestroyWindow: { args: [u64], returns: bool },
  PeekMessageW: { args: [pointer, u64, u32, u32, u32], returns: bool },
  DispatchMessageW: { args: [pointer], returns: u64 },
} as const

const kernel32Functions = {
  GlobalLock: { args: [u64], returns: pointer },
  GlobalUnlock: { args: [u64], returns: bool },
  GlobalSize: { args: [u64], returns: u64 },
} as const

const shell32Functions = {
  Shell_NotifyIconW: { args: [u32, pointer], returns: bool },
  ShellExecuteW: { args: [u64, pointer, pointer, u64, u64, i32], returns: u64 },
} as const

// shlobj_core.h, combaseapi.h.
const folderFunctions = {
  SHBrowseForFolderW: { args: [pointer], returns: u64 },
  SHGetPathFromIDListW: { args: [u64, pointer], returns: bool },
} as const
const ole32Functions = {
  CoInitializeEx: { args: [u64, u32], returns: u32 },
  CoTaskMemFree: { args: [u64], returns: FFIType.void },
} as const

// wincred.h.
const creduiFunctions = {
  CredUIPromptForCredentialsW: {
    args: [pointer, pointer, u64, u32, pointer, u32, pointer, u32, pointer, u32],
    returns: u32,
  },
} as const

// getsockopt(2).
const libcFunctions = {
  getsockopt: { args: [i32, i32, i32, pointer, pointer], returns: i32 },
} as const

/** Opens the C library of Linux. Throws on other systems. */
export const openSocketOptions = () => openSystemLibrary('libc.so.6', libcFunctions)

/** Opens user32.dll and kernel32.dll. Throws on other systems. */
export const openUser32 = () => ({
  ...openSystemLibrary('user32.dll', user32Functions),
  ...openSystemLibrary('kernel32.dll', kernel32Functions),
})

export type User32 = ReturnType<typeof openUser32>

/** Opens shell32.dll. Throws on other systems. */
export const openShell32 = () => openSystemLibrary('shell32.dll', shell32Functions)

/** Opens shell32.dll and ole32.dll. Throws on other systems. */
export const openFolderWindow = () => ({
  ...openSystemLibrary('shell32.dll', folderFunctions),
  ...openSystemLibrary('ole32.dll', ole32Functions),
})

/** Opens credui.dll. Throws on other systems. */
export const openCredui = () => openSystemLibrary('credui.dll', creduiFunctions)

/** UTF-16, ended by a zero; hold it for as long as Windows reads it. */
export const toUtf16 = (text: string): Uint8Array => Buffer.from(`${text}\0`, 'utf16le')

/** The address of a buffer, good for as long as something holds the buffer. */
export const getAddress = (buffer: Uint8Array) => ptr(buffer)

/** HWND_MESSAGE: the parent of windows that are never visible. */
export const messageOnly = 0xffff_ffff_ffff_fffdn

/** An empty window of no size; 0 when it cannot be made. */
export function createWindow(user32: User32, parent = 0n): bigint {
  const [type, name] = [toUtf16('STATIC'), toUtf16('Cardwire')]
  const place = [0, 0, 0, 0] as const
  const more = [parent, 0n, 0n, 0n] as const
  return user32.CreateWindowExW(0, getAddress(type), getAddress(name), 0, ...place, ...more)
}

/** A copy of the first bytes of a block of global memory, at most as many as it has; undefined when the block is freed. */
export function copyGlobal(user32: User32, handle: bigint, bytes: number): Buffer | undefined {
  const address = user32.GlobalLock(handle)
  if (address === null) return undefined
  const size = Math.min(Number(user32.GlobalSize(handle)), bytes)
  // A view of the block first, then a copy that stays valid without it.
  const copy = size > 0 ? Buffer.from(Buffer.from(toArrayBuffer(address, 0, size))) : Buffer.of()
  user32.GlobalUnlock(handle)
  return copy
}
