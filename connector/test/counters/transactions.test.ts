/** The uses of modules, counted for the page that asked, and shown by `GET /ds/transactions`. */
import type { Database } from 'bun:sqlite'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { type Counters, openCounters } from '../../src/api/counters/counters.ts'
import { openStateDatabase } from '../../src/system/state/database.ts'
import { openSsl } from '../keystore/openssl.ts'
import { asPage, createCountingApi, origin, sign, transactions } from './counting-api.ts'

const today = Date.UTC(2026, 10, 21, 12)
const openssl = openSsl()
afterAll(openssl.close)

let runtime: string
let database: Database
let counters: Counters
let logged: string[]

beforeEach(() => {
  runtime = mkdtempSync(join(tmpdir(), 'cardwire-transactions-'))
  database = openStateDatabase(runtime, { error: () => undefined })
  counters = openCounters(database, () => today)
  logged = []
})
afterEach(() => {
  database.close()
  rmSync(runtime, { recursive: true, force: true })
})

const api = (required = true) => createCountingApi(counters, { required, logged })

const eidToday = { module: 'eid', useCase: 'signature', txDate: '2026-11-21' }

test('a use is counted for the label of the token and the tag of the page, and shown as legacy clients read it', async () => {
  proves('transactions-listed')
  const ask = api()
  await sign(ask, asPage('shop'))
  await sign(ask, asPage('shop'))
  await sign(ask, { ...asPage('shop'), 'x-t1c-billing-tag': 'till 4' })
  expect(await transactions(ask, asPage('shop'))).toEqual([
    { ...eidToday, label: 'shop', counter: 2 },
    { ...eidToday, label: 'shop', counter: 1, tag: 'till 4' },
  ])
})

test('a page sees the uses of its own label, a program of the user all uses', async () => {
  const ask = api()
  await sign(ask, asPage('shop'))
  await sign(ask, asPage('bank'))
  expect(await transactions(ask, asPage('bank'))).toEqual([
    { ...eidToday, label: 'bank', counter: 1 },
  ])
  const all = await transactions(ask, { authorization: 'Bearer management' })
  expect(all.map(({ label }) => label)).toEqual(['bank', 'shop'])
})

test('without required tokens a page sees the uses without a label', async () => {
  counters.add({ label: 'shop', module: 'eid', useCase: 'signature', tag: undefined })
  const ask = api(false)
  await sign(ask, { origin })
  expect(await transactions(ask, { origin })).toEqual([{ ...eidToday, label: '-', counter: 1 }])
})

test('reading a certificate that the page sent is no use case', async () => {
  proves('use-case-counter')
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

test('a refused request is not counted', async () => {
  const ask = api()
  expect((await sign(ask, { origin })).status).toBe(401)
  expect(counters.list()).toEqual([])
})

test('a use that cannot be stored is logged, and the page gets its response', async () => {
  const ask = api()
  database.run('DROP TABLE counts')
  expect((await sign(ask, asPage('shop'))).status).toBe(200)
  expect(logged.join('\n')).toContain('error a use is not counted')
})
