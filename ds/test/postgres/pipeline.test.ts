/**
 * A pipeline and a fleet on real parts: three nodes with one database and one bucket, a token of a CI system, a webhook, and nginx that
 * asks the service about API keys.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administratorsCommand } from '../../../test/bed/administrators-command.ts'
import { type BucketServer, startBucketServer } from '../../../test/bed/bucket.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { createEnvironment, runProgram } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { getPublishCommand } from '../../../test/bed/publish-command.ts'
import { root } from '../../../test/bed/repository.ts'
import { type ReverseProxy, startReverseProxy } from '../../../test/bed/reverse-proxy.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createPostgresRuntime, runtimes } from '../../../test/bed/service-runtimes.ts'
import { waitForValue } from '../../../test/bed/wait-for.ts'
import { createLabel, createVersion, getData } from '../harness/arrange.ts'
import { createDevice, type Device } from '../harness/device.ts'
import { type OpenIdIssuer, startOpenIdIssuer } from '../harness/openid-issuer.ts'
import { startWebhookReceiver, verify, type WebhookReceiver } from '../harness/webhook-receiver.ts'

const url = 'https://ds.example'
const [before, after] = ['4.0.0', '4.1.0']
const installer = randomBytes(300_000)

let database: PostgresServer
let bucket: BucketServer
let nodes: readonly DistributionService[]
let ci: OpenIdIssuer
let receiver: WebhookReceiver
let application: Server
let proxy: ReverseProxy
let folder: string
const node = (at: number): DistributionService => {
  const found = nodes[at]
  if (!found) throw new Error('no node')
  return found
}
const admin = async (method: string, path: string, body?: Json) =>
  getData(await node(0).request(method, path, { token: await node(0).login(), body }))

beforeAll(async () => {
  ;[database, bucket, ci, receiver, folder] = await Promise.all([
    startPostgres(),
    startBucketServer(),
    startOpenIdIssuer(),
    startWebhookReceiver(),
    mkdtemp(join(tmpdir(), 'cardwire-pipeline-')),
  ])
  const address = await database.createDatabase()
  const settings = {
    ...{ DS_URL: url, DS_SECRET: randomBytes(32).toString('base64') },
    DS_WEBHOOK_PRIVATE_ADDRESSES: 'on',
    ...bucket.toSettings(await bucket.createBucket()),
  }
  const runtime = createPostgresRuntime(async () => address, runtimes.Node)
  nodes = await Promise.all([1, 2, 3].map(() => startDistributionService(runtime, settings)))
  application = createServer((_, response) => response.end('the application'))
  await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve))
  proxy = await startReverseProxy('nginx', 'nginx-gateway.conf', 'app.example', {
    '127.0.0.1:8080': new URL(node(2).url).host,
    '127.0.0.1:9000': `127.0.0.1:${(application.address() as AddressInfo).port}`,
  })
})
afterAll(async () => {
  proxy?.stop()
  application?.close()
  await Promise.all((nodes ?? []).map(({ stop }) => stop()))
  await Promise.all([receiver?.stop(), ci?.stop(), bucket?.remove(), database?.remove()])
  if (folder) await rm(folder, { recursive: true })
})

/** What each step of the pipeline adds to its command: the token of its job, and no secret. */
async function createJobArguments(at: number): Promise<readonly string[]> {
  const token = await new SignJWT({
    ...{ iss: ci.issuer, aud: url, sub: 'repo:example/cards:ref:refs/tags/v4.1.0' },
  })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(ci.privateKey)
  const file = join(folder, 'job-token')
  await writeFile(file, token)
  return ['--ds', node(at).url, '--client', 'pipeline', '--subject-token-file', file]
}

const fault = { kind: 'card-lost', detail: 'x', at: new Date().toISOString() }

test('a pipeline without a secret publishes and starts a rollout, whose halt a webhook tells', async () => {
  proves('federated-credentials', 'nodes-share-files', 'webhook-events', 'gateway-forward-auth')
  const version = await createVersion(node(0), await node(0).login(), { id: before })
  const devices = await Promise.all(
    Array.from(
      { length: 30 },
      (_, at): Promise<Device> => createDevice({ ...node(at % 3), url }, version),
    ),
  )
  await admin('POST', '/v3/api-clients', { id: 'pipeline', role: 'publisher' })
  await admin('POST', '/v3/api-clients/pipeline/credentials', {
    ...{ kind: 'federated', issuer: ci.issuer, subject: 'repo:example/cards:ref:refs/tags/*' },
  })
  const webhook = await admin('PUT', `/v3/webhooks/${crypto.randomUUID()}`, {
    ...{ name: 'Alarms', url: receiver.url, events: ['rollout.halted'] },
  })

  const file = join(folder, `cardwire_${after}_amd64.deb`)
  await writeFile(file, installer)
  const options = { env: createEnvironment(folder), cwd: root }
  const published = await runProgram(
    [
      ...[...(await getPublishCommand()), ...(await createJobArguments(0))],
      ...['--version', after, '--without-configurations', file],
    ],
    options,
  )
  expect([published.status, published.err]).toEqual([0, ''])

  await writeFile(
    join(folder, 'rollout.yaml'),
    `{ kind: rollout, version: ${after}, flag: recommended, goodRate: 1, badRate: 50, state: running,
       stages: [{ share: 90, holdS: 172800 }, { share: 100, holdS: 86400 }] }`,
  )
  const started = await runProgram(
    [
      ...[...administratorsCommand, 'apply', folder, '--max-reach', '30'],
      ...(await createJobArguments(1)),
    ],
    options,
  )
  expect([started.status, started.err]).toEqual([0, ''])

  for (const at of [0, 1, 2]) {
    const path = `/v3/downloads/installers/unix/versions/${after}`
    const { status, bytes } = await node(at).request('GET', path)
    expect([status, Buffer.compare(bytes, installer)]).toEqual([200, 0])
  }

  let offered = 0
  for (const device of devices) {
    const { reply } = await device.sync({ version: before })
    if (reply.verdict.offer?.version !== after) continue
    offered += 1
    await device.sync({ version: after, faults: [fault] })
  }
  expect(offered).toBeGreaterThan(10)
  // Rollouts are read again after a version has changed, and every 30 s.
  await createVersion(node(0), await node(0).login(), { id: '3.0.0', uris: [] })
  await devices[0]?.sync({ version: before })
  const told = await waitForValue(
    () => receiver.of('rollout.halted')[0],
    () => 'no webhook came',
  )
  expect(verify(webhook.secret, told)).toMatchObject({ type: 'rollout.halted' })
  expect(told.json.data).toMatchObject({ version: after })

  const label = await createLabel(node(0), await node(0).login())
  const ask = (apikey: string) => proxy.send('GET', '/', { headers: { apikey }, from: '127.1.1.1' })
  expect(await ask(label.apiKey)).toMatchObject({ status: 200, text: 'the application' })
  expect((await ask(crypto.randomUUID())).status).toBe(401)
})
