/** Lists of devices with a tag that very many have: what each of them finds, and that no list of few reads all devices. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { openBetterSqlite3 } from '../src/db/better-sqlite3.ts'
import type { Statement } from '../src/db/database.ts'
import type { FileDriver } from '../src/db/file-driver.ts'
import { applyMigrations } from '../src/self-hosted/migrations.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let folder: string
let driver: FileDriver
let ds: InProcess
let read: Statement[] = []

/**
 * 30,000 devices, the last seen and first named have the smallest numbers. All but one have the tag `common`, and 12,000, which
 * stand last in most orders, the tag `site`. Ten have the version 4.10.0, one has 4.11.0.
 */
const fill = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 30000)
  insert into devices (id, fingerprint, key, version, platform, device, "user", blocked, approved, registrations,
    registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, faults, verdict, tags)
  select printf('d%05d', n), n, '{}',
    case when n = 5 then '4.11.0' when n <= 11 then '4.10.0' else '4.' || (n % 3) || '.0' end, 'UNIX',
    json_object('hostname', printf('h%05d', n)), '{}', 0, 1, 1, 1, 1, 1, 1, 20000 - n / 1000, 1,
    case when n = 29999 then '[{"kind":"x"}]' else '[]' end, 'none',
    case when n = 5 then '[]' when n between 15001 and 27000 then '["common","site"]' else '["common"]' end
  from numbers`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-tagged-'))
  driver = openBetterSqlite3(join(folder, 'ds.sqlite'))
  await applyMigrations(driver)
  await driver.run({ sql: fill, params: [] })
  ds = await startInProcess({}, undefined, {
    driver: {
      ...driver,
      read: (statement) => {
        read.push(statement)
        return driver.run(statement)
      },
    },
  })
})
beforeEach(() => {
  read = []
})
afterAll(async () => {
  await ds.stop()
  await driver.close()
  await rm(folder, { recursive: true, force: true })
})

async function list(query: string) {
  const { json } = await ds.request('GET', `/v3/devices?${query}`, { token: await ds.login() })
  const { items, total, more } = json.data
  return { ids: items.map(({ id }: Json) => id), total, more }
}

/** The plans of what was read, as far as they go through all devices. */
async function findScans(): Promise<readonly string[]> {
  const plans = await Promise.all(
    read.map(({ sql, params }) => driver.run({ sql: `explain query plan ${sql}`, params })),
  )
  return plans
    .flat()
    .flatMap(([, , , step]) => (/^SCAN devices\b/.test(`${step}`) ? [`${step}`] : []))
}

const sorts = ['lastSeen', '-lastSeen', 'name', '-name', 'version', '-version']

test.each([
  ['a version that none has', 'version=1.0.0', []],
  ['a version that one device has', 'version=4.11.0', []],
  ['a system that none has', 'os=MACOS', []],
  ['blocked devices', 'standing=blocked', []],
  ['a fault', 'fault=any', ['d29999']],
  ['a fault that none has', 'fault=y', []],
  ['a day before all', 'seenBefore=2024-08-01T00:00:00Z', []],
])('no list reads all devices for a common tag together with %s', async (_, filter, ids) => {
  proves('device-filters')
  for (const sort of sorts)
    expect([sort, await list(`tag=common&${filter}&sort=${sort}`)]).toEqual([
      sort,
      { ids, total: ids.length, more: false },
    ])
  expect(await findScans()).toEqual([])
})

test.each([
  ['lastSeen', ['d27000', 'd26000', 'd26001']],
  ['-lastSeen', ['d15999', 'd15998', 'd15997']],
  ['name', ['d15001', 'd15002', 'd15003']],
  ['-name', ['d27000', 'd26999', 'd26998']],
  ['version', ['d15999', 'd15996', 'd15993']],
  ['-version', ['d15998', 'd15995', 'd15992']],
])(
  'the devices of a tag that stand last by %s are read without those before them',
  async (sort, first) => {
    proves('device-filters', 'device-sort')
    const page = await list(`tag=site&sort=${sort}&size=3`)
    expect(page).toEqual({ ids: first, total: 10_000, more: true })
    expect(await findScans()).toEqual([])
  },
)

test.each([
  ['-version', 1, ['d00011', 'd00010', 'd00009']],
  ['-version', 4, ['d00001', 'd00998', 'd00995']],
  ['version', 1, ['d00999', 'd00996', 'd00993']],
  ['version', 3333, ['d30000', 'd00997', 'd00994']],
  ['version', 3334, ['d00991', 'd00988', 'd00985']],
  ['name', 2, ['d00004', 'd00006', 'd00007']],
  ['-lastSeen', 1, ['d00999', 'd00998', 'd00997']],
])('a common tag by %s, page %i', async (sort, page, ids) => {
  proves('device-sort')
  expect(await list(`tag=common&sort=${sort}&size=3&page=${page}`)).toEqual({
    ...{ ids, total: 10_000, more: true },
  })
  expect(read.filter(({ sql }) => / from "devices" .* group by /.test(sql))).toEqual([])
})

test.each([
  ['name', ['d15001', 'd15004', 'd15007']],
  ['-lastSeen', ['d15997', 'd15994', 'd15991']],
  ['version', ['d15997', 'd15994', 'd15991']],
])('two filters that many match, by %s', async (sort, ids) => {
  proves('device-filters')
  const page = await list(`tag=site&version=4.1.0&sort=${sort}&size=3`)
  expect(page).toEqual({ ids, total: 4000, more: false })
})
