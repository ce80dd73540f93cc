/** The functions of Windows with which tests make certificates and keys: wincrypt.h, ncrypt.h. */
import { dlopen, FFIType, ptr } from 'bun:ffi'

const { u32, u64, bool, ptr: pointer } = FFIType

/** Opens crypt32.dll and advapi32.dll. Throws on other systems. */
export const openCertificates = () => ({
  ...dlopen('crypt32.dll', {
    CertOpenStore: { args: [u64, u32, u64, u32, pointer], returns: u64 },
    CertCloseStore: { args: [u64, u32], returns: bool },
    CertAddEncodedCertificateToStore: {
      args: [u64, u32, pointer, u32, u32, pointer],
      returns: bool,
    },
    CertSetCertificateContextProperty: { args: [u64, u32, u32, pointer], returns: bool },
    CertFreeCertificateContext: { args: [u64], returns: bool },
  }).symbols,
  ...dlopen('advapi32.dll', {
    CryptAcquireContextW: { args: [pointer, pointer, pointer, u32, u32], returns: bool },
    CryptImportKey: { args: [u64, pointer, u32, u64, u32, pointer], returns: bool },
    CryptDestroyKey: { args: [u64], returns: bool },
    CryptReleaseContext: { args: [u64, u32], returns: bool },
  }).symbols,
})

/** Opens ncrypt.dll. Throws on other systems. */
export const openCng = () =>
  dlopen('ncrypt.dll', {
    NCryptOpenStorageProvider: { args: [pointer, pointer, u32], returns: u32 },
    NCryptCreatePersistedKey: { args: [u64, pointer, pointer, u64, u32, u32], returns: u32 },
    NCryptSetProperty: { args: [u64, pointer, pointer, u32, u32], returns: u32 },
    NCryptFinalizeKey: { args: [u64, u32], returns: u32 },
    NCryptExportKey: { args: [u64, u64, pointer, u64, pointer, u32, pointer, u32], returns: u32 },
  }).symbols

/** UTF-16, ended by a zero; hold it for as long as Windows reads it. */
export const toUtf16 = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le')

/** The address of a buffer, good for as long as something holds the buffer. */
export const getAddress = (buffer: Uint8Array) => ptr(buffer)
