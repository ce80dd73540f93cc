/** The functions of Windows that tell whose a connection is: iphlpapi.h, processthreadsapi.h, securitybaseapi.h. */
import { dlopen, FFIType, ptr } from 'bun:ffi'

const { bool, u32, u64, ptr: pointer } = FFIType

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

/** Opens the libraries. Throws on other systems. */
export const openOwnerCalls = () => ({
  ...dlopen('iphlpapi.dll', ofIphlpapi).symbols,
  ...dlopen('kernel32.dll', ofKernel32).symbols,
  ...dlopen('advapi32.dll', ofAdvapi32).symbols,
})

export type OwnerCalls = ReturnType<typeof openOwnerCalls>

/** The address of a buffer, good for as long as something holds the buffer. */
export const addressOf = (buffer: Uint8Array): bigint => BigInt(ptr(buffer))
