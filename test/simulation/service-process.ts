/** The service as a process that dies and is started again over what it stored, and what it says as the model hears it. */

import type { SeededRandom } from '../bed/random.ts'
import type { HttpRequest, HttpResponse } from './connector-code.ts'
import type { EventQueue } from './event-queue.ts'
import type { FaultRates } from './faults.ts'
import type { Backup, Model } from './model.ts'
import type { Report } from './report.ts'
import { administratorToken, type Driver, type ServiceLog, startService } from './service-code.ts'
import { type DatabaseKind, openDriver, openStorage, type Storage } from './service-database.ts'

export const dsUrl = 'https://ds.example'

export interface ServiceProcess {
  /** What it answers a device; undefined: it is not there, or died over it. */
  receive(request: HttpRequest): Promise<HttpResponse | undefined>
  /** What it answers an administrator; undefined as above. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<AdminResponse | undefined>
  /** A user downloads the newest version. */
  download(): Promise<void>
  kill(reason: string): void
  backUp(): Saved
  restore(saved: Saved): void
  setFull(isFull: boolean): void
  storage(): Storage
  /** Milliseconds since 1970, by its clock. */
  now(): number
  /** Milliseconds that its clock is ahead. */
  clockOffsetMs: number
  isUp(): boolean
  close(): void
}

interface AdminResponse {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: an answer is read where its shape is known
  readonly data: any
}

export interface Saved {
  readonly image: Uint8Array
  readonly model: Backup
}

export interface ServiceProcessParts {
  readonly queue: EventQueue
  readonly random: SeededRandom
  readonly report: Report
  readonly model: Model
  readonly rates: () => FaultRates
  readonly kind: DatabaseKind
  readonly image: Uint8Array
  readonly cycleS: number
  readonly keyOverlapS: number
  /** Stands between the service and its database: where a bug is put in on purpose. */
  readonly between: (driver: Driver) => Driver
}

const administrator = { authorization: `Bearer ${administratorToken}` }

interface Process {
  isDead: boolean
  fetch?: (request: Request) => Promise<Response>
}

/** What a service may log as a defect, because the simulation made it. */
const made =
  /disk I\/O error|database or disk is full|The process |Network connection lost|the transaction has ended/

export function createServiceProcess(parts: ServiceProcessParts): ServiceProcess {
  const { queue, random, report, model, rates, kind, cycleS, keyOverlapS } = parts
  let storage = openStorage(parts.image)
  let process: Process | undefined

  function die(of: Process, reason: string): void {
    if (of.isDead) return
    of.isDead = true
    report.fault('service died', reason)
    if (process !== of) return
    process = undefined
    queue.after(random.integer(500, 60_000), () => void start())
  }

  async function start(): Promise<void> {
    if (process) return
    const own: Process = { isDead: false }
    process = own
    const driver = openDriver({
      ...{ storage, kind, random, after: (ms, act) => void queue.after(ms, act) },
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
    try {
      const fetch = await startService({
        ...{ url: dsUrl, driver: parts.between(driver), random, log, cycleS, keyOverlapS },
        clock: service.now,
        limits: {
          registrationSetting: 'DS_REGISTRATION_LIMIT',
          consume: async () => undefined,
          refund: async () => undefined,
        },
      })
      if (own.isDead) return
      own.fetch = fetch
      report.event('service started')
      model.checkStored(storage)
    } catch (error) {
      if (!made.test(String(error) + String((error as Error).cause))) {
        model.violate('no-defect', `the service does not start: ${error}`)
      }
      die(own, 'at its start')
    }
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

  /** As a server does it: whole, with the time, or not at all. */
  async function handle(request: Request) {
    const own = process
    if (own?.fetch === undefined) return undefined
    const response = await own.fetch(request)
    const body = new Uint8Array(await response.arrayBuffer())
    if (own.isDead) return undefined
    const headers: Record<string, string> = {
      date: new Date(service.now()).toUTCString(),
    }
    for (const [name, value] of response.headers) headers[name] = value
    return { status: response.status, headers, body }
  }

  function noteReply(
    path: string,
    asked: Uint8Array | undefined,
    { body }: HttpResponse,
    arrived: number,
  ): void {
    const { data } = JSON.parse(new TextDecoder().decode(body))
    if (path === '/v3/devices') model.wasRegistered(data.id)
    if (path !== '/v3/devices/sync') return
    const [head = '', payload = ''] = data.split('.')
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
    const reply = JSON.parse(Buffer.from(payload, 'base64url').toString())
    model.replied({ aud: reply.aud, re: reply.re, iat: reply.iat, kid }, arrived)
    model.noteReleases(storage)
    const { version, device } = JSON.parse(new TextDecoder().decode(asked))
    const { state, verdict } = reply
    const told = verdict && { action: verdict.action, offer: verdict.offer?.version }
    model.rollouts.told({ id: reply.aud, version, ...device }, state, told, arrived)
  }

  const service: ServiceProcess = {
    async receive({ method, url, headers, body }) {
      const arrived = model.step()
      const path = new URL(url).pathname
      const answer = await handle(createRequest(method, url, headers, body))
      report.event(`${method} ${path} ${answer?.status ?? 'not answered'}`)
      if (answer && answer.status < 300) noteReply(path, body, answer, arrived)
      return answer
    },
    async download() {
      const arrived = model.step()
      const answer = await handle(createRequest('GET', `${dsUrl}/v3/downloads/installers/UNIX`))
      report.event(`download ${answer?.status ?? 'not answered'}`)
      if (answer?.status !== 302) return
      model.noteReleases(storage)
      const version = /cardwire-(.*)\.deb$/.exec(answer.headers['location'] ?? '')?.[1]
      model.rollouts.downloaded(version, arrived)
    },
    async ask(method, path, body, headers = administrator) {
      const answer = await handle(
        createRequest(
          method,
          `${dsUrl}${path}`,
          { ...headers, 'content-type': 'application/json' },
          body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)),
        ),
      )
      if (answer === undefined) return undefined
      model.noteReleases(storage)
      const { data, ...problem } = JSON.parse(new TextDecoder().decode(answer.body))
      return { status: answer.status, data: data ?? problem }
    },
    kill(reason) {
      if (process) die(process, reason)
    },
    backUp: () => ({ image: storage.backUp(), model: model.backup() }),
    restore({ image, model: known }) {
      service.kill('for a restore')
      storage.close()
      storage = openStorage(image)
      model.restored(storage, known)
    },
    setFull: (isFull) => storage.setFull(isFull),
    storage: () => storage,
    now: () => queue.now() + service.clockOffsetMs,
    clockOffsetMs: 0,
    isUp: () => process?.fetch !== undefined,
    close: () => storage.close(),
  }
  void start()
  return service
}

/** As it comes out of an HTTP server: a request with a body says how long that is. */
const createRequest = (
  method: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  body?: Uint8Array,
) =>
  new Request(url, {
    method,
    headers: body ? { ...headers, 'content-length': String(body.length) } : headers,
    body: body?.slice() ?? null,
  })
