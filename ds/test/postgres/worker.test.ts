/** The service on workerd beside a node, both on one PostgreSQL database. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { proves } from '../../../test/bed/proves.ts'
import {
  createHyperdriveRuntime,
  createPostgresRuntime,
} from '../../../test/bed/service-runtimes.ts'
import { createLabel, getData, nextAddress } from '../harness/arrange.ts'
import { withDatabase } from '../harness/stored-data.ts'

const settings = { DS_URL: 'https://ds.example', DS_SECRET: randomBytes(32).toString('base64') }

let server: PostgresServer
let node: DistributionService
let worker: DistributionService
beforeAll(async () => {
  server = await startPostgres()
  const address = await server.createDatabase()
  const open = async () => address
  node = await startDistributionService(createPostgresRuntime(open), settings)
  worker = await startDistributionService(createHyperdriveRuntime(open), settings)
})
afterAll(async () => {
  await Promise.all([node?.stop(), worker?.stop()])
  await server?.remove()
})

const exchange = async (service: DistributionService, apiKey: string) =>
  (
    await service.request('GET', '/v3/tokens/application', {
      headers: { apikey: apiKey },
      from: nextAddress(),
    })
  ).status

test('what a node stores a Worker has, for the same token, and the other way around', async () => {
  const token = await node.login()
  for (const [one, other] of [
    [node, worker],
    [worker, node],
  ] as const) {
    const { apiKey } = await createLabel(one, token)
    expect(await exchange(other, apiKey)).toBe(200)
  }
})

test('one key rotated at once by a Worker and a node leaves one key that works, and the audit has no gaps', async () => {
  proves('nodes-race')
  const token = await node.login()
  const together = <T>(act: (at: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 10 }, (_, at) => act(at)))
  for (let round = 0; round < 20; round += 1) {
    const { id } = await createLabel(worker, token)
    const keys = await together(async (at) => {
      const path = `/v3/labels/${id}/key`
      const service = at % 2 === 0 ? worker : node
      return getData(await service.request('POST', path, { token, body: {} }))['apiKey']
    })
    const statuses = await together((at) => exchange(worker, keys[at]))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  }
  const [row] = await withDatabase(worker, ({ run }) =>
    run('select max(sequence) as last, count(*) as count from audit'),
  )
  expect(row?.['last']).toBe(row?.['count'])
})

test('the connections of a Worker end with their requests', async () => {
  const token = await worker.login()
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const { status } = await worker.request('GET', '/v3/organizations', { token })
      return status
    }),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  const listOpen = () =>
    withDatabase(worker, ({ run }) =>
      run(
        "select query from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name <> 'cardwire-ds'",
      ),
    )
  await expect.poll(listOpen).toEqual([])
})

test.each([
  ['that has served requests', false],
  ['that has just started', true],
])(
  'without its database a Worker %s answers 503 with Retry-After, and goes on when it is back',
  async (_, isNew) => {
    const token = await worker.login()
    const list = () => worker.request('GET', '/v3/organizations', { token })
    if (isNew) await worker.pause()
    await server.stop('SIGQUIT')
    await worker.resume()
    const refused = await list()
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true])
    await server.start()
    await expect.poll(async () => (await list()).status).toBe(200)
  },
)
