/** The service suite on workerd with PostgreSQL and R2. */
import { afterAll, beforeAll } from 'vitest'
import { type PostgresServer, startPostgres } from '../../test/bed/postgres.ts'
import { createHyperdriveRuntime } from '../../test/bed/service-runtimes.ts'
import { serviceSuite } from './suites/service.suite.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server?.remove())

serviceSuite(
  'workerd with PostgreSQL',
  createHyperdriveRuntime(() => server.createDatabase()),
  { refusesEarly: false, holds: false },
)
