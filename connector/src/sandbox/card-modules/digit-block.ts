/** PIN blocks of digits: a control nibble 2, the number of digits, two digits a byte, filled up with F (ISO 9564-1 format 2; GlobalPlatform's Global PIN). */
import type { CardPin } from './card-module.ts'
import { createSecretBytes } from './secret-bytes.ts'

const emptyBlock = new Uint8Array(Buffer.from('20FFFFFFFFFFFFFF', 'hex'))

/** Four to twelve digits, typed in a dialog or at the pad of a reader. */
export const digitBlock: Pick<CardPin, 'min' | 'max' | 'alphabet' | 'toBlock' | 'pad'> = {
  min: 4,
  max: 12,
  alphabet: 'digits',
  toBlock: (digits) => {
    const block = createSecretBytes(emptyBlock.length)
    block.set(emptyBlock)
    block[0] = (block[0] ?? 0) | digits.length
    for (let at = 0; at < digits.length; at += 2) {
      const [high = 0, low] = [digits[at], digits[at + 1]]
      block[1 + at / 2] = ((high & 0x0f) << 4) | (low === undefined ? 0x0f : low & 0x0f)
    }
    return block
  },
  pad: {
    encoding: 'bcd',
    block: emptyBlock,
    position: 1,
    // The low half of the first byte.
    length: { bits: 4, position: 4 },
  },
}
