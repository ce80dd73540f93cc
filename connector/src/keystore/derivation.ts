/** PKCS#12's own way from a password to keys (RFC 7292 Appendix B). */
import { KeystoreRefused } from './refusal.ts'

/** The third byte string of RFC 7292 §B.3: what the bytes are for. */
export const purposes = { key: 1, iv: 2, mac: 3 } as const

/** A file that wants more rounds would keep a machine busy for minutes. */
const mostIterations = 10_000_000

/** Throws KeystoreRefused when it would take too long. */
export function boundIterations(iterations: number): number {
  if (iterations >= 1 && iterations <= mostIterations) return iterations
  throw new KeystoreRefused(
    `its password takes ${iterations} rounds, and not 1 to ${mostIterations}`,
  )
}

/** Rounds at a time; between them others have their turn. */
const inOneGo = 20_000

/** Hashes, with the size of the blocks that they work on, in bytes. */
const blocks = { sha1: 64, sha224: 64, sha256: 64, sha384: 128, sha512: 128 } as const
export type Digest = keyof typeof blocks

interface Order {
  readonly digest: Digest
  readonly password: string
  readonly salt: Uint8Array
  readonly iterations: number
  readonly purpose: (typeof purposes)[keyof typeof purposes]
  /** Bytes. */
  readonly length: number
}

/** Throws KeystoreRefused when it would take too long. */
export async function deriveBytes(order: Order): Promise<Buffer> {
  const { digest, password, salt, purpose, length } = order
  const iterations = boundIterations(order.iterations)
  const block = blocks[digest]
  const start = Buffer.alloc(block, purpose)
  const input = Buffer.concat([repeated(salt, block), repeated(wide(password), block)])
  const made: Buffer[] = []
  for (let size = 0; size < length; ) {
    const bytes = await hashed(digest, Buffer.concat([start, input]), iterations)
    made.push(bytes)
    size += bytes.length
    addToEach(input, repeated(bytes, block).subarray(0, block), block)
  }
  return Buffer.concat(made).subarray(0, length)
}

async function hashed(digest: Digest, first: Buffer, iterations: number): Promise<Buffer> {
  let bytes = sum(digest, first)
  for (let round = 1; round < iterations; round += 1) {
    bytes = sum(digest, bytes)
    if (round % inOneGo === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return bytes
}

const sum = (digest: Digest, bytes: Buffer) =>
  new Bun.CryptoHasher(digest).update(bytes).digest() as Buffer

/** A BMPString, ended by a zero (RFC 7292 §B.1). */
const wide = (password: string) => Buffer.from(`${password}\0`, 'utf16le').swap16()

/** As often as it fits into whole blocks, cut at their end; nothing of nothing. */
function repeated(bytes: Uint8Array, block: number): Buffer {
  if (bytes.length === 0) return Buffer.alloc(0)
  return Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes)
}

/** Adds a number, and one, to each block of a row of numbers, each without its carry. */
function addToEach(row: Buffer, number: Buffer, block: number): void {
  for (let from = 0; from < row.length; from += block) {
    let carry = 1
    for (let at = block - 1; at >= 0; at -= 1) {
      carry += (row[from + at] ?? 0) + (number[at] ?? 0)
      row[from + at] = carry & 0xff
      carry >>= 8
    }
  }
}
