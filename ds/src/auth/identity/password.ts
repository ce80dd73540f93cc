/** Hashes passwords with scrypt (RFC 7914), the only password hash that `node:crypto` has on Node, Deno and Workers. */
import { scrypt, timingSafeEqual } from 'node:crypto'
import type { Passwords, Random } from '../../ports.ts'
import { base64ToBytes, bytesToBase64 } from '../../rules/encoding.ts'

/** Cost, block size, parallelism. */
interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** 32 MiB and some 60 ms; 2^17 would need all the memory a Worker has. */
const serviceCost: Cost = { N: 2 ** 15, r: 8, p: 3 }

/**
 * The hash holds its parameters, so that they can grow later: `scrypt$N$r$p$salt$hash`, the last two in base64.
 * Only tests pass a `cost`: no setting changes it.
 */
export const createScryptPasswords = (random: Random, cost = serviceCost): Passwords => ({
  async hash(password) {
    const salt = random.bytes(16)
    const hash = await derive(password, salt, cost)
    return ['scrypt', cost.N, cost.r, cost.p, bytesToBase64(salt), bytesToBase64(hash)].join('$')
  },
  async verify(password, passwordHash) {
    const [scheme, N, r, p, salt, hash] = (passwordHash ?? createPlaceholderHash(cost)).split('$')
    if (scheme !== 'scrypt' || !salt || !hash)
      throw new Error('Cannot read a password hash: unknown scheme')
    const actual = await derive(password, base64ToBytes(salt), {
      N: Number(N),
      r: Number(r),
      p: Number(p),
    })
    return timingSafeEqual(actual, base64ToBytes(hash)) && passwordHash !== undefined
  },
})

/** Compared for an account that does not exist, so that the answer takes as long. */
const createPlaceholderHash = ({ N, r, p }: Cost): string =>
  `scrypt$${N}$${r}$${p}$${btoa('0'.repeat(16))}$${btoa('0'.repeat(32))}`

function derive(password: string, salt: Uint8Array, { N, r, p }: Cost): Promise<Uint8Array> {
  // scrypt needs 128 · N · r bytes; the default limit of node:crypto is just below that.
  const options = { N, r, p, maxmem: 256 * N * r }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
