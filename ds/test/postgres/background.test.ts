/** What a node of the service does in the background ends before its process does. */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { createPostgresRuntime } from '../../../test/bed/service-runtimes.ts'
import { createRollout, createVersion } from '../harness/arrange.ts'

let server: PostgresServer
let address: string
let node: DistributionService
/** Of someone else, in whose transactions the service's statements have to wait. */
let other: pg.Client
beforeAll(async () => {
  server = await startPostgres()
  address = await server.createDatabase()
  node = await startDistributionService(createPostgresRuntime(async () => address))
  other = new pg.Client(address)
  await other.connect()
})
afterAll(async () => {
  await other?.end()
  await node?.stop()
  await server?.remove()
})

const isUp = async () =>
  node.request('GET', '/health').then(
    () => true,
    () => false,
  )

test('a rollout that a node takes further when it is told to stop is stored before it stops', async () => {
  const token = await node.login()
  const { id: version } = await createVersion(node, token, { recommended: false })
  const stages = [{ share: 100, holdS: 60 }]
  const { id } = await createRollout(node, token, 'running', { version, stages })
  await other.query('update rollouts set stage_at = stage_at - 3600000')
  await other.query('begin')
  // The first thing that is read, and nothing that the answer waits for.
  await other.query('lock table rollout_devices in access exclusive mode')
  await node.request('GET', '/v3/versions/latest', { token })
  const ended = node.pause()
  await expect.poll(isUp).toBe(false)
  await other.query('commit')
  expect(await ended).toBe(0)
  const { rows } = await other.query('select state from rollouts where id = $1', [id])
  expect(rows).toEqual([{ state: 'finished' }])
})
