/** The database driver of PostgreSQL, for several nodes of the service on one database: pg. */
import pg from 'pg'
import type { PostgresAddress } from '../rules/database-address.ts'
import type { Driver, Row, Statement } from './database.ts'
import { postgres, toPostgresText, toPostgresValue } from './dialect.ts'
import { PostgresError, toPostgresError } from './postgres-error.ts'

/** Runs the text of one or more statements in the transaction that it belongs to. */
export type RunText = (text: string, params?: readonly unknown[]) => Promise<readonly Row[]>

export interface PostgresDriver extends Driver {
  /** Runs `act` in a transaction of a connection of its own, however long that takes. */
  transaction<T>(act: (run: RunText) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * Of one node. Each is a process of the server, which has a hundred by default. Lists and sums of administrators have some of
 * their own, so that however many of them take long, requests of devices find a connection.
 */
export const maxConnections = { requests: 8, lists: 2 }
/** Also for a connection of the pool to become free. */
const connectTimeoutMs = 5000
/** The longest that a statement may take: the server ends it, and when the server is gone, so does this end. */
const statementTimeoutMs = 15_000
const answerTimeoutMs = statementTimeoutMs + 2000
/** How often a batch is tried that lost to another one. */
const maxAttempts = 5

/**
 * Every batch that writes into the audit waits here for the one before: under SQLite all writers do, and what they check
 * before they write relies on it. A row, and no advisory lock, which some servers of the same protocol ignore.
 */
const lockAudit: Statement = { sql: 'select last from audit_counter for update', params: [] }

export function openPostgres(address: PostgresAddress, rootCertificate?: string): PostgresDriver {
  const config = createConfig(address, rootCertificate)
  const pool = createPool(config, maxConnections.requests)
  const lists = createPool(config, maxConnections.lists)
  const toQuery = createStatementCache()

  const runBatch = (statements: readonly Statement[]) =>
    withClient(pool, async (client) => {
      const first = statements.some(writesAudit) ? [lockAudit] : []
      const queries = [...first, ...statements].map(toQuery)
      // All are sent at once, and answered in one round trip: after one that fails, the server refuses the others and
      // takes the last one for a rollback.
      const [, ...results] = await settleInOrder<{ rows: Row[] }>([
        client.query('begin'),
        ...queries.map((query) => client.query<Row[]>(query)),
        client.query('commit'),
      ])
      return results.slice(first.length, -1).map(({ rows }) => rows)
    })

  const runIn = (one: pg.Pool) => (statement: Statement) =>
    withClient(one, async (client) => (await client.query<Row[]>(toQuery(statement))).rows)

  return {
    dialect: postgres,
    run: runIn(pool),
    read: runIn(lists),
    async batch(statements) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runBatch(statements)
        } catch (error) {
          if (attempt === maxAttempts || !(error instanceof PostgresError && error.mayRetry))
            throw error
        }
      }
    },
    transaction: (act) => runAlone(config, act),
    close: async () => {
      await Promise.all([pool.end(), lists.end()])
    },
  }
}

function createPool(config: pg.ClientConfig, max: number): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    max,
    statement_timeout: statementTimeoutMs,
    query_timeout: answerTimeoutMs,
    idle_in_transaction_session_timeout: answerTimeoutMs,
  })
  // A connection that fails rejects what runs on it, and leaves the pool; nobody else listens.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

async function withClient<T>(
  pool: pg.Pool,
  act: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  try {
    const client = await pool.connect()
    let failure: PostgresError | undefined
    try {
      return await act(client)
    } catch (error) {
      failure = toPostgresError(error)
      throw failure
    } finally {
      // What the server has answered, it survives; else the state of the connection is unknown.
      client.release(failure?.isOfConnection)
    }
  } catch (error) {
    throw toPostgresError(error)
  }
}

/** The promises' values; after one that rejects, all are awaited still, and the first rejection is thrown. */
async function settleInOrder<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

const writesAudit = ({ sql }: Statement) => sql.startsWith('insert into "audit"')

/** A transaction that ends with its connection, where `act` fails. */
async function runAlone<T>(config: pg.ClientConfig, act: (run: RunText) => Promise<T>): Promise<T> {
  const client = new pg.Client(config)
  client.on('error', () => undefined)
  const rethrow = (error: unknown) => {
    throw toPostgresError(error)
  }
  const run: RunText = async (text, params) => {
    // Only without parameters a text may have several statements.
    const query = params === undefined ? { text } : { text, values: [...params] }
    const result = await client.query<Row[]>({ ...query, rowMode: 'array' }).catch(rethrow)
    return result.rows ?? []
  }
  try {
    await client.connect().catch(rethrow)
    await run('begin')
    const result = await act(run)
    await run('commit')
    return result
  } finally {
    await client.end().catch(() => undefined)
  }
}

const createConfig = (
  { host, port, database, user, password, tls }: PostgresAddress,
  rootCertificate: string | undefined,
): pg.ClientConfig => ({
  host,
  port,
  database,
  user,
  password,
  application_name: 'cardwire-ds',
  ssl:
    tls === 'disable' ? false : { ...(rootCertificate !== undefined && { ca: rootCertificate }) },
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  pipeline: true,
  types: { getTypeParser: (oid: number) => parsers.get(oid) ?? String },
})

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
const maxPrepared = 500

/** A statement as pg runs it: prepared under a name, once in each connection. */
function createStatementCache() {
  const cached = new Map<string, { readonly name: string; readonly text: string }>()
  return ({ sql, params }: Statement): pg.QueryArrayConfig => {
    const values = params.map(toPostgresValue)
    const found = cached.get(sql)
    if (found) return { ...found, values, rowMode: 'array' }
    const text = toPostgresText(sql)
    if (cached.size >= maxPrepared) return { text, values, rowMode: 'array' }
    const prepared = { name: `s${cached.size}`, text }
    cached.set(sql, prepared)
    return { ...prepared, values, rowMode: 'array' }
  }
}
