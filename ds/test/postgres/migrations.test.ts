/** The migrations for PostgreSQL: they make the tables of the schema, and several nodes may apply them at once. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { proves } from '../../../test/bed/proves.ts'
import { openBetterSqlite3 } from '../../src/db/better-sqlite3.ts'
import { listUniqueConstraints } from '../../src/db/constraint-error.ts'
import { createReader, type Driver } from '../../src/db/database.ts'
import { findDevicePage } from '../../src/db/device-search.ts'
import { checkMigrations, postgresMigrations } from '../../src/db/known-migrations.ts'
import type { PostgresDriver } from '../../src/db/postgres.ts'
import * as schema from '../../src/db/schema.ts'
import { parseDatabaseAddress } from '../../src/rules/database-address.ts'
import { applyMigrations } from '../../src/self-hosted/migrations.ts'
import { connect } from '../../src/self-hosted/open-database.ts'
import { hasNameIndexes } from '../../src/self-hosted/postgres-migrations.ts'

let server: PostgresServer
let folder: string
beforeAll(async () => {
  server = await startPostgres()
  folder = await mkdtemp(join(tmpdir(), 'cardwire-migrations-'))
})
afterAll(async () => {
  await server?.remove()
  await rm(folder, { recursive: true, force: true })
})

const open = (address: string): Promise<PostgresDriver> => {
  const parsed = parseDatabaseAddress(address)
  if (parsed.kind === 'file') throw new Error(`${address} is a file`)
  return connect(parsed.address)
}

/** What PostgreSQL has beside the tables of the schema, and columns that number rows as SQLite does by itself. */
const ownTables = [
  'audit_counter',
  'device_count_changes',
  'device_fault_changes',
  'device_tags',
  'rate_limits',
  'cardwire_migrations',
]
const ownColumn = 'rowid'
/** What SQLite has in a separate table. */
const ownIndexes = ['devices_hostname_parts', 'devices_username_parts']

const tables = Object.values(schema).filter((table) => is(table, SQLiteTable))
const read = async (driver: Driver, sql: string) =>
  (await driver.run({ sql, params: [] })).map((row) => row.map(String).join(' '))

/** The schema of a fresh SQLite database: one line for each column, key, reference and index. */
async function describeSqlite(): Promise<readonly string[]> {
  const driver = openBetterSqlite3(join(folder, 'fresh.sqlite'))
  await applyMigrations(driver)
  const lines: string[] = []
  for (const { name } of tables.map(getTableConfig)) {
    lines.push(
      ...(await read(
        driver,
        `select 'column', '${name}', name, case when "notnull" or pk then 'required' else 'optional' end,
          case when dflt_value is null then '' else 'has default' end,
          case when hidden > 1 then 'generated' else '' end from pragma_table_xinfo('${name}')`,
      )),
      ...(await read(
        driver,
        `select 'key', '${name}', group_concat(name, ',' order by pk) from pragma_table_info('${name}') where pk`,
      )),
      ...(await read(
        driver,
        `select 'reference', '${name}', group_concat("from", ',' order by seq), "table", group_concat("to", ',' order by seq),
          lower(on_delete) from pragma_foreign_key_list('${name}') group by id, "table", on_delete`,
      )),
      ...(await read(
        driver,
        `select case when list."unique" then 'unique' else 'index' end, '${name}',
          (select group_concat(name, ',' order by seqno) from pragma_index_info(list.name))
          from pragma_index_list('${name}') as list where origin <> 'pk'`,
      )),
    )
  }
  driver.close()
  return lines.toSorted()
}

/** The same of a PostgreSQL database. */
async function describePostgres(driver: Driver): Promise<readonly string[]> {
  const listColumns = (table: string, numbers: string) =>
    `(select string_agg(attname, ',' order by place) from unnest(${numbers}) with ordinality as key(number, place)
      join pg_attribute on attrelid = ${table} and attnum = number)`
  const isCompared = `relnamespace = 'public'::regnamespace and relname not in (${ownTables.map((name) => `'${name}'`).join(', ')})`
  const lines = await Promise.all([
    read(
      driver,
      `select 'column', relname, attname, case when attnotnull then 'required' else 'optional' end,
        case when atthasdef and attgenerated = '' then 'has default' else '' end,
        case when attgenerated = '' then '' else 'generated' end
        from pg_attribute join pg_class on pg_class.oid = attrelid
        where ${isCompared} and relkind = 'r' and attnum > 0 and attname <> '${ownColumn}'`,
    ),
    read(
      driver,
      `select 'key', relname, ${listColumns('pg_class.oid', 'conkey')}
        from pg_constraint join pg_class on pg_class.oid = conrelid where ${isCompared} and contype = 'p'`,
    ),
    read(
      driver,
      `select 'reference', relname, ${listColumns('conrelid', 'conkey')}, confrelid::regclass, ${listColumns('confrelid', 'confkey')},
        case confdeltype when 'c' then 'cascade' when 'r' then 'restrict' else 'no action' end
        from pg_constraint join pg_class on pg_class.oid = conrelid where ${isCompared} and contype = 'f'`,
    ),
    read(
      driver,
      `select case when indisunique then 'unique' else 'index' end, relname, ${listColumns('indrelid', 'indkey::smallint[]')}
        from pg_index join pg_class on pg_class.oid = indrelid
        where ${isCompared} and relkind = 'r' and not indisprimary
          and indexrelid::regclass::text not in (${ownIndexes.map((name) => `'${name}'`).join(', ')})`,
    ),
  ])
  return lines
    .flat()
    .filter((line) => !line.endsWith(` ${ownColumn}`))
    .toSorted()
}

