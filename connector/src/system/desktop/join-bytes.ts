/** Bytes that may be a secret, one after the other in a copy that can be overwritten where it is. */

/**
 * With a buffer from the start: the engine keeps short arrays in its heap, moves them to a buffer when one is needed, as
 * `subarray` does, and leaves the bytes behind (JSC, slowDownAndWasteMemory).
 */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const joined = new Uint8Array(new ArrayBuffer(length))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
