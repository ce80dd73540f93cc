/** Keeps a crowd of devices from waiting for each other: so many are served at once, the rest comes back later. */
import { Problem } from '@cardwire/client/protocol'
import type { MiddlewareHandler } from 'hono'
import type { Services } from '../services.ts'
import type { AppEnv } from './bind.ts'

/** More at once would not be served sooner: two cores are busy with ten. */
const atOnce = 64

/** What is turned away comes back within this time, each at a moment of its own, in seconds. */
const soonestS = 2
const spreadS = 30

export function crowd(
  { random }: Pick<Services, 'random'>,
  most = atOnce,
): MiddlewareHandler<AppEnv> {
  let served = 0
  return async (_, next) => {
    if (served >= most) {
      const [high = 0, low = 0] = random.bytes(2)
      const retryAfterS = Math.ceil(soonestS + (spreadS * (high * 256 + low)) / 65_536)
      throw new Problem(
        'service-busy',
        `Cannot synchronise so many devices at once: try again in ${retryAfterS} s`,
        { retryAfterS },
      )
    }
    served += 1
    try {
      await next()
    } finally {
      served -= 1
    }
  }
}
