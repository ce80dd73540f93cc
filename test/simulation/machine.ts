/** One machine with a connector: its disk, its clock, the user at it, and the processes that come and go. */
import { Database } from 'bun:sqlite'
import type { SeededRandom } from '../bed/random.ts'
import {
  type Connector,
  type ConnectorLog,
  type HttpTransport,
  type PersistedState,
  type PrivateFiles,
  startConnector,
} from './connector-code.ts'
import type { EventQueue } from './event-queue.ts'
import type { FaultRates } from './faults.ts'
import { createMachineDisk, never, stateFile } from './machine-disk.ts'
import { createMachineWatch } from './machine-watch.ts'
import type { MachineFacts, Model } from './model.ts'
import type { Report } from './report.ts'
import { ProcessDied } from './service-database.ts'
import { dsUrl } from './service-node.ts'

export interface Machine {
  readonly facts: MachineFacts
  readonly installed: Installed
  start(): void
  kill(reason: string): void
  /** Installs another version; the next start is one of it. */
  install(installed: Installed): void
  /** Milliseconds that its clock is ahead. */
  clockOffsetMs: number
  /** A page uses a card. */
  use(): void
  /** A page asks for a synchronisation. */
  askForSynchronisation(): void
  connector(): Connector | undefined
  /** What its disk has. */
  state(): PersistedState | undefined
  /** Looks at what the connector follows now, where something happened to it. */
  inspect(): void
  close(): void
}

export interface Installed {
  readonly version: string
  readonly installationKey: string
  /** Of the keys of replies; none: whatever the first registration finds is believed. */
  readonly fingerprints: readonly string[]
}

export interface MachineParts {
  readonly index: number
  readonly installed: Installed
  readonly queue: EventQueue
  readonly random: SeededRandom
  readonly report: Report
  readonly model: Model
  readonly rates: () => FaultRates
  readonly transport: HttpTransport
  /** A state database with nothing in it. */
  readonly image: Uint8Array
  readonly identityKey: string
  /** Stand between the connector and its machine: where a bug is put in on purpose. */
  readonly between: Between
  /** Something happened that may have changed what the connector follows. */
  readonly touch: (machine: Machine) => void
  /** The process has ended by itself. */
  readonly onEnd: (machine: Machine, status: number) => void
}

export interface Between {
  transport(transport: HttpTransport): HttpTransport
  files(files: PrivateFiles): PrivateFiles
  database(database: Database): Database
  end(end: (status: number) => void): (status: number) => void
  after(after: EventQueue['after']): EventQueue['after']
}

interface Process {
  isDead: boolean
  connector?: Connector
}

export function createMachine(parts: MachineParts): Machine {
  const { index, queue, random, report, model, rates, between } = parts
  const facts = model.addMachine(index)
  const database = Database.deserialize(parts.image, { strict: true } as never)
  let installed = parts.installed
  let uses = 0
  let process: Process | undefined
  const watch = createMachineWatch({ facts, queue, model, version: () => installed.version })

  const touch = () => parts.touch(machine)

  function die(of: Process, reason: string): void {
    if (of.isDead) return
    of.isDead = true
    report.fault('connector died', `machine ${index} ${reason}`)
    if (process === of) process = undefined
    queue.after(random.integer(1000, 600_000), start)
  }

  const disk = createMachineDisk<Process>({ facts, database, random, report, model, rates }, die)

  function transportOf(own: Process): HttpTransport {
    const transport = between.transport(parts.transport)
    return (request) => {
      if (own.isDead) return never
      if (request.url.endsWith('/sync')) model.recordRequest(facts, installed.version)
      return new Promise((resolve, reject) => {
        transport(request).then(
          (answer) => {
            touch()
            if (!own.isDead) resolve(answer)
          },
          (error) => {
            touch()
            if (!own.isDead) reject(error)
          },
        )
      })
    }
  }

  const logOf = (own: Process): ConnectorLog => {
    const write =
      (level: string) => (event: string, fields?: Readonly<Record<string, unknown>>) => {
        if (own.isDead) return
        report.event(
          `connector: ${event}`,
          `machine ${index} ${level} ${JSON.stringify(fields ?? {})}`,
        )
        if (event.startsWith('stored ')) {
          model.violate('no-defect', `machine ${index}: ${event} ${JSON.stringify(fields)}`)
        }
      }
    return {
      debug: () => undefined,
      ...{ info: write('info'), warn: write('warn'), error: write('error') },
    }
  }

  function start(): void {
    if (process) return
    const own: Process = { isDead: false }
    process = own
    watch.begin()
    touch()
    const { version, installationKey, fingerprints } = installed
    const after: EventQueue['after'] = (ms, act) =>
      queue.after(ms, () => {
        if (own.isDead) return
        touch()
        act()
      })
    const end = between.end((status) => {
      if (own.isDead) return
      own.isDead = true
      if (process === own) process = undefined
      report.event(`connector ended with ${status}`, `machine ${index}`)
      model.check(
        'forbidden-ends',
        watch.isForbidding(own.connector?.policy()),
        () => `machine ${index} ended with ${status}, and nothing forbids its version`,
      )
      parts.onEnd(machine, status)
    })
    startConnector({
      ...{ dsUrl, version, installationKey, fingerprints, hostname: `machine-${index}` },
      ...{ random, transport: transportOf(own), log: logOf(own), end },
      files: disk.noting(between.files(disk.filesOf(own))),
      generateKey: async () => parts.identityKey,
      database: between.database(disk.databaseOf(own)),
      clock: () => queue.now() + machine.clockOffsetMs,
      timers: { now: queue.now, after: between.after(after) },
      planAfter: (ms, act) =>
        queue.planAfter(ms, () => {
          if (!own.isDead) act()
        }),
      acknowledging(entries, forget) {
        try {
          forget()
        } catch (error) {
          if (error instanceof ProcessDied && error.isDone) model.settle(facts, entries)
          throw error
        }
        model.settle(facts, entries)
      },
    }).then(
      (connector) => {
        if (own.isDead) return
        own.connector = connector
        touch()
        report.event('connector started', `machine ${index} ${version}`)
        watch.resume(connector)
      },
      (error) => {
        // Without an identity key that can be written nothing can begin.
        if (!own.isDead) die(own, `at its start: ${error}`)
      },
    )
  }

  const inspect = () => {
    if (process?.connector) watch.inspect(process.connector, process)
  }

  const machine: Machine = {
    facts,
    get installed() {
      return installed
    },
    start,
    kill(reason) {
      if (process) die(process, reason)
    },
    install(next) {
      report.event('version installed', `machine ${index} ${next.version}`)
      installed = next
    },
    clockOffsetMs: 0,
    use() {
      const own = process
      if (own?.connector === undefined) return
      uses += 1
      // Two uses share a row: what is summed is tried, too.
      const tag = `${index}.${Math.floor(uses / 2)}`
      try {
        own.connector.counters.add({ label: 'shop', module: 'eid', useCase: 'signature', tag })
        model.useDone(tag)
        report.event('use')
      } catch {
        // A process that dies may have stored it.
        if (own.isDead) model.useUncertain(tag)
        report.event('use not counted')
      }
    },
    askForSynchronisation: () => process?.connector?.requestSync(),
    connector: () => process?.connector,
    state() {
      const text = disk.read(stateFile)
      return text ? JSON.parse(text) : undefined
    },
    inspect,
    close: () => database.close(),
  }
  return machine
}
