/** The machines: connectors with clocks that differ, each with a state database of its own on the disk. */
import { join } from 'node:path'
import type { SeededRandom } from '../../bed/random.ts'
import {
  type Connector,
  type ConnectorLog,
  type HttpTransport,
  openStateDatabase,
  startConnector,
} from '../../simulation/connector-code.ts'
import type { EventQueue } from '../../simulation/event-queue.ts'
import { identityKeyOf } from '../../simulation/identity-keys.ts'
import type { Tampering } from './faults.ts'
import type { Results } from './results.ts'
import { dsUrl, type HoursService } from './service.ts'

export interface Machine {
  readonly index: number
  /** undefined until it has started. */
  connector(): Connector | undefined
  start(): Promise<void>
  /** The key that signed the newest reply. */
  replyKey(): string | undefined
  /** A page asks for a synchronization. */
  askForSync(): void
  /** Throws when the machine refuses this token of a page. */
  verifyToken(token: string): Promise<void>
  /** Looks at its timers and at the time since the last synchronization. */
  inspect(): void
  close(): void
}

interface MachineParts {
  readonly index: number
  readonly folder: string
  readonly version: string
  readonly installationKey: string
  /** Of the keys of replies. */
  readonly fingerprints: readonly string[]
  readonly queue: EventQueue
  readonly random: SeededRandom
  readonly results: Results
  readonly service: HoursService
  readonly log: ConnectorLog
  readonly tampering: Tampering
  /** Milliseconds that its clock is ahead. */
  readonly clockOffsetMs: number
  readonly cycleMs: number
}

/** A synchronization comes up to a tenth of the cycle earlier or later, of which it takes some messages. */
const jitter = 0.1
const slackMs = 2000
/** What a page asks for comes within the pause between such requests. */
const pauseMs = 5000

export function createMachine(parts: MachineParts): Machine {
  const { index, queue, random, results, service, tampering, cycleMs } = parts
  const clock = () => queue.now() + parts.clockOffsetMs
  const runtime = join(parts.folder, `machine-${index}`)
  const database = openStateDatabase(runtime, parts.log)
  const files = new Map<string, string>()
  let connector: Connector | undefined
  let timers = 0
  let requests = 0
  let replyKey: string | undefined
  let succeededAt: number | undefined
  let requestedAt: number | undefined

  const check = (invariant: Parameters<Results['check']>[0], holds: boolean, reason: string) =>
    results.check(invariant, holds, () => `machine ${index} ${reason}`)

  /** Plans a timer of this machine, and counts those that have neither ended nor been cancelled. */
  const counting =
    (plan: EventQueue['after']): EventQueue['after'] =>
    (ms, act) => {
      let isPlanned = true
      timers += 1
      const end = () => {
        if (isPlanned) timers -= 1
        isPlanned = false
      }
      const cancel = plan(ms, () => {
        end()
        act()
      })
      return () => {
        end()
        cancel()
      }
    }

  /** Between two synchronizations lies a cycle, unless a page asked for one, or its token has another key. */
  function checkBeginning(): void {
    if (succeededAt === undefined) return
    const sinceMs = queue.now() - succeededAt
    const isRequested = requestedAt !== undefined && queue.now() - requestedAt <= pauseMs + slackMs
    const isEarly = sinceMs < cycleMs * (1 - jitter) - slackMs && !isRequested
    const isLate = sinceMs > cycleMs * (1 + jitter) + slackMs
    check('sync-on-cycle', !isEarly && !isLate, `syncs after ${sinceMs} ms`)
    requestedAt = undefined
  }

  const transport: HttpTransport = async ({ method, url, headers, body }) => {
    const isSync = url.endsWith('/sync')
    if (isSync) checkBeginning()
    requests += 1
    await wait(random.integer(1, 80))
    const sent = new Request(url, { method, headers: headers ?? {}, body: body?.slice() ?? null })
    const answer = tampering.response(await service.fetch(sent))
    await wait(random.integer(1, 80))
    requests -= 1
    if (isSync && answer.status === 200) {
      const { data } = JSON.parse(new TextDecoder().decode(answer.body))
      replyKey = JSON.parse(Buffer.from(data.split('.')[0], 'base64url').toString()).kid
      succeededAt = queue.now()
    }
    return answer
  }
  const wait = (ms: number) => new Promise<void>((resolve) => void queue.after(ms, resolve))

  return {
    index,
    connector: () => connector,
    async start() {
      connector = await startConnector({
        ...{ dsUrl, random, transport, clock, database, log: parts.log },
        ...{ version: parts.version, installationKey: parts.installationKey },
        fingerprints: parts.fingerprints,
        hostname: `machine-${index}`,
        timers: { now: queue.now, after: tampering.after(counting(queue.after)) },
        planAfter: tampering.after(counting(queue.planAfter)),
        files: {
          read: async (path) => files.get(path),
          write: async (path, text) => void files.set(path, text),
          // Its disk damages no file.
          keepDamaged: () => undefined,
        },
        generateKey: async () => identityKeyOf(index),
        end: (status) => check('no-defect', false, `ended with ${status}`),
        acknowledging: (_, forget) => forget(),
      })
    },
    replyKey: () => replyKey,
    askForSync() {
      requestedAt = queue.now()
      connector?.requestSync()
    },
    async verifyToken(token) {
      if (connector === undefined) throw new Error('There is no connector')
      const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
      // An old token whose key is gone: the connector looks for the key in the next reply.
      if (!connector.policy()?.tokenKeys.some((key) => key.kid === kid)) requestedAt = queue.now()
      await connector.verifyToken(token)
    },
    inspect() {
      if (connector === undefined || succeededAt === undefined) return
      const sinceMs = queue.now() - succeededAt
      const isOnTime = sinceMs <= cycleMs * (1 + jitter) + slackMs
      check('sync-on-cycle', isOnTime, `has not synced for ${sinceMs} ms`)
      if (requests === 0) check('one-timer', timers === 1, `has ${timers} timers`)
    },
    close: () => database.close(),
  }
}
