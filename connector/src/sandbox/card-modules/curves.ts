/** The elliptic curves of cards, and arithmetic modulo a prime. */

export interface Curve {
  /** Of a coordinate. */
  readonly bytes: number
  /** Of the field (SP 800-186 §3.2.1). */
  readonly prime: bigint
  /** Of the base point. */
  readonly order: bigint
}

/** By OpenSSL's name. */
export const curves = {
  prime256v1: {
    bytes: 32,
    prime: 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  },
  secp384r1: {
    bytes: 48,
    prime:
      0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffffn,
    order:
      0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  },
} as const satisfies Record<string, Curve>

export type CurveName = keyof typeof curves

export const toNumber = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

/** From 0 to modulus − 1, also of a negative value. */
export const reduce = (value: bigint, modulus: bigint): bigint =>
  ((value % modulus) + modulus) % modulus

/** By the extended algorithm of Euclid. */
export function invert(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n]
  while (b !== 0n) {
    const quotient = a / b
    ;[a, b] = [b, a - quotient * b]
    ;[x, y] = [y, x - quotient * y]
  }
  return reduce(x, modulus)
}
