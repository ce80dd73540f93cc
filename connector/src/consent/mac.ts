/** A keyed hash over several texts. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA-256 (RFC 2104); every part is preceded by its length, so that no two lists are one text. */
export function mac(key: string | Uint8Array, parts: readonly string[]): Buffer {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:${part}`)
  return hmac.digest()
}

/** In the same time wherever they differ. */
export const sameBytes = (given: Uint8Array, expected: Uint8Array): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected)
