/** The functions of Windows for the access list of a file: sddl.h, securitybaseapi.h. */
import { FFIType } from 'bun:ffi'
import { openSystemLibrary } from '../system/libraries/system-libraries.ts'

const { bool, u32, u64, ptr: pointer } = FFIType

// A descriptor that Windows allocates is an opaque 64-bit number here.
const advapi32Functions = {
  GetFileSecurityW: { args: [pointer, u32, pointer, u32, pointer], returns: bool },
  ConvertStringSecurityDescriptorToSecurityDescriptorW: {
    args: [pointer, u32, pointer, u64],
    returns: bool,
  },
  SetFileSecurityW: { args: [pointer, u32, u64], returns: bool },
} as const
const kernel32Functions = { LocalFree: { args: [u64], returns: u64 } } as const

/** Opens the libraries. Throws on other systems. */
export const openSecurityCalls = () => ({
  ...openSystemLibrary('advapi32.dll', advapi32Functions),
  ...openSystemLibrary('kernel32.dll', kernel32Functions),
})
