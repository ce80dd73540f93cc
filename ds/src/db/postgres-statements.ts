/** How statements and batches run on a connection to PostgreSQL, and how the values of their rows are read. */
import type pg from 'pg'
import type { Row, Statement } from './database.ts'
import { toPostgresText, toPostgresValue } from './dialect.ts'
import { PostgresError } from './postgres-error.ts'

/** How often a batch is tried that lost to another one. */
const maxAttempts = 5

/**
 * Every batch that writes into the audit waits here for the one before: under SQLite all writers do, and what they check
 * before they write relies on it. A row, and no advisory lock, which some servers of the same protocol ignore.
 */
const lockAudit: Statement = { sql: 'select last from audit_counter for update', params: [] }

/** All of the statements, or none. */
export async function runBatch(
  client: pg.ClientBase,
  statements: readonly Statement[],
  toQuery: ToQuery,
): Promise<readonly (readonly Row[])[]> {
  const first = statements.some(writesAudit) ? [lockAudit] : []
  const queries = [...first, ...statements].map(toQuery)
  // All are given at once, and with a pipeline answered in one round trip: after one that fails, the server refuses the
  // others and takes the last one for a rollback.
  const [, ...results] = await settleInOrder<{ rows: Row[] }>([
    client.query('begin'),
    ...queries.map((query) => client.query<Row[]>(query)),
    client.query('commit'),
  ])
  return results.slice(first.length, -1).map(({ rows }) => rows)
}

/** Runs a batch, again when it lost to another one: it has changed nothing then. */
export async function retryBatch<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === maxAttempts || !(error instanceof PostgresError && error.mayRetry))
        throw error
    }
  }
}

/** The promises' values; after one that rejects, all are awaited still, and the first rejection is thrown. */
async function settleInOrder<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

const writesAudit = ({ sql }: Statement) => sql.startsWith('insert into "audit"')

/** How the values of a row are read, by the number of their type (`select oid, typname from pg_type`); others as text. */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<
  number,
  (text: string) => unknown
>([
  // As SQLite has them: drizzle takes a 1 for true.
  [16, (text) => (text === 't' ? 1 : 0)],
  ...[20, 21, 23, 700, 701, 1700].map((oid) => [oid, Number] as const),
])

/** The service has few different statements; the limit is for the case that it has not. */
const maxCached = 500

export type ToQuery = (statement: Statement) => pg.QueryArrayConfig

/** A statement as pg runs it: prepared under a name, once in each connection; or without a name. */
export function createStatementCache({ withNames = true } = {}): ToQuery {
  const cached = new Map<string, { readonly name?: string; readonly text: string }>()
  return ({ sql, params }) => {
    const values = params.map(toPostgresValue)
    const found = cached.get(sql)
    if (found) return { ...found, values, rowMode: 'array' }
    const text = toPostgresText(sql)
    if (cached.size >= maxCached) return { text, values, rowMode: 'array' }
    const query = withNames ? { name: `s${cached.size}`, text } : { text }
    cached.set(sql, query)
    return { ...query, values, rowMode: 'array' }
  }
}

export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => parsers.get(oid) ?? String,
}
