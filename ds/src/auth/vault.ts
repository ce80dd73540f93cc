/** Wraps secrets for the database with keys derived from DS_SECRET. */
import type { Random } from '../services.ts'

export interface Vault {
  /** Encrypts `text` for the row with this id; only that row can be read back with it. */
  wrap(text: string, rowId: string): Promise<string>
  /** Decrypts what `wrap` gave for the same row. */
  unwrap(wrapped: string, rowId: string): Promise<string>
  /** A key for HMAC-SHA-256, of its own for each purpose. */
  macKey(purpose: string): Promise<CryptoKey>
}

/** The length of an initialisation vector of AES-GCM, in bytes (NIST SP 800-38D §5.2.1.1). */
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
      { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: bytes(`cardwire ${purpose}`) },
      root,
      algorithm,
      false,
      usages,
    )
  const key = await derive('wrap', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt'])

  return {
    async wrap(text, rowId) {
      const iv = random.bytes(ivLength)
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv, additionalData: bytes(rowId) },
        key,
        bytes(text),
      )
      return base64(new Uint8Array([...iv, ...new Uint8Array(sealed)]))
    },
    async unwrap(wrapped, rowId) {
      const sealed = Uint8Array.from(atob(wrapped), (char) => char.charCodeAt(0))
      const iv = sealed.subarray(0, ivLength)
      const opened = await crypto.subtle
        .decrypt(
          { name: 'AES-GCM', iv, additionalData: bytes(rowId) },
          key,
          sealed.subarray(ivLength),
        )
        .catch(() => {
          throw new Error(
            `Cannot unwrap the secret of row "${rowId}": it was stored under another DS_SECRET`,
          )
        })
      return new TextDecoder().decode(opened)
    },
    macKey: (purpose) =>
      derive(purpose, { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign', 'verify']),
  }
}

const bytes = (text: string) => new TextEncoder().encode(text)
const base64 = (data: Uint8Array) => btoa(String.fromCharCode(...data))
