/** The service on Cloudflare Workers with D1. */
import journal from '../../drizzle/meta/_journal.json' with { type: 'json' }
import { type Bindings, createWorker } from './create-worker.ts'
import { createD1Driver } from './db/d1.ts'

/** The bindings of wrangler.toml. */
interface Env extends Bindings {
  readonly DATABASE: D1Database
}

export default createWorker(({ DATABASE }: Env) => ({
  driver: createD1Driver(DATABASE),
  migrations: { table: 'd1_migrations', names: journal.entries.map(({ tag }) => `${tag}.sql`) },
})) satisfies ExportedHandler<Env>
