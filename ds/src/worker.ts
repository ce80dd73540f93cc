/** The service on Cloudflare Workers with D1. */
import { type Bindings, createWorker } from './create-worker.ts'
import { createD1Driver } from './db/d1.ts'

/** The bindings of wrangler.toml. */
interface Env extends Bindings {
  readonly DATABASE: D1Database
}

export default createWorker(({ DATABASE }: Env) => ({
  driver: createD1Driver(DATABASE),
})) satisfies ExportedHandler<Env>
