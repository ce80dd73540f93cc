/** Databases of this version and of later ones, on each engine. */
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { migrations } from '../resources.ts'
import { applyMigrations } from '../self-hosted/migrations.ts'
import { openBetterSqlite3 } from './better-sqlite3.ts'
import type { FileDriver } from './file-driver.ts'
import { checkMigrations, LaterVersionError, postgresMigrations } from './known-migrations.ts'

let folder: string
let driver: FileDriver
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-migrations-'))
  driver = openBetterSqlite3(join(folder, 'ds.sqlite'))
})
afterEach(async () => {
  await driver.close()
  await rm(folder, { recursive: true })
})
const run = (sql: string) => driver.run({ sql, params: [] })

test('migrations are applied once, and a database of a later version is refused', async () => {
  proves('database-of-later-version')
  await applyMigrations(driver)
  await applyMigrations(driver)
  await run(`insert into __drizzle_migrations (hash, created_at) values ('x', 99999999999999)`)
  await expect(applyMigrations(driver)).rejects.toThrow(/a later version of the service/)
})

test('a database with a migration that another version added between those of this one is refused', async () => {
  proves('database-of-later-version')
  await applyMigrations(driver)
  await run(`insert into __drizzle_migrations (hash, created_at) values ('x', 1)`)
  await expect(applyMigrations(driver)).rejects.toThrow(/a later version of the service/)
})

test('a database of D1 with a migration that the Worker does not have is refused', async () => {
  proves('database-of-later-version')
  const known = { table: 'd1_migrations', names: ['0000_initial.sql', '0001_more.sql'] } as const
  await checkMigrations(driver, known)
  await run('create table d1_migrations (id integer primary key, name text unique)')
  await run(`insert into d1_migrations (name) values ('0000_initial.sql')`)
  await checkMigrations(driver, known)
  await run(`insert into d1_migrations (name) values ('0002_later.sql')`)
  await expect(checkMigrations(driver, known)).rejects.toThrow(LaterVersionError)
  await expect(checkMigrations(driver, known)).rejects.toThrow(/0002_later\.sql/)
})

test('a Worker knows the migrations for PostgreSQL', () => {
  const files = readdirSync(join(fileURLToPath(migrations), 'postgres'))
  expect(postgresMigrations).toEqual(files.filter((name) => name.endsWith('.sql')).toSorted())
})
