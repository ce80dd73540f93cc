/** The consent service of an API: compares the code word of a request with the clipboard of its user, and stores the consent. */
import { randomBytes } from 'node:crypto'
import { isOriginAllowed } from '@cardwire/protocol/origin'
import type { AgentRequest, AgentResponse } from '../../system/ipc/registry-messages.ts'
import { createChallenge, createProof } from './challenge.ts'
import type { ConsentRequest, ConsentService } from './consent-service.ts'
import type { ConsentStore } from './consent-store.ts'
import { type ClipboardGrantServices, createClipboardGrant } from './grant-by-clipboard.ts'
import { type IssuingServices, issueOnce } from './issue-consent.ts'
import { createConsentVerifier, toGrant } from './verify-consents.ts'

export interface ClipboardConsentServices extends ClipboardGrantServices, IssuingServices {
  readonly store: ConsentStore
  /** The origins whose pages this API answers. */
  readonly allowlist: () => readonly string[]
}

export interface ClipboardConsentService extends ConsentService {
  readonly agentId: string
  /** Handles a request that the registry sends for a page. The registry is not trusted: wrong requests are denied. */
  handleAgentRequest(request: AgentRequest): Promise<AgentResponse>
}

export function createClipboardConsentService(
  services: ClipboardConsentServices,
): ClipboardConsentService {
  const { issuer, allowlist } = services
  const isAllowed = (origin: string) => isOriginAllowed(origin, allowlist())
  const grantByClipboard = createClipboardGrant(services, isAllowed, (origin, days, codeWord) =>
    issueOnce(services, origin, days, codeWord),
  )
  const { verifyAll, findActiveAgent } = createConsentVerifier(services)

  return {
    agentId: issuer.agentId,

    async request({ codeWord, origin, days }: ConsentRequest) {
      // By a challenge, as a registry does, so that there is one way to compare.
      const context = { origin, nonce: randomBytes(16).toString('base64url') }
      const challenge = createChallenge(codeWord, context)
      const granted = await grantByClipboard({ ...context, challenge, days })
      return granted && toGrant(issuer, granted.consent)
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
          return { kind: 'granted', id, granted: toGrant(issuer, granted.consent), proof }
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
