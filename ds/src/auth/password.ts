/** Hashes passwords with scrypt (RFC 7914), the one function of `node:crypto` that every runtime here has. */
import { scrypt, timingSafeEqual } from 'node:crypto'
import type { Passwords, Random } from '../services.ts'

/** Cost, block size, parallelism: 32 MiB and some 60 ms; 2^17 would need all the memory a Worker has. */
const cost = { N: 2 ** 15, r: 8, p: 3 }

/** The parameters stand in the hash, so that they can grow: `scrypt$N$r$p$salt$hash`, the last two in base64. */
export const scryptPasswords = (random: Random): Passwords => ({
  async hash(password) {
    const salt = random.bytes(16)
    const hash = await derive(password, salt, cost)
    return ['scrypt', cost.N, cost.r, cost.p, base64(salt), base64(hash)].join('$')
  },
  async matches(password, stored) {
    const [scheme, N, r, p, salt, hash] = (stored ?? absent).split('$')
    if (scheme !== 'scrypt' || !salt || !hash)
      throw new Error('Cannot read a password hash: unknown scheme')
    const actual = await derive(password, bytes(salt), { N: Number(N), r: Number(r), p: Number(p) })
    return timingSafeEqual(actual, bytes(hash)) && stored !== undefined
  },
})

/** Stands for accounts that do not exist, so that asking for one costs the same. */
const absent = `scrypt$${cost.N}$${cost.r}$${cost.p}$${btoa('0'.repeat(16))}$${btoa('0'.repeat(32))}`

function derive(password: string, salt: Uint8Array, { N, r, p }: typeof cost): Promise<Uint8Array> {
  // scrypt needs 128 · N · r bytes; the default ceiling of node:crypto lies just below.
  const options = { N, r, p, maxmem: 256 * N * r }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

const base64 = (data: Uint8Array) => btoa(String.fromCharCode(...data))
const bytes = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
