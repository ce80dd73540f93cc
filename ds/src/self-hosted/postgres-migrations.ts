/** Applies the migrations for PostgreSQL, each once, however many nodes start at the same time. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Driver } from '../db/database.ts'
import { requireKnown } from '../db/known-migrations.ts'
import type { PostgresDriver, RunText } from '../db/postgres.ts'
import { PostgresError } from '../db/postgres-error.ts'

/** Those of drizzle/postgres that the database lacks, in the order of their names, all of them or none. */
export async function applyPostgresMigrations(
  driver: PostgresDriver,
  folder: string,
): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  await createTable(driver)
  await driver.transaction(async (run) => {
    // Waits for a node that applies them.
    await run('lock table cardwire_migrations in access exclusive mode')
    const applied = await listApplied(run)
    requireKnown(applied, files)
    for (const file of files) {
      if (applied.includes(file)) continue
      await run(await readFile(join(folder, file), 'utf8'))
      await run('insert into cardwire_migrations (name) values ($1)', [file])
    }
  })
}

/** Whether parts of names have an index: the account may not be allowed to create what it needs. */
export async function hasNameIndexes(driver: Driver): Promise<boolean> {
  const sql =
    "select count(*) from pg_indexes where indexname in ('devices_hostname_parts', 'devices_username_parts')"
  const [[count] = []] = await driver.run({ sql, params: [] })
  return Number(count) === 2
}

const listApplied = async (run: RunText) =>
  (await run('select name from cardwire_migrations', [])).map(([name]) => String(name))

/** Creates the table of the migrations. Two nodes that do at once may both find none: for one the table exists then. */
async function createTable(driver: PostgresDriver): Promise<void> {
  const create = () =>
    driver.run({
      sql: 'create table if not exists cardwire_migrations (name text primary key, applied_at timestamptz not null default now())',
      params: [],
    })
  try {
    await create()
  } catch (error) {
    // unique_violation, duplicate_object, duplicate_table.
    if (!(error instanceof PostgresError) || !['23505', '42710', '42P07'].includes(error.state))
      throw error
    await create()
  }
}
