/** The service's code as the simulation uses it: the one file that imports it. */
import { createApp } from '../../ds/src/app.ts'
import { assembleServices } from '../../ds/src/assemble.ts'
import type { Driver } from '../../ds/src/db/database.ts'
import type { Packages } from '../../ds/src/packages/packages.ts'
import type { Background, Limits, Log } from '../../ds/src/ports.ts'
import { readSettings } from '../../ds/src/settings.ts'
import type { SeededRandom } from '../bed/random.ts'

export type { Driver, Row, Statement } from '../../ds/src/db/database.ts'
export { createGroupCommit } from '../../ds/src/db/group-commit.ts'
export { openNodeSqlite } from '../../ds/src/db/node-sqlite.ts'
export type { Log as ServiceLog } from '../../ds/src/ports.ts'
export { createBackground } from '../../ds/src/self-hosted/background.ts'
export { applyMigrations } from '../../ds/src/self-hosted/migrations.ts'

export interface ServiceOptions {
  readonly url: string
  readonly driver: Driver
  readonly clock: () => number
  readonly random: SeededRandom
  readonly log: Log
  readonly limits: Limits
  /** Seconds. */
  readonly cycleS: number
  readonly keyOverlapS: number
  /** Absent: requests wait for all that they begin, as on Workers. */
  readonly runInBackground?: Background
}

/** The password of administrators, as it were: whoever sends this is one. */
export const administratorToken = 'administrator'

const noFiles: Packages = {
  maxBytes: 0,
  find: async () => undefined,
  list: async () => [],
  store: async () => undefined,
  remove: async () => undefined,
}

/** A process of the service over a database that is there already. */
export async function startService(
  options: ServiceOptions,
): Promise<(request: Request) => Promise<Response>> {
  const { cycleS, keyOverlapS, ...brought } = options
  const services = await assembleServices({
    ...brought,
    uptime: options.clock,
    settings: { ...readSettings({}), cycleS, keyOverlapS },
    secret: new Uint8Array(32).fill(7),
    packages: noFiles,
    keystores: noFiles,
    getPeerAddress: () => '192.0.2.1',
    postWebhook: async () => ({ reason: 'connection-failed' }),
    passwords: { hash: async () => '', verify: async () => false },
  })
  const administrator = { name: 'root', subject: 'root', issuer: null, session: undefined }
  const app = createApp({
    ...services,
    identity: {
      identify: async (token) => ({
        ...administrator,
        role: token === administratorToken ? 'administrator' : undefined,
      }),
    },
  })
  // As every start does: a secret that is not the one of this database shows here.
  await services.keyring.list('application')
  return async (request) => app.fetch(request)
}
