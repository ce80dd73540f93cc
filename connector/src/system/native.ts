/** Functions of the system: the account of a connection, a connection's sockets, the name and the locale of this user. */
import { CString, FFIType, type Pointer, ptr, read } from 'bun:ffi'
import { openSystemLibrary } from './libraries/system-libraries.ts'

const { bool, i32, i64, u32, u64, ptr: pointer } = FFIType

// iphlpapi.h, processthreadsapi.h, securitybaseapi.h, winternl.h. Handles are opaque 64-bit numbers here: every Windows we build for has 64 bits.
const iphlpapiFunctions = {
  GetExtendedTcpTable: { args: [pointer, pointer, bool, u32, u32, u32], returns: u32 },
} as const
const kernel32Functions = {
  OpenProcess: { args: [u32, bool, u32], returns: u64 },
  CloseHandle: { args: [u64], returns: bool },
  ProcessIdToSessionId: { args: [u32, pointer], returns: bool },
} as const
const ntdllFunctions = {
  NtQuerySystemInformation: { args: [u32, pointer, u32, pointer], returns: u32 },
} as const
const advapi32Functions = {
  OpenProcessToken: { args: [u64, u32, pointer], returns: bool },
  GetTokenInformation: { args: [u64, u32, pointer, u32, pointer], returns: bool },
} as const

/** Opens the libraries of Windows. Throws on other systems. */
export const openOwnerCalls = () => ({
  ...openSystemLibrary('iphlpapi.dll', iphlpapiFunctions),
  ...openSystemLibrary('kernel32.dll', kernel32Functions),
  ...openSystemLibrary('advapi32.dll', advapi32Functions),
  ...openSystemLibrary('ntdll.dll', ntdllFunctions),
})

export type OwnerCalls = ReturnType<typeof openOwnerCalls>

// winternl.h, fileapi.h and ioapiset.h.
const fileFunctions = {
  CreateFileW: { args: [pointer, u32, u32, pointer, u32, u32, u64], returns: u64 },
  GetFileInformationByHandle: { args: [u64, pointer], returns: bool },
  GetFileType: { args: [u64], returns: u32 },
  ReadFile: { args: [u64, pointer, u32, pointer, pointer], returns: bool },
  DeviceIoControl: {
    args: [u64, u32, pointer, u32, pointer, u32, pointer, pointer],
    returns: bool,
  },
  CloseHandle: { args: [u64], returns: bool },
} as const
const openFileFunctions = {
  NtCreateFile: {
    args: [pointer, u32, pointer, pointer, pointer, u32, u32, u32, u32, pointer, u32],
    returns: i32,
  },
} as const

/** Opens the libraries for files of Windows. Throws on other systems. */
export const openFileCalls = () => ({
  ...openSystemLibrary('kernel32.dll', fileFunctions),
  ...openSystemLibrary('ntdll.dll', openFileFunctions),
})

export type FileCalls = ReturnType<typeof openFileCalls>

// winreg.h
const registryFunctions = {
  RegOpenKeyExW: { args: [u64, pointer, u32, u32, pointer], returns: i32 },
  RegEnumValueW: {
    args: [u64, u32, pointer, pointer, pointer, pointer, pointer, pointer],
    returns: i32,
  },
  RegCreateKeyExW: {
    args: [u64, pointer, u32, pointer, u32, u32, pointer, pointer, pointer],
    returns: i32,
  },
  RegSetValueExW: { args: [u64, pointer, u32, u32, pointer, u32], returns: i32 },
  RegCloseKey: { args: [u64], returns: i32 },
} as const

/** Opens the registry's library of Windows. Throws on other systems. */
export const openRegistryCalls = () => openSystemLibrary('advapi32.dll', registryFunctions)

/** The address of a buffer, good for as long as something holds the buffer. */
export const getAddress = (buffer: Uint8Array): bigint => BigInt(ptr(buffer))

// socket(2), send(2), recv(2).
const libcFunctions = {
  socket: { args: [i32, i32, i32], returns: i32 },
  send: { args: [i32, pointer, u64, i32], returns: i64 },
  recv: { args: [i32, pointer, u64, i32], returns: i64 },
} as const

/** Opens the C library of Linux. Throws on other systems. */
export const openSocketCalls = () => openSystemLibrary('libc.so.6', libcFunctions)

export type SocketCalls = ReturnType<typeof openSocketCalls>

// getsockname(2), getpeername(2), shutdown(2).
const connectionFunctions = {
  getsockname: { args: [i32, pointer, pointer], returns: i32 },
  getpeername: { args: [i32, pointer, pointer], returns: i32 },
  shutdown: { args: [i32, i32], returns: i32 },
} as const

/** Opens the C library of Linux. Throws on other systems. */
export const openConnectionCalls = () => openSystemLibrary('libc.so.6', connectionFunctions)

export type ConnectionCalls = ReturnType<typeof openConnectionCalls>

/** Whether this is Wine, whose tables list its own processes and no others of the machine; ntdll says so. */
export function isWine(): boolean {
  try {
    openSystemLibrary('ntdll.dll', { wine_get_version: { args: [], returns: pointer } })
    return true
  } catch {
    return false
  }
}

// getpwuid(3), geteuid(2).
const userFunctions = {
  geteuid: { args: [], returns: u32 },
  getpwuid: { args: [u32], returns: pointer },
} as const

/** The name of the account of this process, as the user database of Linux or macOS has it; undefined: it has none. */
export function readPosixUserName(platform: string): string | undefined {
  const library = platform === 'darwin' ? 'libSystem.B.dylib' : 'libc.so.6'
  const { getpwuid, geteuid } = openSystemLibrary(library, userFunctions)
  const entry = getpwuid(geteuid())
  if (entry === null) return undefined
  // `pw_name` is the first member on both.
  return new CString(read.ptr(entry) as Pointer).toString()
}

const windowsUserFunctions = { GetUserNameW: { args: [pointer, pointer], returns: bool } } as const
const windowsLocaleFunctions = {
  GetUserDefaultLocaleName: { args: [pointer, i32], returns: i32 },
} as const

/** The name of the account of this process (winbase.h: at most 256 characters, UNLEN). Throws on other systems. */
export function readWindowsUserName(): string | undefined {
  const { GetUserNameW } = openSystemLibrary('advapi32.dll', windowsUserFunctions)
  const name = Buffer.alloc(2 * 257)
  const size = Buffer.alloc(4)
  size.writeUInt32LE(257)
  if (!GetUserNameW(name, size)) return undefined
  return name.toString('utf16le', 0, 2 * (size.readUInt32LE() - 1))
}

/** The language and region in the settings of this user, such as `de-BE` (winnls.h: at most 85 characters). Throws on other systems. */
export function readWindowsLocaleName(): string | undefined {
  const { GetUserDefaultLocaleName } = openSystemLibrary('kernel32.dll', windowsLocaleFunctions)
  const name = Buffer.alloc(2 * 85)
  const length = GetUserDefaultLocaleName(name, 85)
  return length > 0 ? name.toString('utf16le', 0, 2 * (length - 1)) : undefined
}
