/** Applies the migrations on Node and Deno, from the folder that wrangler reads for D1. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { migrate } from 'drizzle-orm/sqlite-proxy/migrator'
import type { Driver } from '../db/database.ts'
import type { PostgresDriver } from '../db/postgres.ts'
import { migrations } from '../resources.ts'
import { applyPostgresMigrations } from './postgres-migrations.ts'

const migrationsFolder = fileURLToPath(migrations)

export async function applyMigrations(driver: Driver | PostgresDriver): Promise<void> {
  if ('transaction' in driver)
    return applyPostgresMigrations(driver, join(migrationsFolder, 'postgres'))
  const db = drizzle(async (sql, params) => ({ rows: [...(await driver.run({ sql, params }))] }))
  const run = async (statements: readonly string[]) => {
    await driver.batch(statements.map((sql) => ({ sql, params: [] })))
  }
  await migrate(db, run, { migrationsFolder })
}
