/** Direct access to the database of a running service, on any engine, for what no request can do. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import type { Json } from '../../../test/bed/service-request.ts'

export interface StoredData {
  /** Runs a statement; `?` stands for each parameter. */
  run(statement: string, ...params: readonly (string | number)[]): Promise<readonly Json[]>
  listTables(): Promise<readonly string[]>
  /** Makes every new entry of the audit fail, until the function that it resolves with is called. */
  refuseAuditEntries(): Promise<() => Promise<unknown>>
}

/** Opens the service's database for as long as `act` takes. */
export const withDatabase = <T>(
  { database, folder }: Pick<DistributionService, 'database' | 'folder'>,
  act: (data: StoredData) => Promise<T>,
): Promise<T> =>
  database.startsWith('postgres:') ? withPostgres(database, act) : withSqlite(folder, act)

/** Everything that is stored but the tables in `except`. */
export async function readContent(data: StoredData, except: readonly string[]): Promise<Json> {
  const names = (await data.listTables()).filter((name) => !except.includes(name))
  const read = async (name: string) => [
    name,
    (await data.run(`select * from "${name}"`)).map((row) => JSON.stringify(row)).toSorted(),
  ]
  return Object.fromEntries(await Promise.all(names.map(read)))
}

/** A change of someone else that waits for a second administrator; its id. */
export async function storeApproval(run: StoredData['run']): Promise<string> {
  const id = crypto.randomUUID().replaceAll('-', '').repeat(2)
  await run(
    `insert into approvals
       (id, operation, params, query, body, reach, max_reach, subject, issuer, name, is_local, sequence, created_at)
     select ?, 'patchVersion', '{"id":"9.9.9"}', '{}', '{"recommended":true}', 2, 2, 'other', 'https://idp.example', 'Other', false, max(sequence), ?
     from audit`,
    ...[id, Date.now()],
  )
  return id
}

async function withSqlite<T>(folder: string, act: (data: StoredData) => Promise<T>): Promise<T> {
  const files = await readdir(folder, { recursive: true })
  for (const file of files.filter((name) => name.endsWith('.sqlite'))) {
    const database = new Sqlite(join(folder, file))
    try {
      database.pragma('busy_timeout = 5000')
      const data = createSqliteData(database)
      if ((await data.listTables()).includes('audit')) return await act(data)
    } finally {
      database.close()
    }
  }
  throw new Error(`Cannot find the database below "${folder}"`)
}

const createSqliteData = (database: Sqlite.Database): StoredData => ({
  async run(statement, ...params) {
    const prepared = database.prepare(statement)
    if (prepared.reader) return prepared.all(...params)
    prepared.run(...params)
    return []
  },
  listTables: async () =>
    database
      .prepare(
        "select name from sqlite_schema where type = 'table' and name not like '\\_%' escape '\\'",
      )
      .pluck()
      .all() as string[],
  async refuseAuditEntries() {
    database.exec(
      "create trigger audit_is_full before insert on audit begin select raise(abort, 'full'); end",
    )
    return async () => database.exec('drop trigger audit_is_full')
  },
})

async function withPostgres<T>(address: string, act: (data: StoredData) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: address, pipeline: true })
  await client.connect()
  try {
    return await act(createPostgresData(client))
  } finally {
    await client.end()
  }
}

const createPostgresData = (client: pg.Client): StoredData => ({
  async run(statement, ...params) {
    let count = 0
    const text = statement.replaceAll('?', () => `$${++count}`)
    return (await client.query(text, [...params])).rows
  },
  async listTables() {
    const { rows } = await client.query(
      "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    )
    // Limits of a minute, and what was migrated, are not the service's data.
    return rows
      .map(({ relname }) => relname)
      .filter((name) => !/^(rate_limits|cardwire_migrations)$/.test(name))
  },
  async refuseAuditEntries() {
    await client.query(`create function refuse_audit() returns trigger language plpgsql as
      $$ begin raise exception 'full'; end $$`)
    await client.query(
      'create trigger audit_is_full before insert on audit for each row execute function refuse_audit()',
    )
    return () => client.query('drop function refuse_audit cascade')
  },
})
