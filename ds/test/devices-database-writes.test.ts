/** What a synchronization writes: as little as possible, whole or not at all, and each count once. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { createApp } from '../src/app.ts'
import { openBetterSqlite3 } from '../src/db/better-sqlite3.ts'
import type { Driver, Statement } from '../src/db/database.ts'
import type { FileDriver } from '../src/db/file-driver.ts'
import { applyMigrations } from '../src/self-hosted/migrations.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let folder: string
let driver: FileDriver
let ds: InProcess
let recorded: Statement[]
/** Stands around every batch. */
let around: (run: () => ReturnType<Driver['batch']>) => ReturnType<Driver['batch']>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-devices-'))
  driver = openBetterSqlite3(join(folder, 'ds.sqlite'))
  await applyMigrations(driver)
  recorded = []
  around = (run) => run()
  const watched: Driver = {
    run: (statement) => {
      recorded.push(statement)
      return driver.run(statement)
    },
    batch: (statements) => {
      recorded.push(...statements)
      return around(() => driver.batch(statements))
    },
  }
  ds = await startInProcess({}, undefined, { driver: watched })
})
afterEach(async () => {
  await ds.stop()
  await driver.close()
  await rm(folder, { recursive: true, force: true })
})

const put = async (kind: string, body: Json): Promise<Json> =>
  (await ds.request('PUT', `/v3/${kind}`, { token: await ds.login(), body })).json.data
/** A version, and the label that the batches are for. */
const aVersion = async (): Promise<Json> => {
  const { id: orgId } = await put('organizations', { name: 'Org' })
  await put('labels', { name: 'shop', orgId })
  const flags = { recommended: false, mandatory: false, allowed: true }
  return put('versions', { id: '4.0.0', uris: [], ...flags })
}
const batch = (tag: string, count = 1) => ({
  id: crypto.randomUUID(),
  entries: [{ label: 'shop', module: 'eid', useCase: 'signature', day: '2026-01-01', tag, count }],
})
const counts = async (): Promise<Record<string, number>> => {
  const { json } = await ds.request('GET', '/v3/counters', { token: await ds.login() })
  return Object.fromEntries(json.data.items.map(({ tag, count }: Json) => [tag, count]))
}
const writes = () => recorded.filter(({ sql }) => /^(insert|update|delete)/i.test(sql.trim()))

test('an unchanged synchronization writes once a day, and then reads the device alone', async () => {
  const device = await createDevice(ds, await aVersion())
  const { state } = (await device.sync()).reply
  ds.now += 86_400_000
  recorded = []
  expect((await device.sync({ state })).reply.unchanged).toBe(true)
  expect(writes().filter(({ sql }) => sql.startsWith('update "devices"'))).toHaveLength(1)
  ds.now += 60_000
  await device.sync({ state })
  recorded = []
  expect((await device.sync({ state })).reply.unchanged).toBe(true)
  expect(recorded).toHaveLength(1)
  expect(writes()).toEqual([])
})

