/** An API with a module that has a use case, as one of a card would: what is real is everything but the card. */
import { data, operation, type Transaction } from '@cardwire/protocol'
import { createBinder } from '@cardwire/protocol/hono'
import { expect } from 'vitest'
import * as z from 'zod/mini'
import { createLog } from '../../../test/bed/log.ts'
import { createAuthorizer } from '../../src/api/authorize.ts'
import type { Counters } from '../../src/api/counters/counters.ts'
import { counterRoutes } from '../../src/api/counters/routes.ts'
import { createUseCounter } from '../../src/api/counters/use-counter.ts'
import type { Module } from '../../src/api/modules/module.ts'
import { createModules } from '../../src/api/modules/modules.ts'
import { x509Module } from '../../src/api/modules/x509-module.ts'
import { createBaseApp } from '../../src/http/base-app.ts'

export const origin = 'https://shop.example'

/** Signs for every caller, as a module of a card would. */
const eid: Module = {
  id: 'eid',
  version: '1.0.0',
  describe: () => ({ description: 'Signs', systems: ['linux'], cards: true }),
  routes: (bind, count) => {
    const sign = operation({
      name: 'sign',
      method: 'POST',
      path: '/v3/modules/eid/sign',
      tag: 'Modules',
      access: 'consented',
      summary: 'Sign',
      reply: data(z.string()),
      problems: [],
    })
    bind(sign, async (_, context) => {
      count(context, 'signature')
      return { data: 'signed' }
    })
  },
}

interface Options {
  readonly required?: boolean
  /** Receives the lines of the log. */
  readonly logged?: string[]
}

/** Creates the API. Its tokens are the labels themselves; `required` says whether a page needs one. */
export function createCountingApi(
  counters: Counters,
  { required = true, logged = [] }: Options = {},
) {
  const log = createLog(logged)
  const app = createBaseApp({
    log,
    names: () => new Set(['localhost']),
    allowlist: () => [origin],
    ownerOf: async () => ({ kind: 'ours', user: '1000' }),
    servesEveryone: false,
  })
  const bind = createBinder(
    app,
    createAuthorizer({
      log,
      consents: { findLatest: () => ({ id: 'a consent' }) },
      managementToken: 'management',
      findPolicyEnd: () => undefined,
      tokens: { required, verify: async (label) => ({ label, expiresAt: Date.now() + 60_000 }) },
    }),
  )
  createModules([eid, x509Module], 'linux').bindRoutes(bind, createUseCounter(counters, log))
  counterRoutes(bind, { counters })
  return async (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ) => {
    const request = new Request(`https://localhost${path}`, {
      method,
      ...(body !== undefined && { body }),
      headers: { host: 'localhost', 'x-csrf-token': 't1c-js', ...headers },
    })
    const connection = {
      peer: { address: '127.0.0.1', port: 50_000 },
      port: 25_100,
      keepOpen: () => undefined,
    }
    return app.fetch(request, connection)
  }
}

type Ask = ReturnType<typeof createCountingApi>
export const asPage = (label: string) => ({ origin, authorization: `Bearer ${label}` })
export const sign = (ask: Ask, headers: Readonly<Record<string, string>>) =>
  ask('POST', '/v3/modules/eid/sign', headers)

/** What `GET /ds/transactions` shows to this caller. */
export async function transactions(
  ask: Ask,
  headers: Readonly<Record<string, string>>,
): Promise<readonly Transaction[]> {
  const response = await ask('GET', '/ds/transactions', headers)
  expect(response.status).toBe(200)
  const body: { data: readonly Transaction[] } = JSON.parse(await response.text())
  return body.data
}
