/** Devices that report the worst that the contract takes, and what it costs to show them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dsOperations } from '@cardwire/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { createApp } from '../src/app.ts'
import { openBetterSqlite3 } from '../src/db/better-sqlite3.ts'
import type { Statement } from '../src/db/database.ts'
import type { FileDriver } from '../src/db/file-driver.ts'
import { applyMigrations } from '../src/self-hosted/migrations.ts'
import { createVersion, getData } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

/** Six bytes in JSON. */
const worst = (length: number) => '\u0001'.repeat(length)

const report = {
  device: {
    hostname: worst(255),
    architecture: worst(64),
    os: worst(128),
    osVersion: worst(128),
    packageFormat: worst(16),
    component: worst(64),
  },
  user: {
    username: worst(255),
    name: worst(255),
    timezone: worst(64),
    country: worst(64),
    language: worst(64),
  },
  faults: Array.from({ length: 20 }, (_, at) => ({
    kind: `f${at}${'x'.repeat(60)}`,
    detail: worst(1000),
    at: `2026-01-01T00:00:00.${'0'.repeat(19)}Z`,
  })),
}

/** More than a page of the export has. */
const clones = 520

let folder: string
let driver: FileDriver
let ds: InProcess
let id: string
/** Rows of devices with all that they report, since a test has set it to 0. */
let readRows = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-worst-'))
  driver = openBetterSqlite3(join(folder, 'ds.sqlite'))
  await applyMigrations(driver)
  const { run, batch, read = run } = driver
  const count = async (statement: Statement) => {
    const rows = await read(statement)
    if (statement.sql.startsWith('select') && statement.sql.includes(', "faults"'))
      readRows += rows.length
    return rows
  }
  ds = await startInProcess({}, undefined, { driver: { run, batch, read: count } })
  const device = await createDevice(ds, await createVersion(ds, await ds.login()), {
    device: report.device,
  })
  await device.sync(report)
  const day = '2026-01-01'
  const entries = Array.from({ length: 200 }, (_, at) => ({
    ...{ label: '-', module: worst(64), useCase: 'signature', day, count: 1 },
    tag: `${at}${worst(60)}`,
  }))
  await device.sync({ batches: [{ id: crypto.randomUUID(), entries }] })
  await device.sync(report)
  id = device.id
  const columns = `"key", "version", "platform", "device", "user", "blocked", "approved", "registrations", "registered_at",
    "created_at", "asserted_at", "last_seen_at", "last_seen_day", "state", "revision", "verdict", "keystore", "faults"`
  await driver.run({
    sql: `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${clones})
      insert into devices (id, fingerprint, ${columns})
      select printf('00000000-0000-4000-8000-%012d', n), 'clone ' || n, ${columns} from devices, numbers`,
    params: [],
  })
})
afterAll(async () => {
  await ds.stop()
  await driver.close()
  await rm(folder, { recursive: true, force: true })
})

test('a device that reports the worst weighs 26 kB at most', async () => {
  proves('device-report-large')
  const { bytes, json } = await ds.request('GET', `/v3/devices/${id}`, { token: await ds.login() })
  expect(json.data.faults).toHaveLength(20)
  expect(bytes.length).toBeLessThan(26_000)
})

test.each(
  dsOperations
    .filter(({ method, params, access }) => method === 'GET' && !params && access !== 'device')
    .map(({ name, path, query }) => [
      name,
      query && 'size' in query.shape ? `${path}?size=100` : path,
    ]),
)('%s answers with 2.6 MB at most when 521 devices report the worst', async (_, path) => {
  proves('device-report-large')
  const { status, bytes } = await ds.request('GET', path, { token: await ds.login() })
  expect(status).toBeLessThan(500)
  expect(bytes.length).toBeLessThan(2_600_000)
})

test('counters of the worst labels, modules and tags weigh 400 bytes each at most', async () => {
  proves('device-report-large')
  const { bytes, json } = await ds.request('GET', '/v3/counters?size=100', {
    token: await ds.login(),
  })
  expect(json.data).toMatchObject({ total: 200, items: { length: 100 } })
  expect(bytes.length).toBeLessThan(40_000)
})

test('GET /v3/devices.csv has all devices that report the worst', async () => {
  proves('device-report-large')
  const { text } = await ds.request('GET', '/v3/devices.csv', { token: await ds.login() })
  expect(text.trimEnd().split('\r\n')).toHaveLength(1 + 1 + clones)
})

test('GET /v3/devices reads a large page in parts, in the order of the list', async () => {
  proves('device-report-large')
  const token = await ds.login()
  const small = await Promise.all(
    [1, 2, 3, 4].map(async (page) =>
      getData(await ds.request('GET', `/v3/devices?size=5&page=${page}`, { token })),
    ),
  )
  const large = await ds.request('GET', '/v3/devices?size=20', { token })
  const ids = (list: Json) => list.items.map((item: Json) => item.id)
  expect(large.headers.has('content-length')).toBe(false)
  expect(getData(large)).toMatchObject({ page: 1, size: 20, total: 521, more: false })
  expect(ids(getData(large))).toEqual(small.flatMap(ids))
})

test('GET /v3/configurations reads large ones one by one, in the order of the list', async () => {
  proves('device-report-large')
  const token = await ds.login()
  const path = `${'x'.repeat(250)}/`.repeat(2)
  const files = Array.from({ length: 600 }, (_, at) => ({
    path: path + at,
    digest: '0'.repeat(32),
  }))
  const created: string[] = []
  for (let at = 0; at < 3; at += 1) {
    const { id: versionId } = await createVersion(ds, token)
    const body = { type: 'FILE_DIGESTS', versionId, config: { files } }
    created.push(getData(await ds.request('PUT', '/v3/configurations', { token, body })).id)
  }
  const list = await ds.request('GET', '/v3/configurations', { token })
  expect(list.headers.has('content-length')).toBe(false)
  expect(getData(list)).toMatchObject({ page: 1, size: 20, total: 3 })
  expect(getData(list).items.map((item: Json) => item.id)).toEqual(created)
})

test.each([
  ['/v3/devices?size=100', 30],
  ['/v3/devices.csv', 400],
])(
  'a client that does not read GET %s has no more than %d devices in memory',
  async (path, maxRows) => {
    proves('device-report-large')
    const token = await ds.login()
    readRows = 0
    const response = await createApp(ds.services).request(path, {
      headers: { authorization: `Bearer ${token}` },
    })
    const reader = response.body?.getReader()
    // The first one of a table has the names of its columns.
    for (let parts = path.endsWith('.csv') ? 2 : 1; parts > 0; parts -= 1) await reader?.read()
    expect(readRows).toBeGreaterThan(0)
    expect(readRows).toBeLessThanOrEqual(maxRows)
    await reader?.cancel()
  },
)
