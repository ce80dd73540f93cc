/** Starts the service on a machine of one's own, and stops it. */
import { resolve } from 'node:path'
import process from 'node:process'
import type { Context } from 'hono'
import { createApp } from '../app.ts'
import type { FileDriver } from '../db/file-driver.ts'
import { createLog, lineSink } from '../log.ts'
import type { Log, Metrics, Services } from '../services.ts'
import { readSettings, SettingsError } from '../settings.ts'
import { banner } from './banner.ts'
import { lineWriter } from './lines.ts'
import { firstAdministrator, localServices, prepareFolders } from './prepare.ts'
import { StartError, trying } from './start-error.ts'

type Fetch = (request: Request, env: object) => Promise<Response>

/** A server that listens; its port is known then. */
interface Listening {
  readonly port: number
  /** Ends when the requests under way have been answered. */
  close(): Promise<void>
}

/** What Node and Deno do each their own way. */
export interface Host {
  open(file: string): FileDriver
  listen(address: { host: string; port: number }, fetch: Fetch, log: Log): Promise<Listening>
  peer(context: Context): string
  readonly metrics?: Metrics
}

/** How long requests under way may take once the service is told to stop, in milliseconds. */
const patienceMs = 5000

export async function run(host: Host): Promise<void> {
  try {
    await start(host)
  } catch (error) {
    const known = error instanceof SettingsError || error instanceof StartError
    process.stderr.write(
      `${known ? error.message : error instanceof Error ? error.stack : error}\n`,
    )
    process.exit(1)
  }
}

async function start(host: Host): Promise<void> {
  const settings = readSettings(process.env)
  await prepareFolders(settings)
  const database = resolve(settings.database)
  const driver = await trying(`open the database "${database}" (DS_DATABASE)`, () =>
    host.open(database),
  )
  const lines = lineWriter((text) => process.stdout.write(text))
  const log = createLog(lineSink(lines.write))

  // The address is known once the port is taken; a request that comes at once waits until the rest is ready.
  const ready = Promise.withResolvers<ReturnType<typeof createApp>>()
  const server = await trying(
    `listen on ${settings.host} port ${settings.port} (DS_HOST, DS_PORT)`,
    () =>
      host.listen(settings, async (request, env) => (await ready.promise).fetch(request, env), log),
  )
  const url =
    settings.url ??
    `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${server.port}`

  const services: Services = await trying('prepare the database', () =>
    localServices({
      settings,
      url,
      driver,
      log,
      peer: host.peer,
      ...(host.metrics && { metrics: host.metrics }),
    }),
  )
  // A secret that is not the one of this database shows here, not with the first request.
  await trying('read the signing keys', () => services.keyring.list('application'))
  const password = await firstAdministrator(services)
  ready.resolve(createApp(services))

  const stop = async () => {
    setTimeout(() => process.exit(0), patienceMs).unref()
    await server.close()
    driver.close()
    lines.flush()
    process.exit(0)
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  process.stdout.write(banner(services, password))
}
