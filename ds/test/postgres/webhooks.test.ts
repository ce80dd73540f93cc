/** Webhooks of two nodes on one PostgreSQL database: an event is sent once, and one node sends what another one has left. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createPostgresRuntime, runtimes } from '../../../test/bed/service-runtimes.ts'
import { withDatabase } from '../harness/stored-data.ts'
import {
  startWebhookReceiver,
  type WebhookReceiver,
  withStatus,
} from '../harness/webhook-receiver.ts'

let server: PostgresServer
let nodes: DistributionService[] = []
let receiver: WebhookReceiver
const url = 'https://ds.example'

beforeAll(async () => {
  server = await startPostgres()
  receiver = await startWebhookReceiver()
  const address = await server.createDatabase()
  const settings = {
    ...{ DS_URL: url, DS_SECRET: randomBytes(32).toString('base64') },
    DS_WEBHOOK_PRIVATE_ADDRESSES: 'on',
  }
  const start = () =>
    startDistributionService(
      createPostgresRuntime(async () => address, runtimes.Node),
      settings,
    )
  nodes = await Promise.all([start(), start()])
})
afterAll(async () => {
  await Promise.all(nodes.map(({ stop }) => stop()))
  await receiver?.stop()
  await server?.remove()
})

const node = (at: number): DistributionService => {
  const found = nodes[at % nodes.length]
  if (!found) throw new Error('no node')
  return found
}
const addAdministrator = (at: number, name: string) =>
  node(at).admin('POST', '/v3/administrators', { name, role: 'viewer' })
const subjects = () => receiver.received.map(({ json }) => json.subject)

test('two nodes send each event once, in the order of the audit log, and one takes over from the other', async () => {
  proves('webhook-events', 'webhook-retry')
  const body = { name: 'Nodes', url: receiver.url, events: ['administrator.added'] }
  await node(0).admin('PUT', `/v3/webhooks/${crypto.randomUUID()}`, body)
  const names = Array.from({ length: 12 }, (_, at) => `account-${String(at).padStart(2, '0')}`)
  for (const [at, name] of names.entries()) await addAdministrator(at, name)
  const expected = names.map((name) => `administrators/${name}`)
  await expect.poll(subjects).toEqual(expected)

  // It gets an event and says nothing, so the node that sent it is waiting when both are killed.
  const gone = Promise.withResolvers<void>()
  receiver.answer = () => gone.resolve()
  await addAdministrator(0, 'last')
  await gone.promise
  await Promise.all(nodes.map(({ pause }) => pause('SIGKILL')))
  receiver.answer = withStatus(204)
  await node(1).resume()
  // As if the lease were over.
  await withDatabase(node(1), ({ run }) => run('update webhooks set lease_until = 0'))
  await expect.poll(subjects).toEqual([...expected, 'administrators/last', 'administrators/last'])
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(13)
})
