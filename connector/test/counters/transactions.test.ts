/** The uses of modules, counted for the page that asked, and shown by `GET /ds/transactions`. */
import type { Database } from 'bun:sqlite'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { data, operation, type Transaction } from '@cardwire/client/protocol'
import { binder } from '@cardwire/client/protocol/hono'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { authorizer } from '../../src/api/authorize.ts'
import { type Counters, openCounters } from '../../src/counters/counters.ts'
import { counting } from '../../src/counters/counting.ts'
import { counterRoutes } from '../../src/counters/routes.ts'
import { openDoor } from '../../src/door/door.ts'
import type { Module } from '../../src/modules/module.ts'
import { createModules } from '../../src/modules/registry.ts'
import { x509Module } from '../../src/modules/x509-module.ts'
import { openState } from '../../src/state/database.ts'
import { openSsl } from '../keystore/openssl.ts'
import { logInto } from '../sync/device.ts'

const origin = 'https://shop.example'
const today = Date.UTC(2026, 10, 21, 12)
const openssl = openSsl()
afterAll(openssl.close)

/** Signs for whoever asks, as a module of a card would. */
const eid: Module = {
  id: 'eid',
  version: '1.0.0',
  describe: () => ({ description: 'Signs', systems: ['linux'], cards: true }),
  routes: (bind, count) => {
    const sign = operation({
      ...{ name: 'sign', method: 'POST', path: '/v3/modules/eid/sign', tag: 'Modules' },
      ...{ access: 'consented', summary: 'Sign', reply: data(z.string()), problems: [] },
    })
    bind(sign, async (_, context) => {
      count(context, 'signature')
      return { data: 'signed' }
    })
  },
}

let runtime: string
let database: Database
let counters: Counters
let logged: string[]

beforeEach(() => {
  runtime = mkdtempSync(join(tmpdir(), 'cardwire-transactions-'))
  database = openState(runtime, { error: () => undefined })
  counters = openCounters(database, () => today)
  logged = []
})
afterEach(() => {
  database.close()
  rmSync(runtime, { recursive: true, force: true })
})

/** An API whose tokens are the labels themselves. */
function api(required = true) {
  const log = logInto(logged)
  const app = openDoor({ log, names: () => new Set(['localhost']), allowlist: () => [origin] })
  const bind = binder(
    app,
    authorizer({
      log,
      consents: { holds: () => true, onEnd: () => () => undefined },
      managementToken: 'management',
      ownerOf: async () => ({ kind: 'ours', user: '1000' }),
      tokens: { required, verify: async (label) => ({ label, expiresAt: today + 60_000 }) },
    }),
  )
  createModules([eid, x509Module], 'linux').bindRoutes(bind, counting(counters, log))
  counterRoutes(bind, { counters })
  return async (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ) => {
    const asked = new Request(`https://localhost${path}`, {
      method,
      ...(body !== undefined && { body }),
      headers: { host: 'localhost', 'x-csrf-token': 't1c-js', ...headers },
    })
    const connection = {
      peer: { address: '127.0.0.1', port: 50_000 },
      port: 25_100,
      keepOpen: () => undefined,
    }
    return app.fetch(asked, connection)
  }
}

type Ask = ReturnType<typeof api>
const asPage = (label: string) => ({ origin, authorization: `Bearer ${label}` })
const sign = (ask: Ask, headers: Readonly<Record<string, string>>) =>
  ask('POST', '/v3/modules/eid/sign', headers)

async function transactions(
  ask: Ask,
  headers: Readonly<Record<string, string>>,
): Promise<readonly Transaction[]> {
  const response = await ask('GET', '/ds/transactions', headers)
  expect(response.status).toBe(200)
  const body: { data: readonly Transaction[] } = JSON.parse(await response.text())
  return body.data
}

const eidToday = { module: 'eid', useCase: 'signature', txDate: '2026-11-21' }

test('a use is counted for the label of the token and the tag of the page, and shown as deployed clients read it', async () => {
  const ask = api()
  await sign(ask, asPage('shop'))
  await sign(ask, asPage('shop'))
  await sign(ask, { ...asPage('shop'), 'x-t1c-billing-tag': 'till 4' })
  expect(await transactions(ask, asPage('shop'))).toEqual([
    { ...eidToday, label: 'shop', counter: 2 },
    { ...eidToday, label: 'shop', counter: 1, tag: 'till 4' },
  ])
})

test('a page sees what its own label used, a program of the person everything', async () => {
  const ask = api()
  await sign(ask, asPage('shop'))
  await sign(ask, asPage('bank'))
  expect(await transactions(ask, asPage('bank'))).toEqual([
    { ...eidToday, label: 'bank', counter: 1 },
  ])
  const all = await transactions(ask, { authorization: 'Bearer management' })
  expect(all.map(({ label }) => label)).toEqual(['bank', 'shop'])
})

test('where nobody needs a token a page sees what was used without one', async () => {
  counters.add({ label: 'shop', module: 'eid', useCase: 'signature', tag: undefined })
  const ask = api(false)
  await sign(ask, { origin })
  expect(await transactions(ask, { origin })).toEqual([{ ...eidToday, label: '-', counter: 1 }])
})

test('a certificate that the page sent itself is read, and that is no use case', async () => {
  const ask = api()
  const { cert } = openssl.certificate()
  const der = new X509Certificate(cert).raw.toString('base64')
  for (const name of ['pem', 'json', 'subject-cn', 'issuer-cn']) {
    const headers = { ...asPage('shop'), 'content-type': 'application/json' }
    const body = JSON.stringify({ cert: der })
    expect((await ask('POST', `/v3/modules/x509/${name}`, headers, body)).status).toBe(200)
  }
  expect(await transactions(ask, asPage('shop'))).toEqual([])
})

test('a request that is refused is no use', async () => {
  const ask = api()
  expect((await sign(ask, { origin })).status).toBe(401)
  expect(counters.list()).toEqual([])
})

test('a use that cannot be written is logged, and the page has its answer', async () => {
  const ask = api()
  database.run('DROP TABLE counts')
  expect((await sign(ask, asPage('shop'))).status).toBe(200)
  expect(logged.join('\n')).toContain('error a use is not counted')
})
