/** Wraps secrets for the database with keys derived from DS_SECRET. */
import type { Random } from '../../ports.ts'
import { base64ToBytes, bytesToBase64 } from '../../rules/encoding.ts'
import type { SealedRow } from './sealed.ts'

export interface Vault {
  /** Encrypts `text` for a row; `unwrap` needs the same row. */
  wrap(text: string, row: SealedRow): Promise<string>
  /** Decrypts the result of `wrap`. Throws for another row, or when DS_SECRET has changed. */
  unwrap(wrapped: string, row: SealedRow): Promise<string>
  /** A key for HMAC-SHA-256; every purpose has its own. */
  deriveMacKey(purpose: string): Promise<CryptoKey>
}

/** The length of an initialization vector of AES-GCM, in bytes (NIST SP 800-38D §5.2.1.1). */
const ivLength = 12

/** `secret`: 32 bytes. */
export async function createVault(secret: Uint8Array<ArrayBuffer>, random: Random): Promise<Vault> {
  const root = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const derive = (
    purpose: string,
    algorithm: AesKeyGenParams | HmacKeyGenParams,
    usages: KeyUsage[],
  ) =>
    crypto.subtle.deriveKey(
      {
        name: 'HKDF',
        hash: 'SHA-256',
        salt: new Uint8Array(),
        info: encode(`cardwire ${purpose}`),
      },
      root,
      algorithm,
      false,
      usages,
    )
  const key = await derive('wrap', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt'])

  return {
    async wrap(text, row) {
      const iv = random.bytes(ivLength)
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv, additionalData: encode(row) },
        key,
        encode(text),
      )
      return bytesToBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)]))
    },
    async unwrap(wrapped, row) {
      const sealed = base64ToBytes(wrapped)
      const iv = sealed.subarray(0, ivLength)
      const opened = await crypto.subtle
        .decrypt(
          { name: 'AES-GCM', iv, additionalData: encode(row) },
          key,
          sealed.subarray(ivLength),
        )
        .catch(() => {
          throw new Error(
            `Cannot unwrap the secret of row "${row}": it was stored under another DS_SECRET`,
          )
        })
      return new TextDecoder().decode(opened)
    },
    deriveMacKey: (purpose) =>
      derive(purpose, { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign', 'verify']),
  }
}

const encode = (text: string) => new TextEncoder().encode(text)
