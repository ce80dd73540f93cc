/** The service: its database, the nodes that share it, and what they say as the model hears it. */

import type { SeededRandom } from '../bed/random.ts'
import type { HttpRequest, HttpResponse } from './connector-code.ts'
import type { EventQueue } from './event-queue.ts'
import type { FaultRates } from './faults.ts'
import type { Backup, Model } from './model.ts'
import type { Report } from './report.ts'
import { administratorToken, type Driver } from './service-code.ts'
import { type DatabaseKind, openStorage, type Storage } from './service-database.ts'
import { createServiceNode, dsUrl, type ServiceNode } from './service-node.ts'

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
  /** How many nodes share its database. */
  readonly nodes: number
  /** One of its nodes, that is. */
  kill(reason: string): void
  backUp(): Saved
  restore(saved: Saved): void
  setFull(isFull: boolean): void
  storage(): Storage
  /** Milliseconds since 1970, by the clock that its nodes follow. */
  now(): number
  /** Milliseconds that this clock is ahead. */
  clockOffsetMs: number
  /** Sets the clock of one of several nodes, within what nodes may differ. */
  setClockOfNode(): void
  isUp(): boolean
  close(): void
}

interface AdminResponse {
  readonly status: number
  /** The node that answered. */
  readonly node: number
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
  /** On a database that is no file, several nodes may share it. */
  readonly nodes: number
  /** For what there is with several nodes only. */
  readonly apart: SeededRandom
}

/** The clocks of two nodes may differ by 30 s (`nodeClockSkewS`). */
const maxOwnOffsetMs = 15_000

const administrator = { authorization: `Bearer ${administratorToken}` }

export function createServiceProcess(parts: ServiceProcessParts): ServiceProcess {
  const { queue, report, model, nodes: count, apart } = parts
  let storage = openStorage(parts.image)
  const nodes: readonly ServiceNode[] = Array.from({ length: count }, (_, at) =>
    createServiceNode({
      ...{ ...parts, number: count > 1 ? at + 1 : 0, storage: () => storage },
      sharedOffsetMs: () => service.clockOffsetMs,
    }),
  )

  /** A proxy passes a request to any node that runs. */
  function pickNode(): ServiceNode | undefined {
    const running = nodes.filter((node) => node.isUp())
    return running.length > 1 ? apart.pick(running) : running[0]
  }

  function noteReply(
    path: string,
    asked: Uint8Array | undefined,
    { body }: HttpResponse,
    { arrived, node }: { readonly arrived: number; readonly node: ServiceNode },
  ): void {
    const { data } = JSON.parse(new TextDecoder().decode(body))
    if (path === '/v3/devices') model.wasRegistered(data.id, arrived)
    if (path !== '/v3/devices/sync') return
    const [head = '', payload = ''] = data.split('.')
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
    const reply = JSON.parse(Buffer.from(payload, 'base64url').toString())
    model.replied({ aud: reply.aud, re: reply.re, iat: reply.iat, kid }, arrived, node)
    model.noteReleases(storage)
    const { version, device } = JSON.parse(new TextDecoder().decode(asked))
    const { state, verdict } = reply
    const told = verdict && { action: verdict.action, offer: verdict.offer?.version }
    model.rollouts.told({ id: reply.aud, version, ...device }, state, told, arrived)
  }

  const service: ServiceProcess = {
    nodes: count,
    async receive({ method, url, headers, body }) {
      const arrived = model.step()
      const path = new URL(url).pathname
      const node = pickNode()
      const answer = await node?.handle(createRequest(method, url, headers, body))
      report.event(`${method} ${path} ${answer?.status ?? 'not answered'}`, describe(node))
      if (node && answer && answer.status < 300) noteReply(path, body, answer, { arrived, node })
      return answer
    },
    async download() {
      const arrived = model.step()
      const installer = createRequest('GET', `${dsUrl}/v3/downloads/installers/UNIX`)
      const answer = await pickNode()?.handle(installer)
      report.event(`download ${answer?.status ?? 'not answered'}`)
      if (answer?.status !== 302) return
      model.noteReleases(storage)
      const version = /cardwire-(.*)\.deb$/.exec(answer.headers['location'] ?? '')?.[1]
      model.rollouts.downloaded(version, arrived)
    },
    async ask(method, path, body, headers = administrator) {
      const node = pickNode()
      const answer = await node?.handle(
        createRequest(
          method,
          `${dsUrl}${path}`,
          { ...headers, 'content-type': 'application/json' },
          body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)),
        ),
      )
      if (node === undefined || answer === undefined) return undefined
      model.noteReleases(storage)
      const { data, ...problem } = JSON.parse(new TextDecoder().decode(answer.body))
      return { status: answer.status, data: data ?? problem, node: node.number }
    },
    kill(reason) {
      const node = count > 1 ? apart.pick(nodes) : nodes[0]
      node?.kill(reason)
    },
    backUp: () => ({ image: storage.backUp(), model: model.backup() }),
    restore({ image, model: known }) {
      for (const node of nodes) node.kill('for a restore')
      storage.close()
      storage = openStorage(image)
      model.restored(storage, known)
    },
    setFull: (isFull) => storage.setFull(isFull),
    storage: () => storage,
    now: () => queue.now() + service.clockOffsetMs,
    clockOffsetMs: 0,
    setClockOfNode() {
      const node = apart.pick(nodes)
      node.setOwnClock(apart.integer(-maxOwnOffsetMs, maxOwnOffsetMs))
      model.rollouts.clockSet()
      report.fault('clock of a node set', `${describe(node)} to ${node.ownOffsetMs} ms`)
    },
    isUp: () => nodes.some((node) => node.isUp()),
    close: () => storage.close(),
  }
  for (const node of nodes) {
    if (count > 1) node.setOwnClock(apart.integer(-maxOwnOffsetMs, maxOwnOffsetMs))
    void node.start()
  }
  return service
}

/** For the trace; nothing where there is one node. */
const describe = (node: ServiceNode | undefined) =>
  node && node.number > 0 ? `node ${node.number}` : ''

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
