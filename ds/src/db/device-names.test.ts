/** The index of names: it is made from devices that are there, and follows their changes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { measureProcessorMs } from '../../../test/bed/processor-time.ts'
import { proves } from '../../../test/bed/proves.ts'
import { migrations } from '../resources.ts'
import { applyMigrations } from '../self-hosted/migrations.ts'
import { openBetterSqlite3 } from './better-sqlite3.ts'
import { createReader } from './database.ts'
import { findDevicePage } from './device-search.ts'
import type { FileDriver } from './file-driver.ts'

let folder: string
let driver: FileDriver
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-names-'))
})
afterEach(async () => {
  await driver.close()
  await rm(folder, { recursive: true, force: true })
})

const file = () => join(folder, 'ds.sqlite')
const run = (sql: string, ...params: readonly string[]) => driver.run({ sql, params })
const add = (id: string, hostname: string | undefined) => ({
  sql: `insert into devices (id, fingerprint, key, version, platform, device, "user", blocked, approved, registrations,
    registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, faults)
    values (?, ?, '{}', '4.0.0', 'UNIX', ?, '{}', 0, 1, 1, 1, 1, 1, 1, 1, 1, '[]')`,
  params: [id, id, JSON.stringify({ hostname })],
})
const find = async (q: string) => {
  const paging = { page: 1, size: 10, silentBefore: 0, implicitVersions: false }
  return (await findDevicePage(createReader(driver), { q }, paging)).ids
}

test('devices that registered before the index are found, and what changes afterwards', async () => {
  const files = readMigrationFiles({ migrationsFolder: fileURLToPath(migrations) })
  const before = new Sqlite(file())
  for (const sql of files.slice(0, 13).flatMap((one) => one.sql)) before.exec(sql)
  for (const [id, name] of [
    ['one', 'Desk-1'],
    ['two', undefined],
    ['three', 'desk-3'],
  ] as const) {
    const statement = add(id, name)
    before.prepare(statement.sql).run(...statement.params)
  }
  for (const sql of files.slice(13).flatMap((one) => one.sql)) before.exec(sql)
  before.close()
  driver = openBetterSqlite3(file())

  expect(await find('esk-')).toEqual(['one', 'three'])
  await run(`update devices set device = '{"hostname":"till-2"}' where id in ('one', 'two')`)
  expect([await find('esk-'), await find('ill-')]).toEqual([['three'], ['one', 'two']])
  await run(`update devices set device = '{}' where id = 'one'`)
  await run(`delete from devices where id = 'three'`)
  expect([await find('esk-'), await find('ill-')]).toEqual([[], ['two']])
})

test('devices are found after VACUUM, also where others were removed before', async () => {
  driver = openBetterSqlite3(file())
  await applyMigrations(driver)
  for (const id of ['one', 'two', 'three']) await driver.run(add(id, `desk-${id}`))
  await run(`delete from devices where id = 'one'`)
  await run('vacuum')
  expect(await find('desk')).toEqual(['three', 'two'])
})

test('a copy that numbers the rows anew finds no other devices than those with the name', async () => {
  driver = openBetterSqlite3(file())
  await applyMigrations(driver)
  for (const id of ['one', 'two']) await driver.run(add(id, `desk-${id}`))
  await run('update devices set rowid = 3 - rowid + 10')
  await run('update devices set rowid = rowid - 10')
  expect([await find('desk-one'), await find('desk-two')]).toEqual([[], []])
})

test('a part that repeats itself is found, and looked for in no time that grows with its square', async () => {
  proves('costly-search')
  driver = openBetterSqlite3(file())
  await applyMigrations(driver)
  const hostile = 'a'.repeat(250)
  await driver.batch([
    ...Array.from({ length: 4000 }, (_, at) => add(`hostile-${at}`, hostile)),
    add('real', 'pc-000-0001'),
    add('other', 'pc-000-1'),
  ])
  expect([await find('000-0001'), await find('000-000')]).toEqual([['real'], ['real']])
  // As many different trigrams as a query can have, and one of them twice.
  const letters = Array.from({ length: 252 }, (_, at) => String.fromCodePoint(0x4e00 + at))
  expect(await find([...letters, ...letters.slice(0, 3)].join(''))).toEqual([])
  const shortMs = await measureProcessorMs(async () => {
    expect(await find('aaa')).toHaveLength(10)
  })
  const longMs = await measureProcessorMs(async () => {
    expect(await find('a'.repeat(255))).toEqual([])
  })
  // A third of it on a quiet machine; compared as a phrase, it took 28 times as long.
  expect(longMs).toBeLessThan(4 * shortMs)
})
