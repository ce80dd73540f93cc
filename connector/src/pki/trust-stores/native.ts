/** The functions of crypt32.dll that we call, as wincrypt.h declares them. */
import { FFIType, ptr } from 'bun:ffi'
import { openSystemLibrary } from '../../system/libraries/system-libraries.ts'

const { u32, u64, bool } = FFIType

// Handles and contexts are opaque 64-bit numbers here: every Windows we build for has 64 bits.
const signatures = {
  CertOpenStore: { args: [u64, u32, u64, u32, u64], returns: u64 },
  CertCloseStore: { args: [u64, u32], returns: bool },
  CertAddEncodedCertificateToStore: { args: [u64, u32, u64, u32, u32, u64], returns: bool },
  CertCreateCertificateContext: { args: [u32, u64, u32], returns: u64 },
  CertFindCertificateInStore: { args: [u64, u32, u32, u32, u64, u64], returns: u64 },
  CertDeleteCertificateFromStore: { args: [u64], returns: bool },
  CertControlStore: { args: [u64, u32, u32, u64], returns: bool },
  CertFreeCertificateContext: { args: [u64], returns: bool },
} as const

export type Crypt32 = {
  readonly [Name in keyof typeof signatures]: (
    ...args: Parameters<ReturnType<typeof openSymbols>[Name]>
  ) => ReturnType<ReturnType<typeof openSymbols>[Name]>
} & { readonly GetLastError: () => number }

const openSymbols = () => openSystemLibrary('crypt32.dll', signatures)

/** Opens crypt32.dll. Throws on other systems. */
export function openCrypt32(): Crypt32 {
  const { GetLastError } = openSystemLibrary('kernel32.dll', {
    GetLastError: { args: [], returns: u32 },
  })
  return { ...openSymbols(), GetLastError }
}

/** The address of a buffer, good for as long as something holds the buffer. */
export const getAddress = (buffer: Uint8Array): bigint => BigInt(ptr(buffer))
