/** Rate limits counted in the memory of this process, for Node and Deno. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { LimitName, Limits } from '../ports.ts'
import { registrationSettings } from '../rules/new-device-limits.ts'
import type { Settings } from '../settings.ts'

/** Those that a setting gives. */
export type LimitSettings = Pick<Settings, 'tokenLimit' | 'registrationLimit'>

/** Failed authentications of an address in a minute; more get 429. */
const failuresPerMinute = 20

/** Logins of an address in a minute that did not succeed: each costs a scrypt hash, also with an unknown name. */
const loginsPerMinute = 60

/** The period of every limit. */
export const limitPeriodS = 60

/** How often each may be used in a period. */
export const toLimitPoints = ({
  tokenLimit,
  registrationLimit,
}: LimitSettings): Readonly<Record<LimitName, number>> => ({
  token: tokenLimit,
  registration: registrationLimit,
  login: loginsPerMinute,
  failure: failuresPerMinute,
})

export function createMemoryLimits(settings: LimitSettings): Limits {
  const points = toLimitPoints(settings)
  const create = (name: LimitName) =>
    new RateLimiterMemory({ keyPrefix: name, points: points[name], duration: limitPeriodS })
  const limiters: Record<LimitName, RateLimiterMemory> = {
    token: create('token'),
    registration: create('registration'),
    login: create('login'),
    failure: create('failure'),
  }
  return {
    registrationSetting: registrationSettings.environment,
    async consume(name, key) {
      try {
        await limiters[name].consume(key)
        return undefined
      } catch (refusal) {
        // No longer than a period, also when the clock was set back.
        if (refusal instanceof RateLimiterRes)
          return Math.min(refusal.msBeforeNext / 1000, limitPeriodS)
        throw refusal
      }
    },
    async refund(name, key) {
      await limiters[name].reward(key)
    },
  }
}
