/** What reads a whole table is read where it holds up no device. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { openBetterSqlite3 } from '../src/db/better-sqlite3.ts'
import type { Row, Statement } from '../src/db/database.ts'
import type { FileDriver } from '../src/db/file-driver.ts'
import { applyMigrations } from '../src/self-hosted/migrations.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let folder: string
let driver: FileDriver
let ds: InProcess
/** Those that hold up others, and those of the thread that reads. */
/** What the thread has read. */
let read: (readonly Row[])[] = []
let queries: { readonly main: Statement[]; readonly thread: Statement[] }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-reads-'))
  driver = openBetterSqlite3(join(folder, 'ds.sqlite'))
  await applyMigrations(driver)
  const { run, batch, read: readInThread = run } = driver
  const watch =
    (where: keyof typeof queries, act: typeof run): typeof run =>
    (statement: Statement) => {
      queries[where].push(statement)
      return act(statement)
    }
  queries = { main: [], thread: [] }
  ds = await startInProcess({}, undefined, {
    driver: {
      run: watch('main', run),
      batch: (statements) => {
        queries.main.push(...statements)
        return batch(statements)
      },
      read: watch('thread', async (statement) => {
        const rows = await readInThread(statement)
        read.push(rows)
        return rows
      }),
    },
  })
})
afterAll(async () => {
  await ds.stop()
  await driver.close()
  await rm(folder, { recursive: true, force: true })
})

const flags = { recommended: false, allowed: true, uris: [] }

const isRead =
  (table: string) =>
  ({ sql }: Statement) =>
    sql.startsWith('select') && sql.includes(`from "${table}"`)

test.each<[string, string, string, Json?]>([
  ['devices', 'GET', '/v3/devices'],
  ['devices', 'GET', '/v3/devices?hostname=front'],
  ['devices', 'GET', '/v3/devices?q=front'],
  ['devices', 'GET', '/v3/devices?fault=any&standing=active'],
  ['devices', 'GET', '/v3/devices.csv'],
  ['device_counts', 'GET', '/v3/devices/summary'],
  ['device_counts', 'PUT', '/v3/versions', { id: '4.0.0', ...flags, mandatory: true }],
  ['refusals', 'GET', '/v3/devices/refusals'],
  ['counters', 'GET', '/v3/counters'],
  ['counters', 'GET', '/v3/counters.csv'],
  ['counters', 'GET', '/v3/counters/summary'],
  ['downloads', 'GET', '/v3/downloads'],
  ['downloads', 'GET', '/v3/downloads/summary'],
  ['audit', 'GET', '/v3/audit'],
  ['audit', 'GET', '/v3/audit.csv'],
])('all %s are read in the thread: %s %s', async (table, method, path, body) => {
  const token = await ds.login()
  queries = { main: [], thread: [] }
  const { status } = await ds.request(method, path, { token, ...(body && { body }) })

  expect(status).toBeLessThan(300)
  const readsTable = isRead(table)
  expect(queries.thread.filter(readsTable)).not.toEqual([])
  expect(queries.main.filter(readsTable)).toEqual([])
})

test.each([
  ['audit', ''],
  ['audit', 'who=admin'],
  ['audit', 'kind=device'],
  ['audit', 'kind=device&who=admin'],
  ['audit', 'from=2026-11-28T00:00:00Z'],
  ['audit', 'kind=device&from=2026-11-28T00:00:00Z&to=2026-11-28T12:00:00Z'],
  ['devices', ''],
  ['devices', 'version=4.0.0'],
  ['devices', 'blocked=true'],
  ['devices', 'approved=false'],
  ['counters', ''],
  ['counters', 'from=2026-11-01&to=2026-11-28'],
  ['counters', 'label=shop&module=belgian-eid'],
])('no part of an export of %s with "%s" sorts the rows of all parts', async (table, query) => {
  proves('csv-export')
  const token = await ds.login()
  queries = { main: [], thread: [] }
  const { status } = await ds.request('GET', `/v3/${table}.csv?${query}`, { token })
  expect(status).toBe(200)
  const parts = queries.thread.filter(isRead(table))
  expect(parts).not.toEqual([])
  for (const { sql, params } of parts) {
    const plan = await driver.run({ sql: `explain query plan ${sql}`, params })
    // A part of the counters sorts the rows of a day.
    expect(plan.map((row) => row.at(-1))).not.toContain('USE TEMP B-TREE FOR ORDER BY')
  }
})

