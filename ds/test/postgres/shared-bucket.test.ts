/** Three nodes on one PostgreSQL database with their files in one bucket: each serves what another one stored. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BucketServer, startBucketServer } from '../../../test/bed/bucket.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createPostgresRuntime, runtimes } from '../../../test/bed/service-runtimes.ts'
import { createVersion, nextInstaller } from '../harness/arrange.ts'

const large = Uint8Array.from({ length: 9_000_000 }, (_, at) => (at * 31 + (at >> 8) * 7) % 256)

let database: PostgresServer
let server: BucketServer
let nodes: readonly DistributionService[]
const node = (at: number): DistributionService => {
  const found = nodes[at % nodes.length]
  if (!found) throw new Error('no node')
  return found
}
beforeAll(async () => {
  ;[database, server] = await Promise.all([startPostgres(), startBucketServer()])
  const address = await database.createDatabase()
  const settings = {
    DS_URL: 'https://ds.example',
    DS_SECRET: randomBytes(32).toString('base64'),
    ...server.toSettings(await server.createBucket()),
  }
  nodes = await Promise.all(
    [runtimes.Node, runtimes.Node, runtimes.Deno].map((runtime) =>
      startDistributionService(
        createPostgresRuntime(async () => address, runtime),
        settings,
      ),
    ),
  )
})
afterAll(async () => {
  await Promise.all((nodes ?? []).map(({ stop }) => stop()))
  await server?.remove()
  await database?.remove()
})

test('what one node stored is registered at another and downloaded from each, at once', async () => {
  proves('installer-location', 'nodes-share-files')
  for (const from of [0, 1, 2]) {
    const token = await node(from).login()
    const name = nextInstaller()
    const stored = await node(from).request('PUT', `/v3/installers/${name}`, {
      token,
      headers: { 'content-type': 'application/octet-stream' },
      body: large,
    })
    expect(stored.status).toBe(201)
    const { id } = await createVersion(node(from + 1), token, {
      uris: [{ os: 'UNIX', uri: `file:///${name}` }],
    })
    for (const at of [0, 1, 2]) {
      const path = `/v3/downloads/installers/unix/versions/${id}`
      const sent = await node(at).request('GET', path)
      expect([sent.status, Buffer.compare(sent.bytes, large)]).toEqual([200, 0])
    }
    const refused = await node(from + 2).request('DELETE', `/v3/installers/${name}`, { token })
    expect(refused.status).toBe(409)
  }
})

test('what one node removed is gone from the others', async () => {
  proves('nodes-share-files')
  const token = await node(0).login()
  const name = nextInstaller()
  const path = `/v3/installers/${name}`
  const body = 'bytes of an installer'
  await node(0).request('PUT', path, {
    token,
    headers: { 'content-type': 'application/octet-stream' },
    body,
  })
  const read = (at: number) => node(at).request('GET', path, { token })
  expect((await read(2)).json.data.size).toBe(body.length)
  expect((await node(1).request('DELETE', path, { token })).status).toBe(200)
  for (const at of [0, 1, 2]) expect((await read(at)).status).toBe(404)
})
