/** The consent service of an API: compares the code word of a request with the clipboard of its person, and stores the consent. */
import { randomBytes } from 'node:crypto'
import { entriesFor } from '@cardwire/client/protocol'
import type { Clipboard, Notifier } from '../../system/desktop/desktop.ts'
import type { AgentRequest, AgentResponse } from '../../system/ipc/registry-messages.ts'
import type { Log } from '../../system/log.ts'
import { shareNextRun } from '../../system/single-flight.ts'
import type { ActiveConsents } from './active-consents.ts'
import { type ChallengeContext, createChallenge, createProof, isSameHmac } from './challenge.ts'
import {
  type ConsentGrant,
  type ConsentRequest,
  type ConsentService,
  consentLimits,
  isCodeWord,
} from './consent-service.ts'
import type { ConsentStore, StoredConsent } from './consent-store.ts'
import {
  type ConsentIssuer,
  decodeConsent,
  encodeConsent,
  isSignedBy,
  toAgent,
} from './consent-token.ts'
import { computeHmac } from './hmac.ts'
import { createRateLimiter } from './rate-limiter.ts'

export interface ClipboardConsentServices {
  readonly issuer: ConsentIssuer
  readonly store: ConsentStore
  readonly activeConsents: ActiveConsents
  readonly clipboard: Pick<Clipboard, 'read'>
  readonly notifier: Notifier
  readonly log: Log
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number
  /** The origins whose pages this API answers. */
  readonly allowlist: () => readonly string[]
}

export interface ClipboardConsentService extends ConsentService {
  readonly agentId: string
  /** Handles a request that the registry sends for a page. The registry is not trusted: wrong requests are denied. */
  handleAgentRequest(request: AgentRequest): Promise<AgentResponse>
}

/** Reads of the clipboard, for all origins together: a code word cannot be guessed by many requests. */
const clipboardReadsPerMinute = 300
/** The use of a consent is recorded this often, in milliseconds: each record waits for the disk. */
const useIntervalMs = 600_000
const dayMs = 86_400_000

interface ConsentChallenge extends ChallengeContext {
  readonly challenge: string
  readonly days: number
  /** Milliseconds in which the requester waits for the response; absent: as long as it takes. */
  readonly expiresInMs?: number | undefined
}

