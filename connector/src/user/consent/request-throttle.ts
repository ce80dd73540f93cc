/** Throttles requests for consent before the consent service sees them: repeated ones share an answer, others are limited. */
import { createHash } from 'node:crypto'
import type { Log } from '../../system/log.ts'
import {
  type ConsentGrant,
  type ConsentRequest,
  type ConsentService,
  consentLimits,
  isCodeWord,
  type RequestLimits,
} from './consent-service.ts'
import { createRateLimiter } from './rate-limiter.ts'

export interface ConsentRouteServices {
  readonly consentService: ConsentService
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number
  readonly log: Log
  readonly consentRequests: RequestLimits
}

export interface ThrottledAnswer {
  /** Absent when nobody has granted one. */
  readonly grant?: ConsentGrant | undefined
  /** Seconds until the next code word counts; present when this one was not looked for. */
  readonly retryAfterS?: number
}

/** Answers in the cache. */
const maxCached = 1000

interface CachedAnswer {
  readonly grant: Promise<ConsentGrant | undefined>
  /** When the answer was there, and for how long it is repeated, in milliseconds; absent while it is awaited. */
  readonly answered?: { readonly at: number; readonly forMs: number }
}

export function throttleRequests(services: ConsentRouteServices) {
  const { consentService, clock, log } = services
  const findWaitMs = createBudgets(services)
  const cache = new Map<string, CachedAnswer>()

  /** Clients without an answer send the request three times: that counts as one. */
  function findCached(key: string): Promise<ConsentGrant | undefined> | undefined {
    const now = clock()
    for (const [oldKey, { answered }] of cache) {
      const ageMs = answered ? now - answered.at : 0
      const isRecent = ageMs >= 0 && ageMs < (answered?.forMs ?? Number.POSITIVE_INFINITY)
      if (!isRecent || cache.size > maxCached) cache.delete(oldKey)
    }
    return cache.get(key)?.grant
  }

  function ask(key: string, request: ConsentRequest): Promise<ConsentGrant | undefined> {
    const grant = consentService.request(request)
    cache.set(key, { grant })
    grant.then(
      (found) => {
        const forMs = found ? consentLimits.repeatMs : consentLimits.repeatRefusalMs
        cache.set(key, { grant, answered: { at: clock(), forMs } })
      },
      // A failure is not cached.
      () => cache.delete(key),
    )
    return grant
  }

  return async (request: ConsentRequest): Promise<ThrottledAnswer> => {
    if (!isCodeWord(request.codeWord)) return {}
    const key = createKey(request)
    const cached = findCached(key)
    if (cached !== undefined) return { grant: await cached }
    const waitMs = findWaitMs(request)
    if (waitMs > 0) {
      log.warn('too many consent requests', { origin: request.origin, user: request.user })
      return { retryAfterS: Math.ceil(waitMs / 1000) }
    }
    return { grant: await ask(key, request) }
  }
}

/** Counts a request; 0, or the milliseconds until the next one when it is one too many. */
function createBudgets({ consentRequests: { perUser, shared }, clock }: ConsentRouteServices) {
  const limitOne = createRateLimiter(perUser, clock)
  const limitOrigin = createRateLimiter(shared, clock)
  return ({ origin, user, connectionPort, codeWord }: ConsentRequest): number => {
    // Many requests of one user do not block the pages of another.
    if (connectionPort === undefined) return limitOne(`user ${user ?? ''} ${origin}`)
    // The user may be any: what one page sends has limits as long as it keeps its connection or its code word.
    return (
      limitOne(`word ${hash([codeWord])}`) ||
      limitOne(`port ${connectionPort} ${origin}`) ||
      limitOrigin(origin)
    )
  }
}

const createKey = ({ codeWord, origin, days, user }: ConsentRequest) =>
  hash([codeWord, origin, days, user])

/** So that no code word stays in memory. */
const hash = (values: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64')
