/** Which PINs a kind of card accepts. */

export interface PinRule {
  /** Characters, both included. */
  readonly min: number
  readonly max: number
  /** `digits`: 0 to 9. `printable`: ASCII from space to tilde. */
  readonly alphabet: 'digits' | 'printable'
}

const ranges = { digits: [0x30, 0x39], printable: [0x20, 0x7e] } as const

/** The first and the last byte of an alphabet. */
export const readAlphabet = (alphabet: PinRule['alphabet']): readonly [number, number] =>
  ranges[alphabet]

/** Whether a card with this rule takes these bytes as a PIN: checked before anything is sent to it. */
export const isPinAllowed = ({ min, max, alphabet }: PinRule, pin: Uint8Array): boolean => {
  const [first, last] = ranges[alphabet]
  return (
    pin.length >= min && pin.length <= max && pin.every((byte) => byte >= first && byte <= last)
  )
}