export function createClipboardConsentService(
  services: ClipboardConsentServices,
): ClipboardConsentService {
  const { issuer, store, activeConsents, clipboard, notifier, log, clock, allowlist } = services
  const readClipboard = shareNextRun(() => clipboard.read())
  const limitOrigin = createRateLimiter(consentLimits.requestsPerMinute, clock)
  const limitReads = createRateLimiter(clipboardReadsPerMinute, clock)

  const isAllowed = (origin: string) =>
    entriesFor(origin.toLowerCase()).some((entry) => allowlist().includes(entry))
  const isValidDuration = (days: number) =>
    Number.isInteger(days) && days >= 1 && days <= consentLimits.maxDays

  /** Grants a consent when the clipboard holds the code word of the challenge; returns both, otherwise undefined. */
  async function grantByClipboard({
    origin,
    nonce,
    challenge,
    days,
    expiresInMs = Number.POSITIVE_INFINITY,
  }: ConsentChallenge) {
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
    const codeWordHash = computeHmac(issuer.key, ['code word', codeWord])
    const consent = issueOnce(origin, days, codeWordHash)
    return consent && { consent, codeWord }
  }

  /** Issues one consent for a code word; a request that is repeated soon gets the same one. */
  function issueOnce(
    origin: string,
    days: number,
    codeWordHash: Buffer,
  ): StoredConsent | undefined {
    const now = clock()
    const use = store.findCodeWordUse(codeWordHash)
    if (use !== undefined) {
      const issued = activeConsents.find(use.consentId)
      const ageMs = now - use.usedAt
      const isRepeated =
        issued?.origin === origin &&
        issued.expiresAt - issued.issuedAt === days * dayMs &&
        ageMs >= 0 &&
        ageMs < consentLimits.repeatMs
      if (!isRepeated) log.warn('code word used before', { origin })
      return isRepeated ? issued : undefined
    }
    const consent: StoredConsent = {
      id: crypto.randomUUID(),
      origin,
      issuedAt: now,
      expiresAt: now + days * dayMs,
      usedAt: now,
    }
    activeConsents.add(consent, codeWordHash)
    log.info('consent granted', { origin, days })
    void notifyUser(origin)
    return consent
  }

  /** A page in focus can write to the clipboard by itself, so the person is notified of every origin that gets a consent. */
  async function notifyUser(origin: string): Promise<void> {
    const shown = await notifier.show({
      title: 'Smart-card readers',
      text: `${origin} may use your card readers from now on. To take it back: cardwire consents revoke ${origin}`,
    })
    if (!shown) log.debug('no notification on the desktop', { origin })
  }

  /** The consent with the present data of this connector. */
  function toGrant(consent: StoredConsent): ConsentGrant {
    const agent = toAgent(issuer, consent)
    return { consent: encodeConsent(issuer, consent, agent), agent }
  }

  function verify(origin: string, token: string): StoredConsent | undefined {
    const decoded = decodeConsent(token)
    if (decoded?.agent.agentId !== issuer.agentId) return undefined
    const consent = activeConsents.find(decoded.agent.consentId)
    if (consent === undefined || !isSignedBy(issuer, consent, decoded)) return undefined
    return consent.origin === origin ? recordUse(consent) : undefined
  }

  function recordUse(consent: StoredConsent): StoredConsent {
    const now = clock()
    if (Math.abs(now - consent.usedAt) < useIntervalMs) return consent
    try {
      store.recordUse(consent.id, now)
    } catch (error) {
      // A full disk is no reason to refuse a page.
      log.warn('use of a consent not recorded', { reason: String(error) })
    }
    return { ...consent, usedAt: now }
  }

  function verifyAll(origin: string, tokens: readonly string[]): readonly ConsentGrant[] {
    const consents = tokens
      .slice(0, consentLimits.maxConsents)
      .flatMap((token) => verify(origin, token) ?? [])
    return [...new Map(consents.map((consent) => [consent.id, consent])).values()].map(toGrant)
  }

  /** This connector, when the origin has an active consent. */
  function findActiveAgent(origin: string) {
    const consent = activeConsents.findLatest(origin)
    return consent && toAgent(issuer, recordUse(consent))
  }

  return {
    agentId: issuer.agentId,

    async request({ codeWord, origin, days }: ConsentRequest) {
      // By a challenge, as a registry does, so that there is one way to compare.
      const context = { origin, nonce: randomBytes(16).toString('base64url') }
      const challenge = createChallenge(codeWord, context)
      const granted = await grantByClipboard({ ...context, challenge, days })
      return granted && toGrant(granted.consent)
    },

    validate: async ({ origin }, consents) => verifyAll(origin, consents),

    async findActiveAgents({ origin }) {
      const agent = findActiveAgent(origin)
      return agent ? [agent] : []
    },

    async handleAgentRequest(request) {
      const { id, origin } = request
      const denied = { kind: 'denied', id } as const
      if (!isAllowed(origin)) return denied
      switch (request.kind) {
        case 'consent': {
          const granted = await grantByClipboard(request)
          if (!granted) return denied
          const proof = createProof(granted.codeWord, request, issuer.agentId)
          return { kind: 'granted', id, granted: toGrant(granted.consent), proof }
        }
        case 'validate': {
          const granted = [...verifyAll(origin, request.consents)]
          return granted.length > 0 ? { kind: 'valid', id, granted } : denied
        }
        case 'list': {
          const agent = findActiveAgent(origin)
          return agent ? { kind: 'active', id, agent } : denied
        }
      }
    },
  }
}
