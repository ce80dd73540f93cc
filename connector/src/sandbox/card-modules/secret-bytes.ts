/** Bytes for a secret, which can be overwritten where they are. */

/**
 * The engine keeps short arrays in its heap and moves them to a buffer when one is needed, as `subarray` does, and the
 * bytes stay behind (JSC, slowDownAndWasteMemory). With a buffer from the start they are in one place.
 */
export const createSecretBytes = (length: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new ArrayBuffer(length))
