/** The service on Cloudflare Workers: D1, R2, rate-limit bindings. */
import { createProblemResponse } from '@cardwire/client/protocol/hono'
import { createApp } from './app.ts'
import { assembleServices } from './assemble.ts'
import { ensureFirstAdministrator } from './auth/identity/first-administrator.ts'
import { createD1Driver } from './db/d1.ts'
import { describeError } from './db/describe-error.ts'
import { createLog } from './log.ts'
import { createR2Packages } from './packages/r2.ts'
import type { Log } from './ports.ts'
import { createInternalProblem } from './rules/problems.ts'
import { readSettings, SettingsError } from './settings.ts'

/** The bindings of wrangler.toml; the settings (`DS_…`) are variables and secrets beside them. */
interface Env {
  readonly DATABASE: D1Database
  readonly PACKAGES: R2Bucket
  readonly TOKEN_LIMIT: RateLimit
  readonly FAILURE_LIMIT: RateLimit
  readonly LOGIN_LIMIT: RateLimit
}

const log = createLog()

let app: ReturnType<typeof createApp> | undefined

export default {
  async fetch(request: Request, env: Env, execution: ExecutionContext): Promise<Response> {
    try {
      // The first request of an isolate starts the service: a Worker can do nothing before one. The app is kept, not
      // the promise of it, because on Workers a promise ends with the request that made it.
      app ??= await start(env, log)
      return await app.fetch(request, env, execution)
    } catch (error) {
      const requestId = crypto.randomUUID()
      log.error('cannot start', { requestId, error: describeError(error) })
      return createProblemResponse(createInternalProblem(requestId), requestId)
    }
  },
} satisfies ExportedHandler<Env>

/** The period of the rate-limit bindings in wrangler.toml, in seconds. A binding does not tell when it ends. */
const limitPeriodS = 60

async function start(env: Env, log: Log) {
  const settings = readSettings({ ...env })
  const { url, secret } = settings
  if (url === undefined) throw new SettingsError(['DS_URL: needed on Workers'])
  if (secret === undefined) throw new SettingsError(['DS_SECRET: needed on Workers'])
  const limits = { token: env.TOKEN_LIMIT, failure: env.FAILURE_LIMIT, login: env.LOGIN_LIMIT }
  const services = await assembleServices({
    settings,
    url,
    secret,
    log,
    driver: createD1Driver(env.DATABASE),
    packages: createR2Packages(env.PACKAGES),
    limits: {
      consume: async (name, key) =>
        (await limits[name].limit({ key })).success ? undefined : limitPeriodS,
      refund: async () => undefined,
    },
    getPeerAddress: (context) => context.req.header('cf-connecting-ip') ?? '',
  })
  const { adminUser, adminPassword } = settings
  if (services.identity.embedded && adminPassword !== undefined) {
    await ensureFirstAdministrator(services, adminUser, adminPassword)
  }
  return createApp(services)
}
