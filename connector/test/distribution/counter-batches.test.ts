/** Counters that can be neither read nor deleted: the synchronization goes on, and the fault is reported. */
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
import { openDevice, type TestDevice } from './device.ts'

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
})
afterAll(() => service.stop())

beforeEach(async () => {
  runtime = mkdtempSync(join(tmpdir(), 'cardwire-counters-'))
  database = openStateDatabase(runtime, { error: () => undefined })
  counters = openCounters(database, Date.now)
  counters.add({ label: undefined, module: 'eid', useCase: 'signature', tag: undefined })
  device = await openDevice({ dsUrl: service.url, version, installationKey, counters })
})
afterEach(() => {
  device.close()
  database.close()
  rmSync(runtime, { recursive: true, force: true })
})

/** Refuses this act on batches from now on; the answer ends that. */
function refuseWrites(act: 'INSERT' | 'DELETE'): () => void {
  database.run(`CREATE TRIGGER refuse BEFORE ${act} ON counter_batches
    BEGIN SELECT raise(ABORT, 'database or disk is full'); END`)
  return () => void database.run('DROP TRIGGER refuse')
}

const sent = () => JSON.parse(device.calls.at(-1)?.sent ?? '')
const known = async () =>
  (await service.admin('GET', `/v3/devices/${device.state()?.device}`)).faults
const failed = { kind: 'counters-failed', detail: expect.stringContaining('disk is full') }

test('batches that cannot be read do not stop a synchronization, and are sent once they can', async () => {
  proves('unreadable-counters')
  const repair = refuseWrites('INSERT')
  await service.allow(version, ['https://a.example'])
  await device.syncOnce()
  expect(device.policy()?.cors).toEqual(['https://a.example'])
  expect(sent()).toMatchObject({ batches: [], faults: [failed] })
  expect(await known()).toMatchObject([failed])
  expect(device.logged.join('\n')).toContain('error counts not sent')

  await service.allow(version, ['https://b.example'])
  await device.syncOnce()
  expect(device.policy()?.cors).toEqual(['https://b.example'])
  const [first, second] = device.calls.slice(-2).map((call) => JSON.parse(call.sent).faults[0].at)
  expect(second).toBe(first)

  repair()
  await device.syncOnce()
  expect(sent().batches).toHaveLength(1)
  await device.syncOnce()
  expect(sent()).toMatchObject({ batches: [], faults: [] })
  expect(await known()).toEqual([])
})

test('batches that cannot be deleted do not stop a synchronization, and are counted once', async () => {
  const repair = refuseWrites('DELETE')
  await device.syncOnce()
  expect(device.policy()).toBeDefined()
  expect(device.logged.join('\n')).toContain('error counts not acknowledged')
  const { batches } = sent()
  expect(batches).toHaveLength(1)

  await device.syncOnce()
  expect(sent()).toMatchObject({ batches, faults: [failed] })
  repair()
  await device.syncOnce()
  expect(sent().batches).toEqual(batches)
  expect(counters.list()).toEqual([])
  await device.syncOnce()
  expect(sent()).toMatchObject({ batches: [], faults: [] })
})
