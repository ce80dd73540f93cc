/** The functions of Windows that tell and set who may open a file: sddl.h, securitybaseapi.h. */
import { dlopen, FFIType } from 'bun:ffi'

const { bool, u32, u64, ptr: pointer } = FFIType

// A descriptor that Windows allocates is an opaque 64-bit number here.
const ofAdvapi32 = {
  GetFileSecurityW: { args: [pointer, u32, pointer, u32, pointer], returns: bool },
  ConvertStringSecurityDescriptorToSecurityDescriptorW: {
    args: [pointer, u32, pointer, u64],
    returns: bool,
  },
  SetFileSecurityW: { args: [pointer, u32, u64], returns: bool },
} as const
const ofKernel32 = { LocalFree: { args: [u64], returns: u64 } } as const

/** Opens the libraries. Throws on other systems. */
export const openSecurityCalls = () => ({
  ...dlopen('advapi32.dll', ofAdvapi32).symbols,
  ...dlopen('kernel32.dll', ofKernel32).symbols,
})
