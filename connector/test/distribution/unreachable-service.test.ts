/** A service that cannot be reached, in every way: the connector keeps its policy, and logs each cause once. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { createLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { HttpTransport } from '../../src/distribution/client/transport.ts'
import { createTransport } from '../../src/distribution/client/transport.ts'
import { createFaults } from '../../src/distribution/sync/faults.ts'
import { createSchedule } from '../../src/distribution/sync/schedule.ts'
import { createSynchronizer } from '../../src/distribution/sync/synchronizer.ts'
import { openDevice, type TestDevice } from './device.ts'

const version = '4.0.0'
let service: DistributionService
let device: TestDevice
let folder: string
const servers: Server[] = []

/** Where requests go instead of the service. */
let elsewhere: string | undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-away-'))
  service = await startDistributionService()
  const { installationApiKey: installationKey } = await service.registerVersion(version)
  await service.allow(version, ['https://a.example'])
  const impatient = createTransport({ deadlines: { connectMs: 500, overallMs: 500 } })
  const wrapTransport =
    (link: HttpTransport): HttpTransport =>
    async (call) =>
      elsewhere === undefined
        ? link(call)
        : impatient({ ...call, url: call.url.replace(service.url, elsewhere) })
  device = await openDevice({ dsUrl: service.url, version, installationKey, wrapTransport })
  await device.syncOnce()
})
afterAll(async () => {
  device?.close()
  for (const server of servers) server.close()
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const listenWith = (text: string) =>
  listen(
    createServer((socket) =>
      socket.once('data', () => socket.end(text)).on('error', () => undefined),
    ),
  )

/** An inspecting proxy whose root nobody here was told of. */
function createInterceptor(): Server {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const about = ['-subj', '/CN=proxy', '-addext', 'subjectAltName=IP:127.0.0.1']
  const make = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
  execFileSync('openssl', [...make, ...about, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  return createHttpsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => {
    response.end('{}')
  })
}

test('an unreachable service is one log line per cause, and the policy stays', async () => {
  proves('service-unreachable')
  const logged: string[] = []
  const faults = createFaults(Date.now)
  const synchronizer = createSynchronizer({
    session: device,
    faults,
    clock: Date.now,
    log: createLog(logged),
    schedule: createSchedule(Math.random),
    // Only when the test asks.
    startTimer: () => () => undefined,
  })
  const policy = device.policy()
  const ways = {
    down: 'http://127.0.0.1:9',
    'no name': 'http://nobody.invalid',
    intercepted: `https://127.0.0.1:${await listen(createInterceptor())}`,
    failing: `http://127.0.0.1:${await listenWith('HTTP/1.1 500 Oops\r\ncontent-length: 4\r\n\r\noops')}`,
    'half an answer': `http://127.0.0.1:${await listenWith('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{')}`,
    silent: `http://127.0.0.1:${await listen(createServer())}`,
    there: undefined,
  }
  for (elsewhere of Object.values(ways)) {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { kind } = await synchronizer.synchronize()
      expect(kind).toBe(elsewhere === undefined ? 'good' : 'unreachable')
      expect(device.policy()).toEqual(policy)
    }
  }
  expect(logged).toEqual([
    expect.stringMatching(/^warn .*Cannot reach 127\.0\.0\.1:9/),
    expect.stringMatching(/^warn .*Cannot reach nobody\.invalid/),
    expect.stringMatching(/^warn .*certificate/),
    expect.stringMatching(/^warn .*status 500/),
    expect.stringMatching(/^warn .*Cannot reach/),
    expect.stringMatching(/^warn .*no response in 0\.5 s/),
    expect.stringMatching(/^info synced/),
  ])
})
