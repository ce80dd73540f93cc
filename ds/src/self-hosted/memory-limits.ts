/** Rate limits counted in the memory of this process, for Node and Deno. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { LimitName, Limits } from '../ports.ts'

/** Failed authentications of an address in a minute; more get 429. */
const failuresPerMinute = 20

/** Logins of an address in a minute that did not succeed: each costs a scrypt hash, also with an unknown name. */
const loginsPerMinute = 60

export function createMemoryLimits(tokensPerMinute: number): Limits {
  const limiters: Record<LimitName, RateLimiterMemory> = {
    token: new RateLimiterMemory({ keyPrefix: 'token', points: tokensPerMinute, duration: 60 }),
    login: new RateLimiterMemory({ keyPrefix: 'login', points: loginsPerMinute, duration: 60 }),
    failure: new RateLimiterMemory({
      keyPrefix: 'failure',
      points: failuresPerMinute,
      duration: 60,
    }),
  }
  return {
    async consume(name, key) {
      try {
        await limiters[name].consume(key)
        return undefined
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return refusal.msBeforeNext / 1000
        throw refusal
      }
    },
    async refund(name, key) {
      await limiters[name].reward(key)
    },
  }
}
