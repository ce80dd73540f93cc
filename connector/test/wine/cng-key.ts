/** Makes a key of CNG that lies in memory alone, as programs of Windows do (ncrypt.h). */
import { getAddress, openCng, toUtf16 } from './native.ts'

/** An RSA key with 2048 bits: its handle, and its public part (BCRYPT_RSAKEY_BLOB of bcrypt.h). */
export function createCngKey(): { readonly handle: bigint; readonly publicKey: Buffer } {
  const cng = openCng()
  const succeed = (status: number, call: string) => {
    if (status !== 0) throw new Error(`Windows refuses ${call}: 0x${status.toString(16)}`)
  }
  const [provider, key, bits] = [Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(4)]
  const software = toUtf16('Microsoft Software Key Storage Provider')
  succeed(
    cng.NCryptOpenStorageProvider(getAddress(provider), getAddress(software), 0),
    'the provider',
  )
  const algorithm = toUtf16('RSA')
  const opened = provider.readBigUInt64LE()
  succeed(
    cng.NCryptCreatePersistedKey(opened, getAddress(key), getAddress(algorithm), 0n, 0, 0),
    'the key',
  )
  bits.writeUInt32LE(2048)
  const handle = key.readBigUInt64LE()
  const length = toUtf16('Length')
  succeed(
    cng.NCryptSetProperty(handle, getAddress(length), getAddress(bits), bits.length, 0),
    'the length',
  )
  succeed(cng.NCryptFinalizeKey(handle, 0), 'to finish the key')
  const [blob, size, kind] = [Buffer.alloc(1024), Buffer.alloc(4), toUtf16('RSAPUBLICBLOB')]
  const exported = cng.NCryptExportKey(
    handle,
    0n,
    getAddress(kind),
    0n,
    getAddress(blob),
    1024,
    getAddress(size),
    0,
  )
  succeed(exported, 'the public key')
  return { handle, publicKey: blob.subarray(0, size.readUInt32LE()) }
}
