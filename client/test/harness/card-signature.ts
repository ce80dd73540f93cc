/** Signatures as cards make them, over a digest, made by openssl. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Holder } from './authority.ts'

const run = promisify(execFile)

/** Bytes of a number of the curve. */
const numberBytes = { 'P-256': 32, 'P-384': 48, 'P-521': 66 } as const

/** PKCS #1 v1.5 for RSA, r ‖ s for the curve that is given. */
export async function signDigest(
  { keyFile }: Holder,
  { hash, digest }: { readonly hash: string; readonly digest: Uint8Array },
  curve?: keyof typeof numberBytes,
): Promise<Buffer> {
  const [file, out] = [`${keyFile}.digest`, `${keyFile}.value`]
  await writeFile(file, digest)
  const name = hash.replace('-', '').toLowerCase()
  await run('openssl', [
    ...['pkeyutl', '-sign', '-inkey', keyFile, '-in', file, '-out', out],
    ...['-pkeyopt', `digest:${name}`],
  ])
  const value = await readFile(out)
  return curve ? toRaw(value, numberBytes[curve]) : value
}

/** r ‖ s of SEQUENCE { r, s }. */
function toRaw(der: Buffer, size: number): Buffer {
  const start = (der[1] ?? 0) < 0x80 ? 2 : 3
  const rLength = der[start + 1] ?? 0
  const integers = [der.subarray(start + 2, start + 2 + rLength), der.subarray(start + 4 + rLength)]
  return Buffer.concat(
    integers.map((integer) => {
      const digits = integer.subarray(integer.findIndex((byte) => byte !== 0))
      return Buffer.concat([Buffer.alloc(size - digits.length), digits])
    }),
  )
}