test('a device that is blocked while it sends the body of an unchanged synchronization gets no reply', async () => {
  proves('blocked-device-waits')
  const device = await createDevice(ds, await aVersion())
  const { state } = (await device.sync()).reply
  const sent = JSON.stringify({ version: '4.0.0', platform: 'UNIX', state })
  const admin = await ds.login()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await ds.request('POST', `/v3/devices/${device.id}/block`, { token: admin })
        ds.now += 5000
        controller.enqueue(new TextEncoder().encode(sent))
        controller.close()
      },
    },
    // Not before the service reads it.
    { highWaterMark: 0 },
  )
  const request: RequestInit & { readonly duplex: 'half' } = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await device.createAssertion(sent)}`,
      'content-type': 'application/json',
    },
    body,
    duplex: 'half',
  }
  const refused = await createApp(ds.services).fetch(
    new Request(`${ds.url}/v3/devices/sync`, request),
  )

  expect(refused.status).toBe(409)
})

test.each([
  ['host name', { device: { hostname: 'elsewhere' } }],
  ['platform', { platform: 'WIN64' }],
  ['keystore', { keystore: 'a'.repeat(64) }],
  ['user', { user: { language: 'nl' } }],
  ['fault', { faults: [{ kind: 'keystore-failed', at: '2026-01-01T00:00:00Z', detail: 'no' }] }],
  ['batch', { batches: [batch('a')] }],
])('a synchronization with another %s is written', async (_, change) => {
  const device = await createDevice(ds, await aVersion())
  const { state } = (await device.sync()).reply
  recorded = []
  expect((await device.sync({ state, ...change })).status).toBe(200)
  expect(writes().length).toBeGreaterThan(0)
})

test('the largest synchronization stays within the limits of D1', async () => {
  const device = await createDevice(ds, await aVersion())
  const entries = Array.from({ length: 200 }, (_, at) => ({ ...batch(`${at}`).entries[0] }))
  const batches = Array.from({ length: 20 }, () => ({ id: crypto.randomUUID(), entries }))
  ds.now += 86_400_000
  recorded = []
  expect((await device.sync({ batches })).status).toBe(200)
  expect(recorded.length).toBeLessThanOrEqual(50)
  for (const { params } of recorded) expect(params.length).toBeLessThanOrEqual(100)
})

test('a reply that is lost after its batches were counted leads to no second count', async () => {
  const device = await createDevice(ds, await aVersion())
  const [first, second] = [batch('first'), batch('second', 5)]
  around = async (run) => {
    await run()
    throw new Error('the process ends here')
  }
  expect((await device.sync({ batches: [first] })).status).toBe(500)
  around = (run) => run()
  const again = await device.sync({ batches: [first, second] })
  expect(again.reply.acknowledged).toEqual([first.id, second.id])
  expect(await counts()).toEqual({ first: 1, second: 5 })
})

test('a database batch that fails stores nothing, and the same request can be sent again', async () => {
  const device = await createDevice(ds, await aVersion())
  const first = batch('first')
  around = async () => {
    throw new Error('the disk is full')
  }
  expect((await device.sync({ batches: [first] })).status).toBe(500)
  around = (run) => run()
  expect(await counts()).toEqual({})
  await device.sync({ batches: [first] })
  expect(await counts()).toEqual({ first: 1 })
})

test('a request overtaken by a later one counts nothing, and is refused', async () => {
  const device = await createDevice(ds, await aVersion())
  const [a, b, c] = [batch('a'), batch('b'), batch('c')]
  const held = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  around = async (run) => {
    around = (next) => next()
    arrived.resolve()
    await held.promise
    return run()
  }
  const overtaken = device.sync({ batches: [a] })
  await arrived.promise
  expect((await device.sync({ batches: [a, b] })).reply.acknowledged).toEqual([a.id, b.id])
  // What was acknowledged is not sent again, and its id is forgotten.
  await device.sync({ batches: [c] })
  held.resolve()
  expect((await overtaken).json.code).toBe('assertion-replayed')
  expect(await counts()).toEqual({ a: 1, b: 1, c: 1 })
})

test('logs of a device that is deleted while it uploads them are refused: the device is unknown', async () => {
  proves('generated-requests')
  const device = await createDevice(ds, await aVersion())
  around = async (run) => {
    await driver.run({ sql: 'delete from devices', params: [] })
    return run()
  }
  const { status, json } = await device.request('POST', '/v3/devices/logs', Buffer.from('logs'))
  expect([status, json.code]).toEqual([404, 'device-unknown'])
})

test('ids of old batches are deleted', async () => {
  const device = await createDevice(ds, await aVersion())
  for (let n = 0; n < 5; n += 1) await device.sync({ batches: [batch(`${n}`), batch('same')] })
  const rows = await driver.run({ sql: 'select count(*) from counter_batches', params: [] })
  expect(rows).toEqual([[2]])
  expect(await counts()).toMatchObject({ 0: 1, 4: 1, same: 5 })
})

test('devices beyond the limit get different Retry-After times, and all are served', async () => {
  const version = await aVersion()
  const devices = await Promise.all(Array.from({ length: 100 }, () => createDevice(ds, version)))
  const answers = await Promise.all(devices.map((device) => device.sync()))
  const busy = answers.filter(({ status }) => status === 503)
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(64)
  expect(busy.length).toBeGreaterThan(0)
  const waits = busy.map(({ headers }) => Number(headers.get('retry-after')))
  for (const [at, { json }] of busy.entries()) {
    expect(json.code).toBe('service-busy')
    expect(waits[at]).toBeGreaterThanOrEqual(2)
    expect(waits[at]).toBeLessThanOrEqual(32)
  }
  expect(new Set(waits).size).toBeGreaterThan(5)
  const late = devices.filter((_, at) => answers[at]?.status === 503)
  for (const device of late) expect((await device.sync()).status).toBe(200)
})

test('the export of counters has every row once, newest day first, over days larger and smaller than a query', async () => {
  for (const [day, rows] of [
    ['2026-01-01', 12_000],
    ['2026-01-02', 5000],
    ['2026-01-03', 3],
    ['2026-01-04', 4998],
  ] as const) {
    await driver.run({
      sql: `with recursive row(n) as (select 1 union all select n + 1 from row where n < ?)
        insert into counters select ?, 'shop', 'eid', 'print', 'tag ' || n, 1 from row`,
      params: [rows, day],
    })
  }
  const { text } = await ds.request('GET', '/v3/counters.csv', { token: await ds.login() })
  const lines = text.trimEnd().split('\r\n').slice(1)
  expect(lines).toHaveLength(22_001)
  const [keys, rows] = [new Set(lines), lines.map((line) => line.split(','))]
  expect(keys.size).toBe(lines.length)
  const sorted = rows.toSorted(
    ([dayA = '', , , , tagA = ''], [dayB = '', , , , tagB = '']) =>
      Number(dayA < dayB) - Number(dayA > dayB) || Number(tagA > tagB) - Number(tagA < tagB),
  )
  expect(rows).toEqual(sorted)
})
