/** The routes that pages call with consent, with all checks of an API, without TLS. */
import { createBinder } from '@cardwire/protocol/hono'
import { bindAgentRoutes } from '../../src/api/agent-routes.ts'
import { createAuthorizer } from '../../src/api/authorize.ts'
import { bindReaderEvents } from '../../src/api/reader-event-routes.ts'
import { createBaseApp } from '../../src/http/base-app.ts'
import type { PeerOwner } from '../../src/system/peer-owner.ts'
import { bindConsentRoutes } from '../../src/user/consent/routes.ts'
import { type ConsentSetup, origin } from './consent-setup.ts'

export interface PageRequest {
  readonly origin?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Asks as a page of `origin`; null: as a program. */
export type SendRequest = (method: string, path: string, request?: PageRequest) => Promise<Response>

/** `owner`: whose process is at the other end. */
export function createPageServer(
  setup: ConsentSetup,
  owner: PeerOwner = { kind: 'ours', user: '1000' },
): SendRequest {
  const { log, clock, activeConsents, consentService } = setup
  const allowlist = () => [origin, 'https://*.shops.example']
  const app = createBaseApp({
    log,
    names: () => new Set(['localhost']),
    allowlist,
    ownerOf: async () => owner,
    servesEveryone: false,
  })
  const authorize = createAuthorizer({
    log,
    consents: activeConsents,
    managementToken: 'management',
    findPolicyEnd: () => undefined,
    tokens: {
      required: false,
      verify: async () => ({ label: '', expiresAt: Number.POSITIVE_INFINITY }),
    },
  })
  const bind = createBinder(app, authorize)
  bindConsentRoutes(bind, {
    ...{ consentService, clock, log },
    consentRequests: { perUser: 5, shared: 300 },
  })
  bindAgentRoutes(bind, { consentService, distribution: undefined })
  bindReaderEvents(bind, {
    readers: {
      snapshot: () => ({ sequence: 1, pcsc: { kind: 'up' }, readers: [] }),
      ready: async () => undefined,
      probe: async () => undefined,
      findLibrary: () => undefined,
      findTokens: async () => undefined,
      subscribe: () => () => undefined,
      sandboxPid: () => 0,
      stop: async () => undefined,
    },
    cards: { describe: () => [], modulesFor: () => [] },
    consents: activeConsents,
    allowlist,
    onAllowlist: () => () => undefined,
    findPolicyEnd: () => undefined,
    clock,
  })
  return async (method, path, request = {}) => {
    const headers = new Headers({ host: 'localhost', 'x-csrf-token': 't1c-js', ...request.headers })
    if (request.origin !== null) headers.set('origin', request.origin ?? origin)
    if (request.body !== undefined) headers.set('content-type', 'application/json;charset=UTF-8')
    const body = request.body === undefined ? null : JSON.stringify(request.body)
    return app.fetch(new Request(`https://localhost${path}`, { method, headers, body }), {
      peer: { address: '127.0.0.1', port: 50_000 },
      port: 25_100,
      keepOpen: () => undefined,
    })
  }
}
