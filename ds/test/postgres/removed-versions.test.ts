/** The histories of removed versions in a database of PostgreSQL. */
import { afterAll, beforeAll } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { parseDatabaseAddress } from '../../src/rules/database-address.ts'
import { applyMigrations } from '../../src/self-hosted/migrations.ts'
import { removedVersionSuite } from '../harness/removed-versions.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server?.remove())

removedVersionSuite(async () => {
  const address = parseDatabaseAddress(await server.createDatabase())
  if (address.kind === 'file') throw new Error('Cannot open a file')
  const driver = openPostgres(address.address)
  await applyMigrations(driver)
  return driver
})
