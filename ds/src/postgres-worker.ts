/** The service on Cloudflare Workers with PostgreSQL, through Hyperdrive. */
import { type Bindings, createWorker } from './create-worker.ts'
import { createHyperdriveDriver } from './db/hyperdrive.ts'
import { postgresMigrations } from './db/known-migrations.ts'

/** The bindings of ds/wrangler.postgres.toml. */
interface Env extends Bindings {
  readonly DATABASE: Hyperdrive
}

export default createWorker(({ DATABASE }: Env) => {
  const driver = createHyperdriveDriver(DATABASE)
  const migrations = { table: 'cardwire_migrations', names: postgresMigrations } as const
  return { driver, migrations, serve: driver.serve }
}) satisfies ExportedHandler<Env>
