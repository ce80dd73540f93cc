/** The real app in this process, over a real database file, with a clock that the test turns. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { assemble, type Runtime } from '../../src/assemble.ts'
import { ensureAdministrator } from '../../src/auth/embedded.ts'
import { betterSqlite3 } from '../../src/db/better-sqlite3.ts'
import { filePackages } from '../../src/local/files.ts'
import { memoryLimits } from '../../src/local/limits.ts'
import { applyMigrations } from '../../src/local/migrations.ts'
import type { Services } from '../../src/services.ts'
import { readSettings } from '../../src/settings.ts'
import { type Answer, type Ask, administrator, parsed, passwordGrant } from './service.ts'

export interface InProcess {
  readonly services: Services
  /** Milliseconds since 1970, as the service sees them. */
  now: number
  readonly url: string
  /** The same time, for a device. */
  clock(): number
  ask(method: string, path: string, options?: Ask): Promise<Answer>
  login(): Promise<string>
  stop(): Promise<void>
}

const url = 'https://ds.example'

/** `settings` as the environment has them; `replace` may change what was assembled, `brought` what it is made of. */
export async function startInProcess(
  settings: Readonly<Record<string, string>> = {},
  replace: (services: Services) => Services = (services) => services,
  brought: Partial<Runtime> = {},
): Promise<InProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-ds-'))
  const driver = betterSqlite3(join(folder, 'ds.sqlite'))
  await applyMigrations(driver)
  const state = { now: Date.UTC(2026, 0, 1) }
  const silent = () => undefined
  const services = replace(
    await assemble({
      settings: readSettings(settings),
      url,
      driver,
      secret: new Uint8Array(randomBytes(32)),
      clock: () => state.now,
      log: { info: silent, warn: silent, error: silent },
      packages: filePackages(folder),
      limits: memoryLimits(readSettings(settings).tokenLimit),
      viewer: { file: async () => new Uint8Array() },
      peer: (context) => context.req.header('x-test-peer') ?? '192.0.2.1',
      ...brought,
    }),
  )
  await ensureAdministrator(services, administrator.name, administrator.password)
  const app = createApp(services)

  const ask: InProcess['ask'] = async (method, path, { token, headers, body, form, from } = {}) => {
    const sent = new Headers(headers)
    if (token !== undefined) sent.set('authorization', `Bearer ${token}`)
    if (from !== undefined) sent.set('x-test-peer', from)
    if (body !== undefined && !sent.has('content-type'))
      sent.set('content-type', 'application/json')
    if (form) sent.set('content-type', 'application/x-www-form-urlencoded')
    const text = form
      ? new URLSearchParams(form).toString()
      : body === undefined
        ? null
        : typeof body === 'string'
          ? body
          : JSON.stringify(body)
    const response = await app.fetch(
      new Request(new URL(path, url), { method, headers: sent, body: text }),
    )
    const answer = await response.text()
    const { status, headers: received } = response
    return { status, headers: received, text: answer, json: parsed(answer) }
  }

  return {
    services,
    url,
    clock: () => state.now,
    get now() {
      return state.now
    },
    set now(time) {
      state.now = time
    },
    ask,
    async login() {
      const path = '/auth/realms/cardwire/protocol/openid-connect/token'
      return (await ask('POST', path, { form: passwordGrant })).json.access_token
    },
    async stop() {
      driver.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
