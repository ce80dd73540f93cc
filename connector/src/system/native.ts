/** The functions of systems that tell whose a connection is: iphlpapi.h, processthreadsapi.h, securitybaseapi.h; sys/socket.h. */
import { dlopen, FFIType, ptr } from 'bun:ffi'

const { bool, i32, i64, u32, u64, ptr: pointer } = FFIType

// Handles are opaque 64-bit numbers here: every Windows we build for has 64 bits.
const ofIphlpapi = {
  GetExtendedTcpTable: { args: [pointer, pointer, bool, u32, u32, u32], returns: u32 },
} as const
const ofKernel32 = {
  OpenProcess: { args: [u32, bool, u32], returns: u64 },
  CloseHandle: { args: [u64], returns: bool },
} as const
const ofAdvapi32 = {
  OpenProcessToken: { args: [u64, u32, pointer], returns: bool },
  GetTokenInformation: { args: [u64, u32, pointer, u32, pointer], returns: bool },
} as const

/** Opens the libraries of Windows. Throws on other systems. */
export const openOwnerCalls = () => ({
  ...dlopen('iphlpapi.dll', ofIphlpapi).symbols,
  ...dlopen('kernel32.dll', ofKernel32).symbols,
  ...dlopen('advapi32.dll', ofAdvapi32).symbols,
})

export type OwnerCalls = ReturnType<typeof openOwnerCalls>

/** The address of a buffer, good for as long as something holds the buffer. */
export const addressOf = (buffer: Uint8Array): bigint => BigInt(ptr(buffer))

// socket(2), send(2), recv(2).
const ofLibc = {
  socket: { args: [i32, i32, i32], returns: i32 },
  send: { args: [i32, pointer, u64, i32], returns: i64 },
  recv: { args: [i32, pointer, u64, i32], returns: i64 },
} as const

/** Opens the C library of Linux. Throws on other systems. */
export const openSocketCalls = () => dlopen('libc.so.6', ofLibc).symbols

export type SocketCalls = ReturnType<typeof openSocketCalls>

/** Whether this is Wine, whose tables know its own processes and no others of the machine: it says so in ntdll. */
export function isWine(): boolean {
  try {
    dlopen('ntdll.dll', { wine_get_version: { args: [], returns: pointer } }).close()
    return true
  } catch {
    return false
  }
}
