/** The database driver of PostgreSQL on Cloudflare Workers: Hyperdrive keeps the connections to the server, pg speaks to it. */
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import type { Driver, Row, Statement } from './database.ts'
import { postgres } from './dialect.ts'
import { toPostgresError } from './postgres-error.ts'
import { createStatementCache, retryBatch, runBatch, types } from './postgres-statements.ts'

/** Where Hyperdrive is, for one Worker. */
export type HyperdriveAddress = Pick<
  pg.ClientConfig,
  'host' | 'port' | 'user' | 'password' | 'database'
>

export interface HyperdriveDriver extends Driver {
  /** Serves a request with a client of its own: a Worker cannot use what another request has opened. */
  serve<T>(request: () => Promise<T>): Promise<T>
}

/** Also for Hyperdrive to have a connection free. */
const connectTimeoutMs = 5000
/** Hyperdrive resets what a connection sets: the time that a statement may take belongs to the role (docs/deploy.md). */
const answerTimeoutMs = 17_000

/** The client of a request; none until its first statement, and after a failure of the connection. */
interface RequestClient {
  client?: Promise<pg.Client> | undefined
}

export function createHyperdriveDriver(address: HyperdriveAddress): HyperdriveDriver {
  const requests = new AsyncLocalStorage<RequestClient>()
  // A client of one request prepares nothing twice.
  const toQuery = createStatementCache({ withNames: false })

  async function withClient<T>(act: (client: pg.Client) => Promise<T>): Promise<T> {
    const request = requests.getStore()
    if (!request) throw new Error('Cannot reach the database: no request is served')
    request.client ??= connect(address)
    const { client } = request
    try {
      return await act(await client)
    } catch (error) {
      const failure = toPostgresError(error)
      if (failure.isOfConnection && request.client === client) request.client = undefined
      throw failure
    }
  }

  return {
    dialect: postgres,
    // The runtime closes the client with the request, also after a body that was streamed.
    serve: (request) => requests.run({}, request),
    run: (statement: Statement) =>
      withClient(async (client) => (await client.query<Row[]>(toQuery(statement))).rows),
    batch: (statements) =>
      retryBatch(() => withClient((client) => runBatch(client, statements, toQuery))),
  }
}

async function connect(address: HyperdriveAddress): Promise<pg.Client> {
  const client = new pg.Client({
    ...address,
    // Between a Worker and Hyperdrive nothing is encrypted; Hyperdrive encrypts to the server.
    ssl: false,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
    types,
  })
  // What runs on it is rejected; nobody else listens.
  client.on('error', () => undefined)
  await client.connect()
  return client
}
