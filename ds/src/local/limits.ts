/** Counts of this process, for Node and Deno. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { LimitName, Limits } from '../services.ts'

/** Failures an address may have in a minute before they are answered with 429. */
const failuresPerMinute = 20

/** Logins an address may try in a minute: each costs a scrypt, whatever the name. */
const loginsPerMinute = 60

export function memoryLimits(tokensPerMinute: number): Limits {
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
    async take(name, key) {
      try {
        await limiters[name].consume(key)
        return undefined
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return refusal.msBeforeNext / 1000
        throw refusal
      }
    },
  }
}
