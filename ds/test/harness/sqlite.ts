/** Direct access to the database of a running service, for what no request can do. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { DistributionService } from '../../../.ci/test-bed/distribution-service.ts'
import type { Json } from '../../../.ci/test-bed/service-request.ts'

/** Opens the service's database for as long as `act` takes. */
export async function withDatabase<T>(
  service: DistributionService,
  act: (database: Sqlite.Database) => T,
): Promise<T> {
  const files = await readdir(service.folder, { recursive: true })
  for (const file of files.filter((name) => name.endsWith('.sqlite'))) {
    const database = new Sqlite(join(service.folder, file))
    try {
      database.pragma('busy_timeout = 5000')
      if (listTables(database).includes('audit')) return act(database)
    } finally {
      database.close()
    }
  }
  throw new Error(`Cannot find the database below "${service.folder}"`)
}

/** Everything that is stored but the tables in `except`. */
export const readContent = (database: Sqlite.Database, except: readonly string[]): Json =>
  Object.fromEntries(
    listTables(database)
      .filter((name) => !except.includes(name))
      .map((name) => [name, database.prepare(`select * from "${name}"`).all()]),
  )

const listTables = (database: Sqlite.Database) =>
  database
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not like '\\_%' escape '\\'",
    )
    .pluck()
    .all() as string[]
