/** One node of the service: a process that dies and is started again over the database that it may share with other nodes. */

import type { SeededRandom } from '../bed/random.ts'
import type { HttpResponse } from './connector-code.ts'
import type { EventQueue } from './event-queue.ts'
import type { FaultRates } from './faults.ts'
import type { Model } from './model.ts'
import type { Report } from './report.ts'
import { createBackground, type Driver, type ServiceLog, startService } from './service-code.ts'
import { type DatabaseKind, openDriver, type Storage } from './service-database.ts'

export const dsUrl = 'https://ds.example'

export interface ServiceNode {
  /** From 1; 0 where there is only one node. */
  readonly number: number
  start(): Promise<void>
  kill(reason: string): void
  /** Undefined: it is not there, or died over it. */
  handle(request: Request): Promise<HttpResponse | undefined>
  isUp(): boolean
  /** Milliseconds since 1970, by its clock. */
  now(): number
  /** Milliseconds that its clock is ahead of the one that all nodes follow. */
  readonly ownOffsetMs: number
  setOwnClock(offsetMs: number): void
  /** When its own clock was set last, in milliseconds since 1970. */
  readonly clockSetAt: number
}

export interface ServiceNodeParts {
  readonly number: number
  readonly queue: EventQueue
  readonly random: SeededRandom
  readonly report: Report
  readonly model: Model
  readonly rates: () => FaultRates
  readonly kind: DatabaseKind
  readonly cycleS: number
  readonly keyOverlapS: number
  /** Stands between the service and its database: where a bug is put in on purpose. */
  readonly between: (driver: Driver) => Driver
  readonly storage: () => Storage
  /** Milliseconds that the clocks of all nodes are ahead. */
  readonly sharedOffsetMs: () => number
}

interface Process {
  isDead: boolean
  fetch?: (request: Request) => Promise<Response>
}

/** What a service may log as a defect, because the simulation made it. */
const made =
  /disk I\/O error|database or disk is full|The process |Network connection lost|the transaction has ended/

export function createServiceNode(parts: ServiceNodeParts): ServiceNode {
  const { number, queue, random, report, model, rates, kind, cycleS, keyOverlapS, storage } = parts
  const name = number > 0 ? `node ${number} ` : ''
  let process: Process | undefined
  let [ownOffsetMs, clockSetAt] = [0, Number.NEGATIVE_INFINITY]

  function die(of: Process, reason: string): void {
    if (of.isDead) return
    of.isDead = true
    report.fault('service died', `${name}${reason}`)
    if (process !== of) return
    process = undefined
    queue.after(random.integer(500, 60_000), () => void node.start())
  }

  const log: ServiceLog = {
    info: () => undefined,
    warn: () => undefined,
    error(event, fields) {
      const text = JSON.stringify(fields)
      if (made.test(text)) report.event('service failed a request')
      else model.violate('no-defect', `the service logged ${event}: ${text}`)
    },
  }

  const openDriverOf = (own: Process) =>
    openDriver({
      ...{ storage: storage(), kind, random, after: (ms, act) => void queue.after(ms, act) },
      isDead: () => own.isDead,
      die: () => die(own, 'at a write'),
      faults: {
        atWrite(place) {
          if (random.chance(rates().serviceDiesAtWrite)) return 'die'
          if (!random.chance(rates().serviceDiskRefuses)) return 'none'
          report.fault('disk of the service refused', place)
          return 'refuse'
        },
        latencyMs: () => random.integer(0, 20),
      },
    })

  const node: ServiceNode = {
    number,
    async start() {
      if (process) return
      const own: Process = { isDead: false }
      process = own
      const driver = parts.between(openDriverOf(own))
      try {
        const fetch = await startService({
          ...{ url: dsUrl, driver, random, log, cycleS, keyOverlapS },
          clock: node.now,
          limits: {
            registrationSetting: 'DS_REGISTRATION_LIMIT',
            consume: async () => undefined,
            refund: async () => undefined,
          },
          // As the nodes do that run on servers of their own.
          ...(number > 0 && { runInBackground: createBackground(log).run }),
        })
        if (own.isDead) return
        own.fetch = fetch
        report.event('service started', name)
        model.checkStored(storage())
      } catch (error) {
        if (!made.test(String(error) + String((error as Error).cause))) {
          model.violate('no-defect', `the service does not start: ${error}`)
        }
        die(own, 'at its start')
      }
    },
    kill(reason) {
      if (process) die(process, reason)
    },
    /** As a server does it: whole, with the time, or not at all. */
    async handle(request) {
      const own = process
      if (own?.fetch === undefined) return undefined
      const response = await own.fetch(request)
      const body = new Uint8Array(await response.arrayBuffer())
      if (own.isDead) return undefined
      const headers: Record<string, string> = {
        date: new Date(node.now()).toUTCString(),
      }
      for (const [header, value] of response.headers) headers[header] = value
      return { status: response.status, headers, body }
    },
    isUp: () => process?.fetch !== undefined,
    now: () => queue.now() + parts.sharedOffsetMs() + ownOffsetMs,
    get ownOffsetMs() {
      return ownOffsetMs
    },
    setOwnClock(offsetMs) {
      ownOffsetMs = offsetMs
      clockSetAt = queue.now()
    },
    get clockSetAt() {
      return clockSetAt
    },
  }
  return node
}
