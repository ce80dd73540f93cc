/** The database driver of PostgreSQL, for several nodes of the service on one database: pg. */
import pg from 'pg'
import type { PostgresAddress } from '../rules/database-address.ts'
import type { Driver, Row, Statement } from './database.ts'
import { postgres } from './dialect.ts'
import { type PostgresError, toPostgresError } from './postgres-error.ts'
import { createStatementCache, retryBatch, runBatch, types } from './postgres-statements.ts'

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

export function openPostgres(address: PostgresAddress, rootCertificate?: string): PostgresDriver {
  const config = createConfig(address, rootCertificate)
  const pool = createPool(config, maxConnections.requests)
  const lists = createPool(config, maxConnections.lists)
  const toQuery = createStatementCache()

  const runOnce = (statements: readonly Statement[]) =>
    withClient(pool, (client) => runBatch(client, statements, toQuery))

  const runIn = (one: pg.Pool) => (statement: Statement) =>
    withClient(one, async (client) => (await client.query<Row[]>(toQuery(statement))).rows)

  return {
    dialect: postgres,
    run: runIn(pool),
    read: runIn(lists),
    batch: (statements) => retryBatch(() => runOnce(statements)),
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
    // A role or a database may have limits of its own (docs/deploy.md).
    await run('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
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
    tls === 'disable'
      ? false
      : { rejectUnauthorized: true, ...(rootCertificate !== undefined && { ca: rootCertificate }) },
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  pipeline: true,
  types,
})
