/** PostgreSQL is restarted and killed while nodes of the service work: nothing is lost, and nobody waits for ever. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createPostgresRuntime } from '../../../test/bed/service-runtimes.ts'
import { createLabel } from '../harness/arrange.ts'
import { withDatabase } from '../harness/stored-data.ts'

let server: PostgresServer
let nodes: readonly DistributionService[]
beforeAll(async () => {
  server = await startPostgres()
  const address = await server.createDatabase()
  const settings = { DS_SECRET: randomBytes(32).toString('base64'), DS_TOKEN_LIMIT: '1000000' }
  const start = () =>
    startDistributionService(
      createPostgresRuntime(async () => address),
      { ...settings, DS_URL: 'https://ds.example' },
    )
  nodes = [await start(), await start()]
})
afterAll(async () => {
  await Promise.all((nodes ?? []).map(({ stop }) => stop()))
  await server?.remove()
})

/** Longer than a node waits for its database. */
const hungMs = 20_000

const change = async (node: DistributionService, name: string) =>
  node.request('PUT', '/v3/organizations', { token: await node.login(), body: { name } })

interface Answer {
  readonly status: number | 'hung'
  readonly retryAfter: string | null
  readonly name: string
}

/** Creates organizations and exchanges keys, some at once, until `act` is done; resolves with every answer. */
async function workDuring(
  act: (countStored: () => Promise<number>) => Promise<void>,
): Promise<readonly Answer[]> {
  const [first] = nodes
  if (!first) throw new Error('no node')
  const { apiKey } = await createLabel(first, await first.login())
  await Promise.all(nodes.map(({ login }) => login()))
  const answers: Answer[] = []
  let isDone = false
  const send = async (at: number, name: string) => {
    const node = nodes[at % nodes.length] ?? first
    const request =
      at % 4 === 0
        ? node.request('GET', '/v3/tokens/application', { headers: { apikey: apiKey } })
        : change(node, name)
    const hung = new Promise<undefined>((resolve) => {
      setTimeout(() => resolve(undefined), hungMs).unref()
    })
    const response = await Promise.race([request, hung])
    answers.push({
      status: response?.status ?? 'hung',
      retryAfter: response?.headers.get('retry-after') ?? null,
      name: at % 4 === 0 ? '' : name,
    })
  }
  const work = async (at: number) => {
    for (let n = 0; !isDone; n += 1) await send(at, `of worker ${at}: ${n} ${crypto.randomUUID()}`)
  }
  const working = Promise.all(Array.from({ length: 8 }, (_, at) => work(at)))
  const countStored = async () => answers.filter(({ status }) => status === 201).length
  await act(countStored).finally(() => {
    isDone = true
  })
  await working
  return answers
}

/** A while of work on either side of an outage. */
const workedFor = <T>(answers: () => Promise<T>) => expect.poll(answers)

test.each([
  ['restarted', 'SIGINT'],
  ['stopped without a word to its clients', 'SIGQUIT'],
  ['killed', 'SIGKILL'],
] as const)(
  'PostgreSQL is %s under load: no answered change is lost, and failures are 503 with Retry-After',
  async (_, signal) => {
    proves('postgres-outage')
    const answers = await workDuring(async (countStored) => {
      const isAnswered = async (at: number) => {
        const answers = await Promise.all(
          nodes.map((node) => change(node, `at ${at} of ${signal}`)),
        )
        return answers.map(({ status }) => status !== 503)
      }
      await workedFor(() => isAnswered(1)).toEqual([true, true])
      await workedFor(countStored).toBeGreaterThan(50)
      await server.stop(signal)
      await workedFor(() => isAnswered(2)).toEqual([false, false])
      await server.start()
      await workedFor(() => isAnswered(3)).toEqual([true, true])
      const before = await countStored()
      await workedFor(countStored).toBeGreaterThan(before + 50)
    })

    const statuses = new Set(answers.map(({ status }) => status))
    expect(statuses).toEqual(new Set([200, 201, 503]))
    for (const { status, retryAfter } of answers) {
      if (status === 503) expect(Number(retryAfter)).toBeGreaterThan(0)
    }
    const acknowledged = answers.filter(({ status, name }) => status === 201 && name !== '')
    const [node] = nodes
    if (!node) throw new Error('no node')
    const stored = await withDatabase(node, ({ run }) => run('select name from organizations'))
    const names = new Set(stored.map(({ name }) => name))
    expect(acknowledged.length).toBeGreaterThan(100)
    expect(acknowledged.filter(({ name }) => !names.has(name))).toEqual([])
  },
)
