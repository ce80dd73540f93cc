/** Grants a consent when the clipboard holds the code word that its user was shown. */
import type { Clipboard } from '../../system/desktop/desktop.ts'
import type { Log } from '../../system/log.ts'
import { shareNextRun } from '../../system/single-flight.ts'
import { type ChallengeContext, createChallenge, isSameHmac } from './challenge.ts'
import { consentLimits, isCodeWord, type RequestLimits } from './consent-service.ts'
import type { StoredConsent } from './consent-store.ts'
import { createRateLimiter } from './rate-limiter.ts'

export interface ClipboardGrantServices {
  readonly clipboard: Pick<Clipboard, 'read'>
  readonly log: Log
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number
  /** A code word cannot be guessed by many requests. */
  readonly consentRequests: RequestLimits
  /** Whether registries of this system know whose pages ask: otherwise requests for all users come to this one. */
  readonly namesOwners: boolean
}

export interface ConsentChallenge extends ChallengeContext {
  readonly challenge: string
  readonly days: number
  /** Milliseconds in which the requester waits for the response; absent: as long as it takes. */
  readonly expiresInMs?: number | undefined
}

export function createClipboardGrant(
  { clipboard, log, clock, consentRequests, namesOwners }: ClipboardGrantServices,
  isAllowed: (origin: string) => boolean,
  issueOnce: (origin: string, days: number, codeWord: string) => StoredConsent | undefined,
) {
  const readClipboard = shareNextRun(() => clipboard.read())
  const limitOrigin = createRateLimiter(
    namesOwners ? consentRequests.perUser : consentRequests.shared,
    clock,
  )
  const limitReads = createRateLimiter(consentRequests.shared, clock)

  /** Returns the consent and its code word; undefined when none was granted. */
  return async ({
    origin,
    nonce,
    challenge,
    days,
    expiresInMs = Number.POSITIVE_INFINITY,
  }: ConsentChallenge) => {
    const startedAt = clock()
    if (!isAllowed(origin) || !isValidDuration(days)) return undefined
    if (limitOrigin(origin) > 0 || limitReads('clipboard') > 0) {
      log.warn('too many consent requests', { origin })
      return undefined
    }
    const content = await readClipboard()
    if (content.kind === 'unavailable') log.warn('clipboard not read', { reason: content.reason })
    if (content.kind !== 'text') return undefined
    const codeWord = content.text.replace(/\r?\n$/, '')
    if (!isCodeWord(codeWord)) return undefined
    if (!isSameHmac(challenge, createChallenge(codeWord, { nonce, origin }))) return undefined
    // The page was told by now that there is no consent: the code word stays unused for its next request.
    if (Math.abs(clock() - startedAt) >= expiresInMs) {
      log.warn('clipboard read too late', { origin })
      return undefined
    }
    const consent = issueOnce(origin, days, codeWord)
    return consent && { consent, codeWord }
  }
}

const isValidDuration = (days: number) =>
  Number.isInteger(days) && days >= 1 && days <= consentLimits.maxDays
