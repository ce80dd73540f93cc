/** Signs digests with the keys of certificates on Windows: by CNG, or by CryptoAPI where a key lies in a provider of it. */
import { getAddress, toUtf16, type WindowsKeys } from './native.ts'

export type StoreHash = 'sha1' | 'sha256' | 'sha384' | 'sha512'

export interface KeyUse {
  readonly hash: StoreHash
  readonly digest: Uint8Array
  readonly isRsa: boolean
  /** Whether a key may sign that authenticates; absent: it may not. */
  readonly mayAuthenticate?: true | undefined
}

/** The signature: of RSA by PKCS #1 v1.5, of elliptic curves r and s one after the other; or the status of Windows. */
export type SignatureResult = { readonly signature: Buffer } | { readonly status: number }

// Values of wincrypt.h and bcrypt.h.
const preferCng = 0x2_0000
const ofCng = 0xffff_ffff
const padPkcs1 = 2
const hashValue = 2
const algorithms = {
  sha1: { cng: 'SHA1', capi: 0x8004 },
  sha256: { cng: 'SHA256', capi: 0x800c },
  sha384: { cng: 'SHA384', capi: 0x800d },
  sha512: { cng: 'SHA512', capi: 0x800e },
} as const

/** Bytes: of RSA with 16384 bits. */
const maxSignatureBytes = 2048

interface PrivateKey {
  readonly handle: bigint
  /** The key of a provider of CryptoAPI; `ofCng`: the handle is that of the key. */
  readonly specification: number
}

/**
 * Calls `use` with the private key of a certificate. Windows asks the user for what the key needs in windows of its own, here
 * or when it signs: a PIN, or a confirmation.
 */
export function withPrivateKey<T>(
  keys: WindowsKeys,
  certificate: bigint,
  use: (key: PrivateKey) => T,
): T | { readonly status: number } {
  const [handle, specification, mustFree] = [Buffer.alloc(8), Buffer.alloc(4), Buffer.alloc(4)]
  const isOpen = keys.CryptAcquireCertificatePrivateKey(
    certificate,
    preferCng,
    0n,
    getAddress(handle),
    getAddress(specification),
    getAddress(mustFree),
  )
  if (!isOpen) return { status: keys.GetLastError() }
  const key = {
    handle: handle.readBigUInt64LE(),
    specification: specification.readUInt32LE(),
  }
  try {
    return use(key)
  } finally {
    if (mustFree.readUInt32LE() !== 0) free(keys, key)
  }
}

function free(keys: WindowsKeys, { handle, specification }: PrivateKey): void {
  if (specification === ofCng) keys.NCryptFreeObject(handle)
  else keys.CryptReleaseContext(handle, 0)
}

export const signDigest = (keys: WindowsKeys, key: PrivateKey, use: KeyUse): SignatureResult =>
  key.specification === ofCng ? signByCng(keys, key.handle, use) : signByProvider(keys, key, use)

/** BCRYPT_PKCS1_PADDING_INFO is one pointer, to the name of the hash. */
function signByCng(keys: WindowsKeys, key: bigint, use: KeyUse): SignatureResult {
  const { hash, isRsa, digest } = use
  const [name, padding] = [toUtf16(algorithms[hash].cng), Buffer.alloc(8)]
  padding.writeBigUInt64LE(BigInt(getAddress(name)))
  const [signature, length] = [Buffer.alloc(maxSignatureBytes), Buffer.alloc(4)]
  const status = keys.NCryptSignHash(
    key,
    isRsa ? BigInt(getAddress(padding)) : 0n,
    getAddress(digest),
    digest.length,
    BigInt(getAddress(signature)),
    signature.length,
    getAddress(length),
    isRsa ? padPkcs1 : 0,
  )
  return status === 0 ? { signature: signature.subarray(0, length.readUInt32LE()) } : { status }
}

function signByProvider(
  keys: WindowsKeys,
  { handle: provider, specification }: PrivateKey,
  { hash, digest }: KeyUse,
): SignatureResult {
  const created = Buffer.alloc(8)
  const { capi } = algorithms[hash]
  if (!keys.CryptCreateHash(provider, capi, 0n, 0, getAddress(created)))
    return { status: keys.GetLastError() }
  const handle = created.readBigUInt64LE()
  try {
    const [signature, length] = [Buffer.alloc(maxSignatureBytes), Buffer.alloc(4)]
    length.writeUInt32LE(signature.length)
    const isSigned =
      keys.CryptSetHashParam(handle, hashValue, getAddress(digest), 0) &&
      keys.CryptSignHashW(
        handle,
        specification,
        0n,
        0,
        BigInt(getAddress(signature)),
        getAddress(length),
      )
    // CryptoAPI writes the lowest byte first.
    return isSigned
      ? { signature: signature.subarray(0, length.readUInt32LE()).reverse() }
      : { status: keys.GetLastError() }
  } finally {
    keys.CryptDestroyHash(handle)
  }
}
