/** The functions of crypt32.dll, advapi32.dll and ncrypt.dll that we call, as wincrypt.h and ncrypt.h declare them. */
import { FFIType, type Pointer, ptr, read, toArrayBuffer } from 'bun:ffi'
import { openSystemLibrary } from '../../system/libraries/system-libraries.ts'

const { u32, u64, bool, ptr: pointer } = FFIType

// Handles and contexts are opaque 64-bit numbers here: every Windows we build for has 64 bits.
const crypt32Functions = {
  CertOpenStore: { args: [u64, u32, u64, u32, pointer], returns: u64 },
  CertCloseStore: { args: [u64, u32], returns: bool },
  CertEnumCertificatesInStore: { args: [u64, u64], returns: u64 },
  CertFreeCertificateContext: { args: [u64], returns: bool },
  CertGetCertificateContextProperty: { args: [u64, u32, u64, pointer], returns: bool },
  CryptAcquireCertificatePrivateKey: {
    args: [u64, u32, u64, pointer, pointer, pointer],
    returns: bool,
  },
} as const

const advapi32Functions = {
  CryptCreateHash: { args: [u64, u32, u64, u32, pointer], returns: bool },
  CryptSetHashParam: { args: [u64, u32, pointer, u32], returns: bool },
  CryptSignHashW: { args: [u64, u32, u64, u32, u64, pointer], returns: bool },
  CryptDestroyHash: { args: [u64], returns: bool },
  CryptReleaseContext: { args: [u64, u32], returns: bool },
} as const

const ncryptFunctions = {
  NCryptSignHash: { args: [u64, u64, pointer, u32, u64, u32, pointer, u32], returns: u32 },
  NCryptFreeObject: { args: [u64], returns: u32 },
} as const

/** Opens them all. Throws on other systems. */
export const openWindowsKeys = () => ({
  ...openSystemLibrary('crypt32.dll', crypt32Functions),
  ...openSystemLibrary('advapi32.dll', advapi32Functions),
  ...openSystemLibrary('ncrypt.dll', ncryptFunctions),
  ...openSystemLibrary('kernel32.dll', { GetLastError: { args: [], returns: u32 } }),
})

export type WindowsKeys = ReturnType<typeof openWindowsKeys>

/** UTF-16, ended by a zero; hold it for as long as Windows reads it. */
export const toUtf16 = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le')

/** The address of a buffer, good for as long as something holds the buffer. */
export const getAddress = (buffer: Uint8Array) => ptr(buffer)

/** CERT_CONTEXT of wincrypt.h for 64 bits: offsets in bytes. */
const context = { encoded: 8, length: 16 } as const

/** A copy of the certificate of a context, DER. */
export function copyCertificate(handle: bigint): Buffer {
  const address = Number(handle) as Pointer
  const encoded = read.ptr(address, context.encoded) as Pointer
  return Buffer.from(Buffer.from(toArrayBuffer(encoded, 0, read.u32(address, context.length))))
}
