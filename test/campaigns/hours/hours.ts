/** Hours of the service and its connectors on a clock that jumps from event to event, over real files. */
import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../../bed/random.ts'
import { type ConnectorLog, openLog } from '../../simulation/connector-code.ts'
import { createEventQueue } from '../../simulation/event-queue.ts'
import { replaceWebCrypto } from '../../simulation/web-crypto.ts'
import { createClockRunner } from './clock-runner.ts'
import { createTampering, type FaultName } from './faults.ts'
import { createMachine } from './fleet.ts'
import { checkLogFolder } from './log-folder.ts'
import { checkHeap, checkUses, measure, printSizes } from './measure.ts'
import { createPages, requestsPerVisit } from './pages.ts'
import { cycleMs, keyOverlapMs, planHours } from './plan.ts'
import { createResults, type Results } from './results.ts'
import { createRotations } from './rotations.ts'
import { openService } from './service.ts'
import { setUp } from './set-up.ts'
import { checkDatabase, printDatabase } from './tables.ts'

export interface HoursOptions {
  readonly hours: number
  readonly seed: number
  readonly machines: number
  readonly visitsPerHour: number
  /** Put in on purpose. */
  readonly fault?: FaultName
}

const [hourMs, dayMs] = [3_600_000, 86_400_000]
/** Clocks of machines differ from that of the service by this. */
const maxOffsetMs = 180_000
/** Bytes of lines that the log gets: more than it keeps. */
const loggedBytes = 16 * 1024 * 1024
const maxLineLength = 8000

export async function runHours(options: HoursOptions): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), 'cardwire-hours-'))
  const random = createRandom(options.seed)
  const putBack = replaceWebCrypto(() => random)
  const results = createResults()
  const closing: (() => void)[] = []
  try {
    await runIn(folder, options, results, random, closing)
  } finally {
    for (const close of closing) close()
    putBack()
    rmSync(folder, { recursive: true, force: true })
  }
  return results
}

async function runIn(
  folder: string,
  { hours, machines: count, visitsPerHour, fault }: HoursOptions,
  results: Results,
  random: ReturnType<typeof createRandom>,
  closing: (() => void)[],
): Promise<void> {
  const lastedMs = hours * hourMs
  // Midnight, when quotas end and counters begin new rows, lies in the hours.
  const startAt = Date.UTC(2026, 10, 24) - Math.round(0.4 * Math.min(lastedMs, 12 * hourMs))
  const endAt = startAt + lastedMs
  const queue = createEventQueue(startAt)
  const runner = createClockRunner(queue, results)
  const tampering = createTampering(fault)
  const logs = join(folder, 'logs')
  const log = reportingWarnings(
    openLog(logs, 'api', { level: 'info', console: false, clock: queue }),
    results,
  )
  const service = await openService({
    ...{ folder, queue, random, results, cycleS: cycleMs / 1000 },
    ...{ keyOverlapS: keyOverlapMs / 1000, changeSql: tampering.changeSql },
  })
  closing.push(service.close)
  const setup = await runner.settle(setUp(service, random))
  const { version, installationKey, fingerprints, labels } = setup
  const machines = Array.from({ length: count }, (_, index) =>
    createMachine({
      ...{ index, folder, queue, random, results, service, log, tampering, cycleMs },
      ...{ version, installationKey, fingerprints },
      clockOffsetMs: random.integer(-maxOffsetMs, maxOffsetMs),
    }),
  )
  for (const { close } of machines) closing.push(close)
  const lineBytes = Math.ceil(loggedBytes / (visitsPerHour * hours * requestsPerVisit))
  const pages = createPages({
    ...{ queue, random, results, service, labels, machines, log, tampering, endAt },
    lineLength: Math.min(maxLineLength, lineBytes),
  })
  const [label] = labels
  const keys = createRotations({
    ...{ queue, results, service, machines, pages, label, cycleMs, runner },
  })
  const visitMs = Math.round(hourMs / visitsPerHour)
  const rotations = planHours({
    ...{ queue, random, runner, machines, pages, keys, setup, lastedMs, visitMs },
  })

  await runner.run(startAt + lastedMs / 2)
  const before = measure(queue.now(), service.databaseFile)
  await runner.run(endAt)
  for (const machine of machines) machine.inspect()
  // The last uses come with the next synchronization.
  await runner.run(endAt + 1.2 * cycleMs)
  tampering.spoil({ logs, execute: (sql) => execute(service.databaseFile, sql) })

  const after = measure(queue.now(), service.databaseFile)
  const facts = {
    ...{ machines: count, versions: 1, labels: labels.length, rotations },
    days: Math.floor(after.at / dayMs) - Math.floor(startAt / dayMs) + 1,
    changes: setup.changes() + rotations.reply + rotations.application,
    kindsOfUses: pages.kindsOfUses(),
  }
  checkDatabase(before.database, after.database, facts, results)
  checkUses(service.databaseFile, pages.uses(), results)
  checkHeap(before, after, results)
  const logFolder = checkLogFolder(logs, pages.lines(), results)
  const betweenMs = after.at - before.at
  results.addTable(
    'Rows of the service, in the middle and at the end',
    printDatabase(before.database, after.database, betweenMs),
  )
  results.addTable('Sizes, in the middle and at the end', printSizes(before, after, logFolder))
}

/** Nothing goes wrong in these hours: what a connector warns of is a defect. */
const reportingWarnings = (log: ConnectorLog, results: Results): ConnectorLog => {
  const reporting =
    (write: ConnectorLog['warn']): ConnectorLog['warn'] =>
    (event, fields) => {
      results.check('no-defect', false, () => `a connector warned: ${event}`)
      write(event, fields)
    }
  return { ...log, warn: reporting(log.warn), error: reporting(log.error) }
}

function execute(file: string, sql: string): void {
  const database = new Database(file)
  database.run(sql)
  database.close()
}
