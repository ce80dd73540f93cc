/** Makes a database with a simulated fleet, to try the admin console with. */
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createBinder } from '@cardwire/protocol/hono'
import Sqlite from 'better-sqlite3'
import { webRandom } from '../../assemble.ts'
import { createAuthorizer } from '../../auth/authorize.ts'
import { ensureFirstAdministrator } from '../../auth/identity/first-administrator.ts'
import { generatePassword } from '../../auth/identity/generate-password.ts'
import { openBetterSqlite3 } from '../../db/better-sqlite3.ts'
import { counters, devices, downloads, fleetDays, refusals, sessions } from '../../db/schema.ts'
import { createBaseApp } from '../../http/base-app.ts'
import { createAuditedBind } from '../../http/bind.ts'
import type { Log } from '../../ports.ts'
import { bindApiClientRoutes } from '../../routes/api-clients.ts'
import { bindConfigurationRoutes } from '../../routes/configurations.ts'
import { bindLabelRoutes } from '../../routes/labels.ts'
import { bindOrganizationRoutes } from '../../routes/organizations.ts'
import { bindVersionRoutes } from '../../routes/versions.ts'
import { createSelfHostedServices } from '../../self-hosted/prepare.ts'
import { toSecretPath } from '../../self-hosted/secret-file.ts'
import { StartError } from '../../self-hosted/start-error.ts'
import type { Services } from '../../services.ts'
import { readSettings } from '../../settings.ts'
import { createAllowedOriginsReader } from '../../sync/allowed-origins.ts'
import { createCatalogReader } from '../../sync/catalog.ts'
import { requireUnused } from '../exclusive-database.ts'
import { createDemoDevice } from './fleet.ts'
import { createCounters, createDownloads, createFleetDays, createRefusals } from './past.ts'
import { makePrograms, makeReleases, type Send } from './releases.ts'

/** The `application_id` of such a database (sqlite.org/pragma.html#pragma_application_id): "Demo" in ASCII. */
const demoId = 0x44656d6f

/** The URL of the service while the command is the service. */
const url = 'http://127.0.0.1'

const administrator = 'admin'

/** How many rows a statement stores: each has up to twenty of the 32,766 parameters that SQLite takes. */
const rowsPerStatement = 1000

/** Resolves with the password of the administrator `admin`. Replaces a demo that is in the file; throws a StartError for anything else. */
export async function makeDemo(file: string, size: number): Promise<string> {
  await removeDemo(file)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  markAsDemo(file)
  const driver = openBetterSqlite3(file)
  try {
    const settings = readSettings({
      DS_DATABASE: file,
      DS_PACKAGES_DIR: join(dirname(file), 'packages'),
      // With it, the demo is started with the same settings.
      ...(process.env['DS_SECRET'] !== undefined && { DS_SECRET: process.env['DS_SECRET'] }),
    })
    const services = await createSelfHostedServices({
      settings,
      url,
      driver,
      log: silentLog,
      getPeerAddress: () => '127.0.0.1',
    })
    const password = generatePassword(webRandom)
    await ensureFirstAdministrator(services, administrator, password)
    const send = await createSender(services, password)
    const labels = await makeReleases(send)
    await makePrograms(send)
    // Its administrator sees only sessions that they began.
    await services.db.delete(sessions)
    await fill(services, labels, size)
    return password
  } finally {
    await driver.close()
  }
}

const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

async function removeDemo(file: string): Promise<void> {
  const secret = toSecretPath(file)
  if (!existsSync(file)) {
    if (!existsSync(secret)) return
    throw new StartError(`Cannot make a demo in "${file}": "${secret}" is the secret of a database`)
  }
  if (!isDemo(file))
    throw new StartError(
      `Cannot make a demo in "${file}": the file is not a demo, and was not changed. Use a different file name`,
    )
  requireUnused(file)
  for (const path of [file, `${file}-wal`, `${file}-shm`, secret]) await rm(path, { force: true })
}

function isDemo(file: string): boolean {
  try {
    return (
      withFile(file, (connection) => connection.pragma('application_id', { simple: true })) ===
      demoId
    )
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return false
    throw error
  }
}

const markAsDemo = (file: string) =>
  withFile(file, (connection) => connection.pragma(`application_id = ${demoId}`))

function withFile<T>(file: string, act: (connection: Sqlite.Database) => T): T {
  const connection = new Sqlite(file)
  try {
    return act(connection)
  } finally {
    connection.close()
  }
}

/** The part of the service that stores what administrators make. Its whole has pages, which need a build. */
function createManagementApp(services: Services) {
  const app = createBaseApp(services, createAllowedOriginsReader(services))
  const authorize = createAuthorizer(services, (_operation, _device, work) => work())
  const bind = createAuditedBind(createBinder(app, authorize), services)
  bindVersionRoutes(bind, services, createCatalogReader(services))
  bindConfigurationRoutes(bind, services)
  bindOrganizationRoutes(bind, services)
  bindLabelRoutes(bind, services)
  bindApiClientRoutes(bind, services)
  return app
}

/** Sends operations to the service itself, with everything that it checks, stores and records. */
async function createSender(services: Services, password: string): Promise<Send> {
  const app = createManagementApp(services)
  const { embedded } = services.identity
  if (!embedded) throw new Error('Cannot make a demo: the provider is not the embedded one')
  const credentials = { name: administrator, password }
  const { access_token } = await embedded.login(credentials, {
    address: '127.0.0.1',
    requestId: randomUUID(),
  })
  return async ({ method, path }, body, query = '') => {
    const response = await app.request(`${url}${path}${query}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`Cannot make the demo: ${method} ${path}: ${text}`)
    return JSON.parse(text).data.id
  }
}

async function fill(
  { db, clock }: Services,
  labels: readonly string[],
  size: number,
): Promise<void> {
  const now = clock()
  const random = () => ({ id: randomUUID(), fingerprint: randomBytes(32).toString('base64url') })
  for (let from = 0; from < size; from += rowsPerStatement) {
    const length = Math.min(rowsPerStatement, size - from)
    const part = Array.from({ length }, (_, at) => createDemoDevice(from + at, now, random()))
    await db.insert(devices).values(part)
  }
  for (const part of split(createFleetDays(size, now))) await db.insert(fleetDays).values(part)
  for (const part of split(createCounters(labels, size, now)))
    await db.insert(counters).values(part)
  for (const part of split(createDownloads(size, now))) await db.insert(downloads).values(part)
  await db.insert(refusals).values(createRefusals(now, random))
}

const split = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / rowsPerStatement) }, (_, at) =>
    rows.slice(at * rowsPerStatement, (at + 1) * rowsPerStatement),
  )
