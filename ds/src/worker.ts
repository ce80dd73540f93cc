/** The service on Cloudflare Workers: D1, R2, static assets, rate-limit bindings. */
import { Problem } from '@cardwire/client/protocol'
import { problemResponse } from '@cardwire/client/protocol/hono'
import { createApp } from './app.ts'
import { assemble } from './assemble.ts'
import { ensureAdministrator } from './auth/embedded.ts'
import { d1 } from './db/d1.ts'
import { describeError } from './db/describe-error.ts'
import { createLog } from './log.ts'
import { r2Packages } from './packages/r2.ts'
import type { Log } from './services.ts'
import { readSettings, SettingsError } from './settings.ts'

/** The bindings of wrangler.toml; the settings (`DS_…`) are variables and secrets beside them. */
interface Env {
  readonly DATABASE: D1Database
  readonly PACKAGES: R2Bucket
  readonly VIEWER: Fetcher
  readonly TOKEN_LIMIT: RateLimit
  readonly FAILURE_LIMIT: RateLimit
  readonly LOGIN_LIMIT: RateLimit
}

const log = createLog()

let app: ReturnType<typeof createApp> | undefined

export default {
  async fetch(request: Request, env: Env, execution: ExecutionContext): Promise<Response> {
    try {
      // Made by the first request of an isolate: nothing can be read before one. Kept when it is there, because a
      // promise dies with the request that made it.
      app ??= await start(env, log)
      return await app.fetch(request, env, execution)
    } catch (error) {
      const requestId = crypto.randomUUID()
      log.error('cannot start', { requestId, error: describeError(error) })
      const problem = new Problem(
        'internal',
        `Cannot answer: the service failed, report request ${requestId}`,
      )
      return problemResponse(problem, requestId)
    }
  },
} satisfies ExportedHandler<Env>

/** The period of the rate-limit bindings in wrangler.toml; they do not say when it began. */
const limitPeriodS = 60

async function start(env: Env, log: Log) {
  const settings = readSettings({ ...env })
  const { url, secret } = settings
  if (url === undefined) throw new SettingsError(['DS_URL: needed on Workers'])
  if (secret === undefined) throw new SettingsError(['DS_SECRET: needed on Workers'])
  const limits = { token: env.TOKEN_LIMIT, failure: env.FAILURE_LIMIT, login: env.LOGIN_LIMIT }
  const services = await assemble({
    settings,
    url,
    secret,
    log,
    driver: d1(env.DATABASE),
    packages: r2Packages(env.PACKAGES),
    limits: {
      take: async (name, key) =>
        (await limits[name].limit({ key })).success ? undefined : limitPeriodS,
    },
    viewer: {
      async file(name) {
        const { ok, status, body } = await env.VIEWER.fetch(new URL(`/${name}`, url))
        if (!ok || !body)
          throw new Error(`Cannot find the viewer's "${name}": the assets answered ${status}`)
        return body
      },
    },
    peer: (context) => context.req.header('cf-connecting-ip') ?? '',
  })
  const { adminUser, adminPassword } = settings
  if (services.identity.embedded && adminPassword !== undefined) {
    await ensureAdministrator(services, adminUser, adminPassword)
  }
  return createApp(services)
}
