/** Keeps a crowd of devices from waiting for each other: so many are served at once, the rest comes back later. */
import { Problem } from '@cardwire/client/protocol'
import type { MiddlewareHandler } from 'hono'
import type { Services } from '../services.ts'
import type { AppEnv } from './bind.ts'

/** More at once would not be served sooner: two cores are busy with ten. */
const atOnce = 64

/** What is turned away comes back within this time, each at a moment of its own, in seconds. */
const soonestS = 2
const spreadS = { least: 30, most: 600 }

export function crowd(
  { random, clock }: Pick<Services, 'random' | 'clock'>,
  most = atOnce,
): MiddlewareHandler<AppEnv> {
  let served = 0
  const backlog = backlogOf(clock)
  return async (_, next) => {
    if (served >= most) {
      const [high = 0, low = 0] = random.bytes(2)
      const within = Math.min(Math.max(backlog.turnAway(), spreadS.least), spreadS.most)
      const retryAfterS = Math.ceil(soonestS + (within * (high * 256 + low)) / 65_536)
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
      backlog.serve()
    }
  }
}

/** How many were told to come back, and how fast they are served: a slow machine has to spread the same crowd wider. */
function backlogOf(clock: Services['clock']) {
  let [waiting, through, since, forgottenAt] = [0, 0, 0, 0]
  return {
    /** Counts one; answers with the seconds in which all that wait can be served. */
    turnAway(): number {
      const now = clock()
      if (waiting === 0 || now > forgottenAt) [waiting, through, since] = [0, 0, now]
      waiting += 1
      // One that is turned away twice was counted twice: without this the last crowd would never be over.
      forgottenAt = now + spreadS.most * 1000
      const perSecond = through / Math.max(1, (now - since) / 1000)
      return perSecond === 0 ? 0 : waiting / perSecond
    },
    serve(): void {
      through += 1
      waiting = Math.max(0, waiting - 1)
    },
  }
}
