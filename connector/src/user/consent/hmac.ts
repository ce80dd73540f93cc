/** HMAC-SHA-256 over several texts. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** RFC 2104; each part is preceded by its length, so that different lists never give the same input. */
export function computeHmac(key: string | Uint8Array, parts: readonly string[]): Buffer {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:${part}`)
  return hmac.digest()
}

/** The time does not depend on where the bytes differ. */
export const equalsConstantTime = (given: Uint8Array, expected: Uint8Array): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected)
