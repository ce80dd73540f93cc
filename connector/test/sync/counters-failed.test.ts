/** Counts that can be neither read nor noted: everything else goes on, and the administrators hear of it. */
import type { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Counters, openCounters } from '../../src/counters/counters.ts'
import { openState } from '../../src/state/database.ts'
import { openDevice, type TestDevice } from './device.ts'
import {
  type DistributionService,
  registerVersion,
  startDistributionService,
} from './distribution-service.ts'

const version = '4.0.0'

let service: DistributionService
let installationKey: string
let runtime: string
let database: Database
let counters: Counters
let device: TestDevice

beforeAll(async () => {
  service = await startDistributionService()
  installationKey = (await registerVersion(service, version)).installationApiKey
})
afterAll(() => service.stop())

beforeEach(async () => {
  runtime = mkdtempSync(join(tmpdir(), 'cardwire-counters-'))
  database = openState(runtime, { error: () => undefined })
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
function refuse(act: 'INSERT' | 'DELETE'): () => void {
  database.run(`CREATE TRIGGER refuse BEFORE ${act} ON counter_batches
    BEGIN SELECT raise(ABORT, 'database or disk is full'); END`)
  return () => void database.run('DROP TRIGGER refuse')
}

const sent = () => JSON.parse(device.calls.at(-1)?.sent ?? '')
const known = async () =>
  (await service.admin('GET', `/v3/devices/${device.kept()?.device}`)).faults
const failed = { kind: 'counters-failed', detail: expect.stringContaining('disk is full') }

test('that cannot be read stop nothing, and are sent when they can', async () => {
  const repair = refuse('INSERT')
  await service.allow(version, ['https://a.example'])
  await device.once()
  expect(device.policy()?.cors).toEqual(['https://a.example'])
  expect(sent()).toMatchObject({ batches: [], faults: [failed] })
  expect(await known()).toMatchObject([failed])
  expect(device.logged.join('\n')).toContain('error counts not sent')

  await service.allow(version, ['https://b.example'])
  await device.once()
  expect(device.policy()?.cors).toEqual(['https://b.example'])
  const [first, second] = device.calls.slice(-2).map((call) => JSON.parse(call.sent).faults[0].at)
  expect(second).toBe(first)

  repair()
  await device.once()
  expect(sent().batches).toHaveLength(1)
  await device.once()
  expect(sent()).toMatchObject({ batches: [], faults: [] })
  expect(await known()).toEqual([])
})

test('whose end cannot be noted stop nothing, and count once', async () => {
  const repair = refuse('DELETE')
  await device.once()
  expect(device.policy()).toBeDefined()
  expect(device.logged.join('\n')).toContain('error counts not acknowledged')
  const { batches } = sent()
  expect(batches).toHaveLength(1)

  await device.once()
  expect(sent()).toMatchObject({ batches, faults: [failed] })
  repair()
  await device.once()
  expect(sent().batches).toEqual(batches)
  expect(counters.list()).toEqual([])
  await device.once()
  expect(sent()).toMatchObject({ batches: [], faults: [] })
})