test('GET /v3/devices/summary of 400 days with 400 versions each has the 20 most used ones, and one sum of the others', async () => {
  proves('summary-large')
  await driver.run({
    sql: `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 400)
      insert into fleet_days select ? - days.n, '1.0.' || versions.n, platforms.value, versions.n
      from numbers as days, numbers as versions, json_each('["UNIX", "WIN64", "MACOS", "MACOSARM"]') as platforms`,
    params: [Math.floor(ds.now / 86_400_000)],
  })
  const { status, json } = await ds.request('GET', '/v3/devices/summary?days=400', {
    token: await ds.login(),
  })
  expect(status).toBe(200)
  const { days } = json.data
  expect(days).toHaveLength(399 * 21 * 4)
  const ofFirstDay = days.slice(0, 21 * 4).map(({ version, count }: Json) => `${version} ${count}`)
  expect(new Set(ofFirstDay).size).toBe(21)
  expect(ofFirstDay).toContain('1.0.381 381')
  expect(ofFirstDay).toContain(`other ${(380 * 381) / 2}`)
})

test.each([
  [
    'installer',
    '/v3/installers/x.deb',
    'version',
    (uri: string) => ({ uris: [{ os: 'UNIX', uri }] }),
  ],
  ['keystore', '/v3/keystores', 'configuration', (uri: string) => ({ uri, password: true })],
])(
  'which revisions name an %s is read in parts, of those that may name it',
  async (_, path, kind, toValue) => {
    proves('revisions-read-whole')
    const { packages, keystores } = ds.services
    const files = kind === 'version' ? packages : keystores
    const body = new Blob(['x']).stream()
    await files.store({ key: 'x.deb', size: 1, body, commit: async () => undefined })
    const insert = async (id: string, uri: string, count: number) =>
      driver.run({
        sql: `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
        insert into revisions (kind, id, version_id, type, revision, at, subject, name, operation, value)
        select ?, ?, ?, 'SSL_KEYSTORE', i, 1, 's', 'n', 'o', ? from n`,
        params: [kind, id, id, JSON.stringify(toValue(uri))],
      })
    await insert('1.0.0', `https://dl.example/${'a'.repeat(2000)}`, 900)
    await insert('1.0.1', 'file:///another.deb', 900)
    await insert('1.0.2', 'file:///x.deb', 450)
    await insert('1.0.3', 'file:///%78.deb', 1)
    await insert('1.0.4', 'file:///%79.deb', 1)
    read = []
    const { json } = await ds.request('GET', path, { token: await ds.login() })
    const { revisionsOf } = json.data.items?.[0] ?? json.data
    expect(revisionsOf).toEqual(['1.0.2', '1.0.3'])
    const sizes = read.map((rows) => rows.length)
    expect(Math.max(...sizes)).toBe(200)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(500)
  },
)

test.each<[string, string, Json?]>([
  ['GET', '/v3/devices/summary'],
  ['GET', '/v3/versions/5.0.0/reach?allowed=false'],
  ['GET', '/v3/versions/5.0.0/reach?remove=true'],
  ['GET', '/v3/installers/plain.deb'],
  ['GET', '/v3/installers/listed.deb'],
  ['PUT', '/v3/versions', { id: '5.0.1', ...flags, mandatory: true }],
  ['GET', '/v3/versions/5.0.0/configurations/reach?type=CONTEXT_CONFIG'],
])('the addresses of all versions are read by none: %s %s', async (method, path, body) => {
  proves('versions-read-whole')
  const token = await ds.login()
  const systems = ['WIN32', 'WIN64', 'MACOS', 'MACOSARM', 'UNIX']
  const toUris = (uri: string) => JSON.stringify(systems.map((os) => ({ os, uri })))
  const long = `https://dl.example/${'a'.repeat(2000)}`
  await driver.run({
    sql: `with recursive n(i) as (select 1 union all select i + 1 from n where i < 60)
      insert into versions (id, precedence, recommended, mandatory, allowed, uris, revision, created_at, updated_at)
      select '5.0.' || i, '5.0.' || i, false, false, true, ?, 1, 1, 1 from n where true on conflict do nothing`,
    params: [toUris(long)],
  })
  await ds.request('PUT', '/v3/versions', {
    token,
    body: { id: '5.0.0', ...flags, mandatory: false },
  })
  const { packages } = ds.services
  for (const key of ['plain.deb', 'listed.deb']) {
    const stream = new Blob(['x']).stream()
    await packages.store({ key, size: 1, body: stream, commit: async () => undefined })
  }
  queries = { main: [], thread: [] }
  read = []
  const { status } = await ds.request(method, path, {
    token,
    ...(body && { body }),
  })
  expect(status).toBe(200)
  expect(queries.main.filter(({ sql }) => / from "versions"$/.test(sql))).toEqual([])
  expect(queries.thread.some(isRead('versions'))).toBe(true)
  expect(JSON.stringify(read).length).toBeLessThan(200_000)
})
