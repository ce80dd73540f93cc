/** The real sandbox, supervised as the connector does it, over a card service that does what a test says. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { waitFor } from '../../src/readers/detect.ts'
import {
  type Reader,
  type Readers,
  type Snapshot,
  superviseReaders,
} from '../../src/readers/readers.ts'
import { buildScriptedCardService } from '../scripted-card-service/build.ts'
import {
  type ScriptedCardService,
  startScriptedCardService,
} from '../scripted-card-service/service.ts'

const main = fileURLToPath(new URL('../../src/sandbox/main.ts', import.meta.url))

interface Logged {
  readonly event: string
  readonly fields: Readonly<Record<string, unknown>>
}

interface Scripted {
  readonly service: ScriptedCardService
  readonly readers: Readers
  /** What the supervisor has logged. */
  readonly logged: readonly Logged[]
  /** What `holds` finds as soon as it does, or null after `timeoutMs`. */
  seen<T>(holds: (snapshot: Snapshot) => T | undefined, timeoutMs?: number): Promise<T | null>
}

interface Start {
  readonly service: ScriptedCardService
  /** What a program needs in its environment to be served. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Starts a sandbox; `ready` of it has not been awaited. */
  supervise(options?: Partial<Parameters<typeof superviseReaders>[0]>): Scripted
}

/** Registers with vitest what a file of tests needs; the answer starts a service, which ends with its test. */
export function scriptedCardServices(): () => Promise<Start> {
  let folder = ''
  let library = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardwire-sandbox-'))
    library = await buildScriptedCardService('linux', folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const endings: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end()
  })

  return async () => {
    const service = await startScriptedCardService()
    endings.push(service.stop)
    const env = { ...process.env, ...service.env, CARDWIRE_PCSC_LIBRARY: library }
    return {
      service,
      env,
      supervise(options = {}) {
        const logged: Logged[] = []
        const readers = superviseReaders({
          command: [process.execPath, main],
          env,
          log: (event, fields) => logged.push({ event, fields }),
          ...options,
        })
        endings.push(readers.stop)
        const seen: Scripted['seen'] = (holds, timeoutMs = longMs) =>
          waitFor(readers, holds, timeoutMs)
        return { service, readers, logged, seen }
      },
    }
  }
}

/** Longer than anything takes that has no bound of its own. */
export const longMs = 15_000

/** What the issue allows for everything that comes, goes or comes back, in milliseconds. */
export const soonMs = 2000

/** The readers of a snapshot when their names are these, in this order. */
export const named =
  (...names: readonly string[]) =>
  ({ pcsc, readers }: Snapshot): readonly Reader[] | undefined =>
    pcsc.kind === 'up' && Bun.deepEquals(names, readers.map(nameOf)) ? readers : undefined

/** The code of a card service that is down. */
export const downCode = ({ pcsc }: Snapshot) => (pcsc.kind === 'down' ? pcsc.code : undefined)

const nameOf = ({ name }: Reader) => name
