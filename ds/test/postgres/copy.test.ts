/** A service moves from SQLite to PostgreSQL: `database copy` of the administrators' command. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passwordGrant, tokenPath } from '../../../test/bed/administrator.ts'
import { administratorsCommand } from '../../../test/bed/administrators-command.ts'
import { getAmount } from '../../../test/bed/amounts.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { createEnvironment, runProgram } from '../../../test/bed/program.ts'
import { root } from '../../../test/bed/repository.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createPostgresRuntime } from '../../../test/bed/service-runtimes.ts'
import { createLabel, createVersion, getData } from '../harness/arrange.ts'
import { createDevice, type Device } from '../harness/device.ts'
import { withDatabase } from '../harness/stored-data.ts'

const devices = getAmount('devices copied to PostgreSQL')
/** Of 1 MiB each, which is the largest. */
const logs = 100

let server: PostgresServer
let old: DistributionService
let address: string
let label: Json
let device: Device
beforeAll(async () => {
  server = await startPostgres()
  address = await server.createDatabase()
  old = await startDistributionService(undefined, { DS_URL: 'https://ds.example' })
  const token = await old.login()
  label = await createLabel(old, token)
  const version = await createVersion(old, token)
  device = await createDevice({ ...old, url: 'https://ds.example' }, version)
  const day = new Date().toISOString().slice(0, 10)
  const entry = { label: label.id, module: 'eid', useCase: 'signature', day, count: 3 }
  await device.sync({ batches: [{ id: crypto.randomUUID(), entries: [entry] }] })
  await device.request('POST', '/v3/devices/logs', new Uint8Array([1, 2, 3]))
  await old.request('POST', '/v3/devices', { body: {}, headers: { apikey: crypto.randomUUID() } })
  for (const username of ['some', 'some\0body', 'somebody'])
    await old.request('POST', tokenPath, { form: { ...passwordGrant, username } })
  await old.pause()
  await withDatabase(old, ({ run }) =>
    run(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${devices})
      insert into devices (id, fingerprint, key, version, platform, device, user, blocked, approved, registrations,
        registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, faults)
      select 'many-' || n, 'many-' || n, '{}', '7.0.0', 'UNIX', '{"hostname":"Žluťoučký \\"kůň\\" {' || n || '}"}', '{}',
        n % 2, 1, 1, 0, 1790000000123, 0, n, n % 300, 0, '[]' from numbers`,
    ),
  )
  const log = randomBytes(1024 * 1024).toString('base64')
  await withDatabase(old, ({ run }) =>
    run(
      `insert into device_logs select id, 'text/plain', ?, 1 from devices where id like 'many-%' limit ${logs}`,
      log,
    ),
  )
})
afterAll(async () => {
  await old?.stop()
  await server?.remove()
})

const copy = (to = address) =>
  runProgram(
    [
      ...administratorsCommand,
      'database',
      'copy',
      ...['--from', old.database, '--to', to.replace(`:${server.password}@`, '@')],
    ],
    {
      cwd: root,
      // Much less than all logs together.
      env: createEnvironment(old.folder, {
        PGPASSWORD: server.password,
        NODE_OPTIONS: '--max-old-space-size=120',
      }),
    },
  )

/** The rows of a table as texts; numbers of 64 bits are texts already. */
const readText = (service: DistributionService, table: string, order: string) =>
  withDatabase(service, async ({ run }) =>
    (await run(`select * from "${table}" order by ${order}`)).map((row) =>
      Object.entries(row)
        .filter(([name]) => name !== 'rowid')
        .map(([, value]) => String(value))
        .join(' '),
    ),
  )

test('database copy copies everything, which the service goes on with', async () => {
  const { status, out, err } = await copy()

  expect([status, err]).toEqual([0, ''])
  expect(out).toMatch(new RegExp(`^devices\\t${devices + 1} rows\\tsha256 [0-9a-f]{64}$`, 'm'))
  expect(out).toMatch(/^counters\t1 rows\tsha256/m)
  expect(out).toMatch(new RegExp(`^device_logs\\t${logs + 1} rows\\tsha256`, 'm'))
  // NUL, which PostgreSQL cannot store, is what the service stores there in its place.
  expect(out).toMatch(/^login_delays\t3 rows\tsha256/m)
  const secret = (await readFile(`${old.database}.secret`, 'utf8')).trim()
  const service = await startDistributionService(
    createPostgresRuntime(async () => address),
    { DS_URL: 'https://ds.example', DS_SECRET: secret },
  )
  try {
    for (const [table, order] of [
      ['audit', 'sequence'],
      ['counters', 'day'],
      ['successions', 'key_id'],
    ] as const) {
      expect(await readText(service, table, order)).toEqual(await readText(old, table, order))
    }
    const exchanged = await service.request('GET', '/v3/tokens/application', {
      headers: { apikey: label.apiKey },
    })
    expect(exchanged.status).toBe(200)
    const token = await service.login()
    const query = new URLSearchParams({ hostname: 'Kůň" {777}' })
    const found = await service.request('GET', `/v3/devices?${query}`, { token })
    expect(getData(found).total).toBe(1)
    await createLabel(service, token)
    const entries = await readText(service, 'audit', 'sequence')
    expect(entries.map((row) => row.split(' ')[0])).toEqual(entries.map((_, at) => `${at + 1}`))
  } finally {
    await service.stop()
  }
})

test('database copy refuses a target that is not empty, and changes nothing of it', async () => {
  const before = await copy()
  expect([before.status, before.out]).toEqual([1, ''])
  expect(before.err).toMatch(
    /^Cannot copy to "postgres:\/\/127\.0\.0\.1:\d+\/service_1": it is not empty, "administrators" has rows\n$/,
  )
})

test.each([
  [
    'a file for the target',
    () => join(old.folder, 'other.sqlite'),
    'Cannot copy: --to must be postgres://',
  ],
  [
    'a server that is not there',
    () => address.replace(/:\d+\//, ':1/'),
    'the database cannot be reached',
  ],
])('database copy refuses %s, without the password', async (_, to, reason) => {
  const { status, out, err } = await copy(to())
  expect([status, out]).toEqual([1, ''])
  expect(err).toContain(reason)
  expect(err).not.toContain(server.password)
})
