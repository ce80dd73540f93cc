/** The key derivation of PKCS#12 (RFC 7292 Appendix B): from a password to keys. */
import { hash } from 'node:crypto'
import type { WorkBudget } from './work-budget.ts'

/** The ID byte of RFC 7292 §B.3: the purpose of the derived bytes. */
export const purposes = { key: 1, iv: 2, mac: 3 } as const

/** Hash functions, with the bytes that they read at once, and the bytes that they give. */
export const hashes = {
  sha1: { block: 64, output: 20 },
  sha224: { block: 64, output: 28 },
  sha256: { block: 64, output: 32 },
  sha384: { block: 128, output: 48 },
  sha512: { block: 128, output: 64 },
} as const
export type Digest = keyof typeof hashes

interface DerivationOptions {
  readonly digest: Digest
  readonly password: string
  readonly salt: Uint8Array
  readonly iterations: number
  readonly purpose: (typeof purposes)[keyof typeof purposes]
  /** Bytes. */
  readonly length: number
}

/** Throws KeystoreRefused when it would take too long. */
export async function deriveBytes(options: DerivationOptions, budget: WorkBudget): Promise<Buffer> {
  const { digest, password, salt, iterations, purpose, length } = options
  const { block: size, output } = hashes[digest]
  budget.spend({ iterations, blocks: Math.ceil(length / output), saltBytes: salt.length })
  const diversifier = Buffer.alloc(size, purpose)
  const input = Buffer.concat([
    repeatToBlocks(salt, size),
    repeatToBlocks(toBmpString(password), size),
  ])
  const chunks: Buffer[] = []
  for (let derived = 0; derived < length; ) {
    const first = Buffer.concat([diversifier, input])
    const chunk = await hashRepeatedly(digest, first, iterations, budget)
    chunks.push(chunk)
    derived += chunk.length
    addToBlocks(input, repeatToBlocks(chunk, size).subarray(0, size), size)
  }
  return Buffer.concat(chunks).subarray(0, length)
}

async function hashRepeatedly(
  digest: Digest,
  first: Buffer,
  iterations: number,
  budget: WorkBudget,
): Promise<Buffer> {
  let bytes = hash(digest, first, 'buffer')
  for (let round = 1; round < iterations; round += 1) {
    bytes = hash(digest, bytes, 'buffer')
    const turn = budget.pause()
    if (turn) await turn
  }
  return bytes
}

/** A BMPString, ended by a zero (RFC 7292 §B.1). */
const toBmpString = (password: string) => Buffer.from(`${password}\0`, 'utf16le').swap16()

/** Repeats the bytes until they fill whole blocks, cut at the end; empty stays empty. */
function repeatToBlocks(bytes: Uint8Array, block: number): Buffer {
  if (bytes.length === 0) return Buffer.alloc(0)
  return Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes)
}

/** Adds `number` and 1 to each block of `row`, big-endian, without the carry of the block. */
function addToBlocks(row: Buffer, number: Buffer, block: number): void {
  for (let from = 0; from < row.length; from += block) {
    let carry = 1
    for (let at = block - 1; at >= 0; at -= 1) {
      carry += (row[from + at] ?? 0) + (number[at] ?? 0)
      row[from + at] = carry & 0xff
      carry >>= 8
    }
  }
}
