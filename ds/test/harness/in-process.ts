/** The real app in this process, over a real database file, with a clock that the test sets. */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { administrator, passwordGrant, tokenPath } from '../../../test/bed/administrator.ts'
import { silentLog } from '../../../test/bed/log.ts'
import { createServiceClient, type RequestService } from '../../../test/bed/service-request.ts'
import { createApp } from '../../src/app.ts'
import { assembleServices, type Runtime } from '../../src/assemble.ts'
import { ensureFirstAdministrator } from '../../src/auth/identity/first-administrator.ts'
import { openBetterSqlite3 } from '../../src/db/better-sqlite3.ts'
import type { Driver } from '../../src/db/database.ts'
import { addPages } from '../../src/pages/add-pages.ts'
import { createFilePackages } from '../../src/self-hosted/file-packages.ts'
import { createMemoryLimits } from '../../src/self-hosted/memory-limits.ts'
import { applyMigrations } from '../../src/self-hosted/migrations.ts'
import { readDocument } from '../../src/self-hosted/read-document.ts'
import type { Services } from '../../src/services.ts'
import { readSettings } from '../../src/settings.ts'
import { cheapPasswords } from './cheap-passwords.ts'

export interface InProcess {
  readonly services: Services
  /** Of the database, for statements of a test. */
  readonly driver: Driver
  /** Milliseconds since 1970, as the service sees them. */
  now: number
  readonly url: string
  /** The same time, for a device. */
  clock(): number
  readonly request: RequestService
  /** Every route of operations and pages. */
  readonly routes: readonly { readonly method: string; readonly path: string }[]
  login(): Promise<string>
  stop(): Promise<void>
}

const url = 'https://ds.example'

/** `settings` as the environment has them; `replace` may change what was assembled, `brought` what it is made of. */
export async function startInProcess(
  settings: Readonly<Record<string, string>> = {},
  replace: (services: Services) => Services = (services) => services,
  runtimeChanges: Partial<Runtime> = {},
): Promise<InProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-ds-'))
  const keystores = join(folder, 'keystores')
  await mkdir(keystores)
  const driver = openBetterSqlite3(join(folder, 'ds.sqlite'))
  await applyMigrations(driver)
  const state = { now: Date.UTC(2026, 0, 1) }
  const services = replace(
    await assembleServices({
      settings: readSettings(settings),
      url,
      driver,
      secret: new Uint8Array(randomBytes(32)),
      clock: () => state.now,
      uptime: () => state.now,
      log: silentLog,
      passwords: cheapPasswords,
      packages: createFilePackages(folder, 64),
      keystores: createFilePackages(keystores, 64),
      limits: createMemoryLimits(readSettings(settings)),
      postWebhook: async () => ({ reason: 'connection-failed' }),
      readDocument,
      getPeerAddress: (context) => context.req.header('x-test-peer') ?? '192.0.2.1',
      ...runtimeChanges,
    }),
  )
  await ensureFirstAdministrator(services, administrator.name, administrator.password)
  const app = addPages(createApp(services), services)

  const request = createServiceClient(url, 'x-test-peer', async (request) => app.fetch(request))

  return {
    services,
    driver,
    url,
    clock: () => state.now,
    get now() {
      return state.now
    },
    set now(time) {
      state.now = time
    },
    request,
    routes: app.routes,
    login: async () =>
      (await request('POST', tokenPath, { form: passwordGrant })).json.access_token,
    async stop() {
      await driver.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
