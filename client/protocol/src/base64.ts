/** Reads and writes standard base64. */

/** The bytes; undefined when the text is not base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const characters = atob(text)
    const bytes = new Uint8Array(characters.length)
    // Ten times as fast as Uint8Array.from, for what has megabytes.
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = characters.charCodeAt(at)
    return bytes
  } catch {
    return undefined
  }
}

export const encodeBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
