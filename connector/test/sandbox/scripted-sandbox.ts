/** The real sandbox and its supervisor over a scripted card service. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Reader, Readers, Snapshot } from '../../src/sandbox/readers/readers.ts'
import { superviseReaders } from '../../src/sandbox/readers/sandbox-supervisor.ts'
import { waitForReaders } from '../../src/sandbox/readers/wait-for.ts'
import type { Log } from '../../src/system/log.ts'
import { buildScriptedCardService } from '../scripted-card-service/build.ts'
import {
  type ScriptedCardService,
  startScriptedCardService,
} from '../scripted-card-service/service.ts'
import { bundleSandbox } from './bundled-sandbox.ts'

interface LogEntry {
  readonly event: string
  readonly fields: Readonly<Record<string, unknown>>
}

interface SupervisedSandbox {
  readonly service: ScriptedCardService
  readonly readers: Readers
  /** What the supervisor has logged. */
  readonly logged: readonly LogEntry[]
  /** Resolves with the first result of `holds`, or with null after `timeoutMs`. */
  waitFor<T>(holds: (snapshot: Snapshot) => T | undefined, timeoutMs?: number): Promise<T | null>
}

interface CardServiceFixture {
  readonly service: ScriptedCardService
  /** The environment in which a program finds the card service. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Starts a sandbox; `ready` of it has not been awaited. */
  supervise(options?: Partial<Parameters<typeof superviseReaders>[0]>): SupervisedSandbox
}

/** Registers the hooks of a test file with vitest; the result starts a card service, which ends with its test. */
export function registerScriptedCardServices(): () => Promise<CardServiceFixture> {
  let folder = ''
  let [library, main] = ['', '']
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardwire-sandbox-'))
    library = await buildScriptedCardService('linux', folder)
    main = await bundleSandbox()
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
        const logged: LogEntry[] = []
        const record: Log['warn'] = (event, fields = {}) => void logged.push({ event, fields })
        const readers = superviseReaders({
          command: [process.execPath, main],
          env,
          log: { warn: record, error: record },
          ...options,
        })
        endings.push(readers.stop)
        const waitFor: SupervisedSandbox['waitFor'] = (holds, limitMs = timeoutMs) =>
          waitForReaders(readers, holds, limitMs)
        return { service, readers, logged, waitFor }
      },
    }
  }
}

/** Longer than any wait without a limit of its own takes. */
export const timeoutMs = 15_000

/** A card, a reader or a card service that comes, goes or returns is listed within 2 s. */
export const changeLimitMs = 2000

/** Whether some reader is known to have a key pad. */
export const hasPinpad = ({ readers }: Snapshot): true | undefined =>
  readers.some(({ pinpad }) => pinpad) || undefined

/** The readers of a snapshot when their names are these, in this order. */
export const haveNames =
  (...names: readonly string[]) =>
  ({ pcsc, readers }: Snapshot): readonly Reader[] | undefined =>
    pcsc.kind === 'up' && Bun.deepEquals(names, readers.map(getName)) ? readers : undefined

/** The code of a card service that is down. */
export const getDownCode = ({ pcsc }: Snapshot) => (pcsc.kind === 'down' ? pcsc.code : undefined)

const getName = ({ name }: Reader) => name
