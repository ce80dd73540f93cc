/** Verifies the consents that a page presents, and records their use. */
import type { Log } from '../../system/log.ts'
import type { ActiveConsents } from './active-consents.ts'
import { type ConsentGrant, consentLimits } from './consent-service.ts'
import type { ConsentStore, StoredConsent } from './consent-store.ts'
import {
  type ConsentIssuer,
  decodeConsent,
  encodeConsent,
  isSignedBy,
  toAgent,
} from './consent-token.ts'

export interface VerifierServices {
  readonly issuer: ConsentIssuer
  readonly store: Pick<ConsentStore, 'recordUse'>
  readonly activeConsents: ActiveConsents
  readonly log: Log
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number
}

/** The use of a consent is recorded this often, in milliseconds: each record waits for the disk. */
const useIntervalMs = 600_000

export function createConsentVerifier(services: VerifierServices) {
  const { issuer, store, activeConsents, log, clock } = services

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

  return {
    verifyAll(origin: string, tokens: readonly string[]): readonly ConsentGrant[] {
      const consents = tokens
        .slice(0, consentLimits.maxConsents)
        .flatMap((token) => verify(origin, token) ?? [])
      const unique = new Map(consents.map((consent) => [consent.id, consent]))
      return [...unique.values()].map((consent) => toGrant(issuer, consent))
    },
    /** This connector, when the origin has an active consent. */
    findActiveAgent(origin: string) {
      const consent = activeConsents.findLatest(origin)
      return consent && toAgent(issuer, recordUse(consent))
    },
  }
}

/** The consent with the present data of this connector. */
export function toGrant(issuer: ConsentIssuer, consent: StoredConsent): ConsentGrant {
  const agent = toAgent(issuer, consent)
  return { consent: encodeConsent(issuer, consent, agent), agent }
}
