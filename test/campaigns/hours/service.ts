/** The service over a real database file, as Deno opens it; it answers at the time of the clock that jumps. */
import { join } from 'node:path'
import type { SeededRandom } from '../../bed/random.ts'
import type { EventQueue } from '../../simulation/event-queue.ts'
import {
  administratorToken,
  applyMigrations,
  openNodeSqlite,
  startService,
} from '../../simulation/service-code.ts'
import type { Results } from './results.ts'

export const dsUrl = 'https://ds.example'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface HoursService {
  readonly databaseFile: string
  fetch(request: Request): Promise<Answer>
  /** What it answers, with the data of the answer. Throws when it refuses. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer is read where its shape is known
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<any>
  close(): void
}

interface ServiceParts {
  readonly folder: string
  readonly queue: EventQueue
  readonly random: SeededRandom
  readonly results: Results
  /** Seconds. */
  readonly cycleS: number
  readonly keyOverlapS: number
  /** Changes a statement, where a fault is put in on purpose. */
  readonly changeSql: (sql: string) => string
}

const administrator = { authorization: `Bearer ${administratorToken}` }

export async function openService(parts: ServiceParts): Promise<HoursService> {
  const { queue, random, results, cycleS, keyOverlapS, changeSql } = parts
  const databaseFile = join(parts.folder, 'cardwire.sqlite')
  const driver = openNodeSqlite(databaseFile)
  await applyMigrations(driver)
  const app = await startService({
    ...{ url: dsUrl, random, cycleS, keyOverlapS, clock: queue.now },
    driver: {
      run: ({ sql, params }) => driver.run({ sql: changeSql(sql), params }),
      batch: (statements) =>
        driver.batch(statements.map(({ sql, params }) => ({ sql: changeSql(sql), params }))),
    },
    limits: {
      registrationSetting: 'DS_REGISTRATION_LIMIT',
      consume: async () => undefined,
      refund: async () => undefined,
    },
    log: {
      info: () => undefined,
      warn: (event) => results.count(`service: ${event}`),
      error: (event, fields) =>
        results.check(
          'no-defect',
          false,
          () => `the service logged ${event} ${JSON.stringify(fields)}`,
        ),
    },
  })

  async function fetch(request: Request): Promise<Answer> {
    const response = await app(request)
    const body = new Uint8Array(await response.arrayBuffer())
    const date = new Date(queue.now()).toUTCString()
    results.count(`${request.method} ${new URL(request.url).pathname} ${response.status}`)
    return { status: response.status, headers: { date, ...toRecord(response.headers) }, body }
  }

  return {
    databaseFile,
    fetch,
    async ask(method, path, body, headers = administrator) {
      const { status, body: answer } = await fetch(
        new Request(`${dsUrl}${path}`, {
          method,
          headers: {
            ...headers,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          body: body === undefined ? null : JSON.stringify(body),
        }),
      )
      const text = new TextDecoder().decode(answer)
      if (status >= 400) throw new Error(`Cannot ${method} ${path}: ${status} ${text}`)
      return text === '' ? undefined : JSON.parse(text).data
    },
    close: () => driver.close(),
  }
}

function toRecord(headers: Headers): Readonly<Record<string, string>> {
  const record: Record<string, string> = {}
  for (const [name, value] of headers) record[name] = value
  return record
}
