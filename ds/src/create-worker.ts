/** What the service is on Cloudflare Workers, whatever its database: R2, rate-limit bindings. */
import { createProblemResponse } from '@cardwire/protocol/hono'
import { createApp } from './app.ts'
import { assembleServices, webRandom } from './assemble.ts'
import { ensureFirstAdministrator } from './auth/identity/first-administrator.ts'
import { createScryptPasswords } from './auth/identity/password.ts'
import { limitWorkerPasswords } from './auth/identity/worker-passwords.ts'
import type { Driver } from './db/database.ts'
import { describeError } from './db/describe-error.ts'
import { checkMigrations, type KnownMigrations } from './db/known-migrations.ts'
import { createStorageProblem } from './http/storage-problem.ts'
import { createConsoleSink, createLog } from './log.ts'
import { createR2Packages } from './packages/r2.ts'
import { requireSeparateBuckets } from './packages/separate-buckets.ts'
import { addPages } from './pages/add-pages.ts'
import type { Log } from './ports.ts'
import { registrationSettings } from './rules/new-device-limits.ts'
import { createInternalProblem } from './rules/problems.ts'
import { readSettings, SettingsError } from './settings.ts'
import { createFetchPost } from './webhooks/fetch-webhook.ts'
import { createWebhookRun } from './webhooks/run-webhooks.ts'

/** The bindings of every Worker; the settings (`DS_…`) are variables and secrets beside them. */
export interface Bindings {
  readonly PACKAGES: R2Bucket
  readonly KEYSTORES: R2Bucket
  readonly TOKEN_LIMIT: RateLimit
  /** Absent in a wrangler.toml of an earlier version, where TOKEN_LIMIT limits registrations, too. */
  readonly REGISTRATION_LIMIT?: RateLimit
  readonly FAILURE_LIMIT: RateLimit
  readonly LOGIN_LIMIT: RateLimit
}

interface OpenDatabase {
  readonly driver: Driver
  readonly migrations: KnownMigrations
  /** Surrounds each request, where the database has to know which one it works for. */
  serve?<T>(request: () => Promise<T>): Promise<T>
}

/** `open`: opens the database that a binding names, before it is used. */
export function createWorker<Env extends Bindings>(
  open: (env: Env) => OpenDatabase,
): {
  fetch(request: Request, env: Env, execution: ExecutionContext): Promise<Response>
  scheduled(event: ScheduledController, env: Env, execution: ExecutionContext): Promise<void>
} {
  const log = createLog()
  let database: OpenDatabase | undefined
  let started: Started | undefined

  async function prepare(env: Env, { driver, migrations }: OpenDatabase): Promise<Started> {
    // The first request of an isolate starts the service: a Worker can do nothing before one. The app is kept, not
    // the promise of it, because on Workers a promise ends with the request that made it.
    if (started === undefined) {
      await checkMigrations(driver, migrations)
      started = await start(env, log, driver)
    }
    return started
  }

  function serve<T>(env: Env, act: (started: Started) => Promise<T> | T): Promise<T> {
    database ??= open(env)
    const opened = database
    const { serve: surround = (request) => request() } = opened
    return surround(async () => act(await prepare(env, opened)))
  }

  return {
    async fetch(request, env, execution) {
      try {
        return await serve(env, ({ app }) => app.fetch(request, env, execution))
      } catch (error) {
        const requestId = crypto.randomUUID()
        log.error('cannot start', { requestId, error: describeError(error) })
        const problem = createStorageProblem(error, webRandom) ?? createInternalProblem(requestId)
        return createProblemResponse(problem, requestId)
      }
    },
    // Each minute (triggers in wrangler.toml): nothing else runs without a request.
    scheduled: (_event, env) => serve(env, ({ runWebhooks }) => runWebhooks()),
  }
}

interface Started {
  readonly app: ReturnType<typeof createApp>
  runWebhooks(): Promise<void>
}

/** Requests to one webhook: an invocation of a Worker has a limit for all that it sends, statements included. */
const sendsPerMinute = 20

/** The period of the rate-limit bindings in wrangler.toml, in seconds. A binding does not tell when it ends. */
const limitPeriodS = 60

async function start(env: Bindings, log: Log, driver: Driver): Promise<Started> {
  const settings = readSettings({ ...env })
  const { url, secret, logFormat } = settings
  // The same log from here on: what came before had no settings.
  createLog(createConsoleSink(logFormat))
  if (url === undefined) throw new SettingsError(['DS_URL: needed on Workers'])
  if (secret === undefined) throw new SettingsError(['DS_SECRET: needed on Workers'])
  if (settings.kong !== undefined)
    throw new SettingsError(['DS_GATEWAY: kong is not available on Workers'])
  await requireSeparateBuckets(env.PACKAGES, env.KEYSTORES, webRandom)
  const limits = {
    token: env.TOKEN_LIMIT,
    registration: env.REGISTRATION_LIMIT ?? env.TOKEN_LIMIT,
    failure: env.FAILURE_LIMIT,
    login: env.LOGIN_LIMIT,
  }
  const services = await assembleServices({
    settings,
    url,
    secret,
    log,
    driver,
    postWebhook: createFetchPost(settings),
    passwords: limitWorkerPasswords(createScryptPasswords(webRandom)),
    packages: createR2Packages(env.PACKAGES),
    keystores: createR2Packages(env.KEYSTORES),
    limits: {
      registrationSetting: registrationSettings.binding,
      consume: async (name, key) =>
        // Bindings with one namespace count together what has the same key.
        (await limits[name].limit({ key: `${name} ${key}` })).success ? undefined : limitPeriodS,
      refund: async () => undefined,
    },
    getPeerAddress: (context) => context.req.header('cf-connecting-ip') ?? '',
  })
  const { adminUser, adminPassword } = settings
  if (services.identity.embedded && adminPassword !== undefined) {
    await ensureFirstAdministrator(services, adminUser, adminPassword)
  }
  const runWebhooks = createWebhookRun(services, { maxSends: sendsPerMinute })
  return { app: addPages(createApp(services), services), runWebhooks }
}
