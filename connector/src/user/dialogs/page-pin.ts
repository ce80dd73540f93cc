/** A PIN that a page sends, in each form in which legacy clients do. */
import { isPinAllowed, type PinRule } from '../../sandbox/card-modules/pin-rule.ts'
import { createSecretBytes } from '../../sandbox/card-modules/secret-bytes.ts'
import { unpadPin } from './unpad-pin.ts'

/** Bytes of a ciphertext by a key of 2048 bits; clients before 3.7.1 leave out a zero in front. */
const ciphertextBytes: readonly number[] = [255, 256]

/**
 * The PIN, when a card with this rule takes it. The form is told by the text alone: clients send `base64Encoded` whatever they
 * send beside it. The caller overwrites the PIN.
 */
export function readPagePin(
  text: string,
  rule: PinRule,
  decrypt: (ciphertext: Uint8Array) => Uint8Array,
): Uint8Array<ArrayBuffer> | undefined {
  const decoded = Buffer.from(text, 'base64')
  try {
    if (ciphertextBytes.includes(decoded.length)) return readCiphertext(decoded, rule, decrypt)
    return readPlain(Buffer.from(text), rule) ?? readPlain(decoded, rule)
  } finally {
    decoded.fill(0)
  }
}

function readCiphertext(
  ciphertext: Uint8Array,
  rule: PinRule,
  decrypt: (ciphertext: Uint8Array) => Uint8Array,
): Uint8Array<ArrayBuffer> | undefined {
  const block = decrypt(ciphertext)
  try {
    return unpadPin(block, rule)
  } finally {
    block.fill(0)
  }
}

function readPlain(bytes: Uint8Array, rule: PinRule): Uint8Array<ArrayBuffer> | undefined {
  try {
    if (!isPinAllowed(rule, bytes)) return undefined
    const pin = createSecretBytes(bytes.length)
    pin.set(bytes)
    return pin
  } finally {
    bytes.fill(0)
  }
}
