/** Applies the migrations on Node and Deno, from the folder that wrangler reads for D1. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { migrate } from 'drizzle-orm/sqlite-proxy/migrator'
import type { Driver } from '../db/database.ts'
import { LaterVersionError, requireKnown } from '../db/known-migrations.ts'
import type { PostgresDriver } from '../db/postgres.ts'
import { migrations } from '../resources.ts'
import { applyPostgresMigrations } from './postgres-migrations.ts'
import { StartError } from './start-error.ts'

const migrationsFolder = fileURLToPath(migrations)

/** Throws a StartError when a later version has migrated the database. */
export async function applyMigrations(driver: Driver | PostgresDriver): Promise<void> {
  try {
    await ('transaction' in driver
      ? applyPostgresMigrations(driver, join(migrationsFolder, 'postgres'))
      : applySqliteMigrations(driver))
  } catch (error) {
    throw error instanceof LaterVersionError ? new StartError(error.message) : error
  }
}

async function applySqliteMigrations(driver: Driver): Promise<void> {
  const db = drizzle(async (sql, params) => ({ rows: [...(await driver.run({ sql, params }))] }))
  const run = async (statements: readonly string[]) => {
    await driver.batch(statements.map((sql) => ({ sql, params: [] })))
  }
  const known = readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis)
  requireKnown(await listApplied(driver), known.map(String))
  await migrate(db, run, { migrationsFolder })
}

/** As drizzle records them: by the time at which each was written, in milliseconds. */
async function listApplied(driver: Driver): Promise<readonly string[]> {
  const run = (sql: string) => driver.run({ sql, params: [] })
  const table = await run(`select name from sqlite_master where name = '__drizzle_migrations'`)
  if (table.length === 0) return []
  return (await run('select created_at from __drizzle_migrations')).map(([time]) => String(time))
}
