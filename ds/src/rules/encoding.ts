/** Bytes as text and back: base64, base64url and hex digits. */

/** In parts: a call takes only so many arguments. */
export function bytesToBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  }
  return btoa(text)
}

export const base64ToBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export function bytesToHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += hexOfByte[byte]
  return hex
}

export const hexToBase64 = (hex: string): string =>
  btoa(hex.replaceAll(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))))

export const base64ToHex = (text: string): string => bytesToHex(base64ToBytes(text))

export const hexToBase64url = (hex: string): string => toBase64url(hexToBase64(hex))

export const bytesToBase64url = (bytes: Uint8Array): string => toBase64url(bytesToBase64(bytes))

const toBase64url = (base64: string) =>
  base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
