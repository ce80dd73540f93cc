/** Starts the service on Node or Deno, and stops it on a signal. */
import { write, writeSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { isatty } from 'node:tty'
import type { Context } from 'hono'
import { createApp } from '../app.ts'
import type { FileDriver } from '../db/file-driver.ts'
import { createLineSink, createLog, formatLogLine, type LogFormat } from '../log.ts'
import { addPages } from '../pages/add-pages.ts'
import type { Log, Metrics } from '../ports.ts'
import type { Services } from '../services.ts'
import { readSettings, SettingsError } from '../settings.ts'
import { type BackgroundWork, createBackground, createSchedule } from './background.ts'
import { formatBanner } from './banner.ts'
import { createLineWriter, type LineWriter } from './line-writer.ts'
import { openDatabase } from './open-database.ts'
import { createFirstAdministrator, createFolders, createSelfHostedServices } from './prepare.ts'
import { printError, printUncaughtErrors, StartError, withStartError } from './start-error.ts'
import { startWebhooks } from './start-webhooks.ts'
import { warnOfUntrustedProxies } from './untrusted-proxies.ts'

type Fetch = (request: Request, env: object) => Promise<Response>

/** A server that listens. */
interface Listening {
  readonly port: number
  /** Resolves when the running requests are answered. */
  close(): Promise<void>
}

/** What differs between Node and Deno. */
export interface Host {
  open(file: string): FileDriver
  listen(address: { host: string; port: number }, fetch: Fetch, log: Log): Promise<Listening>
  getPeerAddress(context: Context): string
  allowLongBody(context: Context): void
  holdResponse(context: Context): void
  readonly metrics?: Metrics
}

/** How long running requests may take after a signal to stop, in milliseconds. */
const shutdownTimeoutMs = 5000

/**
 * How long the last log lines may take, in milliseconds. After that the process kills itself: it cannot exit while a pipe
 * that nobody reads holds one of its threads.
 */
const flushTimeoutMs = 1000

export async function run(host: Host): Promise<void> {
  printUncaughtErrors()
  try {
    await start(host)
  } catch (error) {
    printError(error, error instanceof SettingsError || error instanceof StartError)
    process.exit(1)
  }
}

async function start(host: Host): Promise<void> {
  const settings = readSettings(process.env)
  await createFolders(settings)
  const database = await openDatabase(settings.database, host.open)
  const lines = openOutput(settings.logFormat)
  const log = createLog(createLineSink(lines.write, settings.logFormat))

  const stopping = new AbortController()
  // The service's address is known once it listens; requests that arrive earlier than the app wait for it.
  const ready = Promise.withResolvers<ReturnType<typeof createApp>>()
  const server = await withStartError(
    `listen on ${settings.host} port ${settings.port} (DS_HOST, DS_PORT)`,
    () =>
      host.listen(
        settings,
        async (request, env) => {
          const response = await (await ready.promise).fetch(request, env)
          // A proxy would send its next request on this connection.
          if (stopping.signal.aborted) response.headers.set('connection', 'close')
          return response
        },
        log,
      ),
  )
  const url = settings.url ?? formatAddress(settings.host, server.port)

  const { driver, checkIntegrity } = database
  const background = createBackground(log)
  const services: Services = await withStartError(`prepare ${database.name}`, () =>
    createSelfHostedServices({
      stopping: stopping.signal,
      runInBackground: background.run,
      schedule: createSchedule(background.run, stopping.signal),
      settings,
      url,
      driver,
      log,
      allowLongBody: host.allowLongBody,
      holdResponse: host.holdResponse,
      getPeerAddress: warnOfUntrustedProxies(host.getPeerAddress, { settings, log }),
      ...(checkIntegrity && { checkIntegrity }),
      ...(host.metrics && { metrics: host.metrics }),
    }),
  )
  // Fails here, and not with the first request, when the secret is not the one of this database.
  await withStartError('read the signing keys', () => services.keyring.list('application'))
  const firstAdministrator = await withStartError('create the first administrator', () =>
    createFirstAdministrator(services, isatty(1)),
  )
  ready.resolve(addPages(createApp(services), services))
  const webhooks = startWebhooks(services, background.run)

  const stop = async () => {
    stopping.abort()
    webhooks.stop()
    await wait(settings.drainMs)
    await end(server, background, database, lines)
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  lines.write(formatBanner(services, firstAdministrator))
}

/** The standard output, without `process.stdout`: that ends the process when its reader has gone, and waits for a slow one. */
function openOutput(format: LogFormat): LineWriter {
  const lines = createLineWriter(
    (bytes, callback) => write(1, bytes, 0, bytes.length, null, callback),
    (lost) => formatLogLine(format, 'warning', 'log lines lost', { lines: lost }),
  )
  // Also when the process ends by an error that nobody caught.
  process.once('exit', () => writeRest(lines))
  return lines
}

/** An IPv6 address stands in brackets (RFC 3986 §3.2.2). */
const formatAddress = (host: string, port: number) =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/**
 * Ends the process when the running requests are answered, what they left in the background has ended, and the last log lines are
 * written, or when that takes too long.
 */
async function end(
  server: Listening,
  background: BackgroundWork,
  database: Awaited<ReturnType<typeof openDatabase>>,
  lines: LineWriter,
): Promise<void> {
  const isLate = setTimeout(() => process.exit(0), shutdownTimeoutMs)
  await server.close()
  await background.settle()
  await database.close()
  clearTimeout(isLate)
  const isStuck = setTimeout(() => process.kill(process.pid, 'SIGKILL'), flushTimeoutMs)
  await lines.flush()
  clearTimeout(isStuck)
  process.exit(0)
}

/** Waits for the output only as long as one call of the system. */
function writeRest(lines: LineWriter): void {
  const rest = lines.takeRest()
  if (rest.length === 0) return
  try {
    writeSync(1, rest)
  } catch {
    // Its reader is gone, or does not read.
  }
}
