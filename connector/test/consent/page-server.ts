/** The routes that pages use with consent, behind the door and the checks of an API, without TLS. */
import { binder } from '@cardwire/client/protocol/hono'
import { agentRoutes } from '../../src/api/agent-routes.ts'
import { authorizer } from '../../src/api/authorize.ts'
import { eventStream } from '../../src/api/event-stream.ts'
import { consentRoutes } from '../../src/consent/routes.ts'
import { openDoor } from '../../src/door/door.ts'
import type { Owner } from '../../src/system/owner.ts'
import { origin, type Person } from './person.ts'

export interface Asked {
  readonly origin?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Asks as a page of `origin`; null: as a program. */
export type Ask = (method: string, path: string, asked?: Asked) => Promise<Response>

/** `owner`: whose process is at the other end. */
export function pageServer(person: Person, owner: Owner = { kind: 'ours', user: '1000' }): Ask {
  const { log, clock, lasting, desk } = person
  const allowlist = () => [origin, 'https://*.shops.example']
  const app = openDoor({ log, names: () => new Set(['localhost']), allowlist })
  const authorize = authorizer({
    log,
    consents: lasting,
    managementToken: 'management',
    ownerOf: async () => owner,
    tokens: {
      required: false,
      verify: async () => ({ label: '', expiresAt: Number.POSITIVE_INFINITY }),
    },
  })
  const bind = binder(app, authorize)
  consentRoutes(bind, { desk, clock, log })
  agentRoutes(bind, { desk, distribution: undefined })
  eventStream(bind, {
    readers: {
      snapshot: () => ({ sequence: 1, pcsc: { kind: 'up' }, readers: [] }),
      ready: async () => undefined,
      subscribe: () => () => undefined,
      sandboxPid: () => 0,
      stop: async () => undefined,
    },
    cards: { describe: () => [], modulesFor: () => [] },
    consents: lasting,
    allowlist,
    onAllowlist: () => () => undefined,
    clock,
  })
  return async (method, path, asked = {}) => {
    const headers = new Headers({ host: 'localhost', 'x-csrf-token': 't1c-js', ...asked.headers })
    if (asked.origin !== null) headers.set('origin', asked.origin ?? origin)
    if (asked.body !== undefined) headers.set('content-type', 'application/json;charset=UTF-8')
    const body = asked.body === undefined ? null : JSON.stringify(asked.body)
    return app.fetch(new Request(`https://localhost${path}`, { method, headers, body }), {
      peer: { address: '127.0.0.1', port: 50_000 },
      port: 25_100,
      keepOpen: () => undefined,
    })
  }
}
