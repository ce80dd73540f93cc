/** Uses from the operation of a module to the table of a real distribution service: no step is a stand-in but the card. */

import type { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { type Counters, openCounters } from '../../src/api/counters/counters.ts'
import { openStateDatabase } from '../../src/system/state/database.ts'
import { openDevice, type TestDevice } from '../distribution/device.ts'
import { asPage, createCountingApi, sign, transactions } from './counting-api.ts'

const version = '4.0.0'

let service: DistributionService
let installationKey: string
let runtime: string
let database: Database
let counters: Counters
let device: TestDevice

beforeAll(async () => {
  service = await startDistributionService()
  installationKey = (await service.registerVersion(version)).installationApiKey
  for (const label of ['shop', 'bank']) await service.createLabel(label)
})
afterAll(() => service?.stop())

beforeEach(async () => {
  runtime = mkdtempSync(join(tmpdir(), 'cardwire-use-'))
  database = openStateDatabase(runtime, { error: () => undefined })
  counters = openCounters(database, Date.now)
  device = await openDevice({ dsUrl: service.url, version, installationKey, counters })
})
afterEach(() => {
  device.close()
  database.close()
  rmSync(runtime, { recursive: true, force: true })
})

test('each use that a module counts is in the CSV table of the service after the next synchronization, once', async () => {
  proves('use-case-counter')
  const ask = createCountingApi(counters)
  const tag = crypto.randomUUID()
  const day = new Date().toISOString().slice(0, 10)
  for (const label of ['shop', 'bank', 'shop', 'shop'])
    expect((await sign(ask, { ...asPage(label), 'x-t1c-billing-tag': tag })).status).toBe(200)

  await device.syncOnce()
  await device.syncOnce()

  const table = String(await service.admin('GET', `/v3/counters.csv?tag=${tag}`))
  expect(table.trim().split('\r\n').slice(1).toSorted()).toEqual([
    `${day},bank,eid,signature,${tag},1,org2,Org 2`,
    `${day},shop,eid,signature,${tag},3,org1,Org 1`,
  ])
  expect(await transactions(ask, asPage('shop'))).toEqual([])
})
