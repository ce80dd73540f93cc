/** The service suite on Node with PostgreSQL. */
import { afterAll, beforeAll } from 'vitest'
import { type PostgresServer, startPostgres } from '../../test/bed/postgres.ts'
import { createPostgresRuntime } from '../../test/bed/service-runtimes.ts'
import { serviceSuite } from './suites/service.suite.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server?.remove())

serviceSuite(
  'Node with PostgreSQL',
  createPostgresRuntime(() => server.createDatabase()),
)