test('a fresh database has the columns, keys, references and indexes of one of SQLite', async () => {
  const driver = await open(await server.createDatabase())
  await applyMigrations(driver)

  expect(await describePostgres(driver)).toEqual(await describeSqlite())
  expect(await hasNameIndexes(driver)).toBe(true)
  await driver.close()
})

test('every text is compared by its bytes, every number has 64 bits', async () => {
  const driver = await open(await server.createDatabase())
  await applyMigrations(driver)
  const types = await read(
    driver,
    `select distinct format_type(atttypid, atttypmod), coalesce(collname, '')
      from pg_attribute join pg_class on pg_class.oid = attrelid left join pg_collation on pg_collation.oid = attcollation
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and relname not in ('cardwire_migrations', 'rate_limits')`,
  )

  expect(types.toSorted()).toEqual(['bigint ', 'boolean ', 'text C'])
  await driver.close()
})

test('every unique constraint has the name by which its violation is found', async () => {
  const driver = await open(await server.createDatabase())
  await applyMigrations(driver)
  const names = await read(
    driver,
    "select conname from pg_constraint where contype in ('p', 'u') and connamespace = 'public'::regnamespace",
  )

  expect(names).toEqual(expect.arrayContaining(listUniqueConstraints().map(([name]) => name)))
  await driver.close()
})

test('a database that a later version has migrated is refused, by nodes and by Workers', async () => {
  proves('database-of-later-version')
  const driver = await open(await server.createDatabase())
  await applyMigrations(driver)
  const known = { table: 'cardwire_migrations', names: postgresMigrations } as const
  await checkMigrations(driver, known)
  const sql = "insert into cardwire_migrations (name) values ('9999_later.sql')"
  await driver.run({ sql, params: [] })

  for (const start of [() => applyMigrations(driver), () => checkMigrations(driver, known)])
    await expect(start()).rejects.toThrow(/a later version of the service .*9999_later\.sql/)
  await driver.close()
})

test('a database account that may not create pg_trgm gets all tables, and a search that finds the same', async () => {
  proves('device-filters')
  const address = new URL(await server.createDatabase())
  const owner = await open(String(address))
  for (const sql of [
    "create role limited login password 'a-password'",
    'grant usage, create on schema public to limited',
  ])
    await owner.run({ sql, params: [] })
  const limited = await open(
    String(Object.assign(new URL(address), { username: 'limited', password: 'a-password' })),
  )
  await applyMigrations(limited)
  expect([await hasNameIndexes(limited), await hasNameIndexes(owner)]).toEqual([false, false])
  expect(await read(limited, "select 1 from pg_extension where extname = 'pg_trgm'")).toEqual([])
  await limited.run({
    sql: `insert into devices (id, fingerprint, key, version, platform, device, "user", blocked, approved, registrations,
      registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, faults)
      values ('one', 'one', '{}', '4.0.0', 'UNIX', '{"hostname":"Till_7.example"}', '{}', false, true, 1, 1, 1, 1, 1, 1, 1, '[]')`,
    params: [],
  })
  const find = async (q: string) => {
    const paging = { page: 1, size: 10, silentBefore: 0, implicitVersions: false }
    return (await findDevicePage(createReader(limited), { q }, paging)).ids
  }
  expect([await find('L_7.EX'), await find('l%7'), await find('l_7')]).toEqual([
    ['one'],
    [],
    ['one'],
  ])
  await Promise.all([owner.close(), limited.close()])
})

test('nodes that start together apply each migration once', async () => {
  const address = await server.createDatabase()
  const drivers = await Promise.all(Array.from({ length: 6 }, () => open(address)))
  await Promise.all(drivers.map(applyMigrations))
  const [first] = drivers
  await first?.run({ sql: "insert into quotas values ('kept', 1, 1)", params: [] })
  await Promise.all(drivers.map(applyMigrations))

  expect(await first?.run({ sql: 'select subject from quotas', params: [] })).toEqual([['kept']])
  expect(await first?.run({ sql: 'select name from cardwire_migrations', params: [] })).toEqual([
    ['0000_initial.sql'],
    ['0001_fleet_days.sql'],
    ['0002_administration.sql'],
    ['0003_device_search.sql'],
    ['0004_login_limits.sql'],
    ['0005_revisions.sql'],
    ['0006_device_names.sql'],
    ['0007_password_changes.sql'],
    ['0008_recovery_codes.sql'],
    ['0009_sign_ins.sql'],
    ['0010_device_changes.sql'],
    ['0011_device_counts.sql'],
    ['0012_quotas_by_day.sql'],
    ['0013_authors_of_device_changes.sql'],
    ['0014_audit_summarized.sql'],
    ['0015_devices_changed_since.sql'],
    ['0016_rollouts.sql'],
    ['0017_stamped_keys.sql'],
    ['0018_device_tags.sql'],
    ['0019_groups.sql'],
    ['0020_rollout_hours.sql'],
    ['0021_tags_of_device_changes.sql'],
    ['0022_tag_imports.sql'],
    ['0023_approvals.sql'],
    ['0024_api_clients.sql'],
    ['0025_device_fault_counts.sql'],
    ['0026_webhooks.sql'],
    ['0027_gateway_keys.sql'],
    ['0028_unique_devices.sql'],
    ['0029_evidence_of_faults.sql'],
  ])
  await Promise.all(drivers.map(({ close }) => close()))
})
