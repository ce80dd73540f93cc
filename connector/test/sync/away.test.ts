/** A service that is away in every way: the connector goes on with what it was told, and says each change once. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFaults } from '../../src/sync/faults.ts'
import type { Link } from '../../src/sync/link.ts'
import { openLink } from '../../src/sync/link.ts'
import { createSchedule } from '../../src/sync/schedule.ts'
import { createSynchroniser } from '../../src/sync/synchroniser.ts'
import { logInto, openDevice, type TestDevice } from './device.ts'
import {
  type DistributionService,
  registerVersion,
  startDistributionService,
} from './distribution-service.ts'

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
  const { installationApiKey: installationKey } = await registerVersion(service, version)
  await service.allow(version, ['https://a.example'])
  const impatient = openLink({ deadlines: { connectMs: 500, overallMs: 500 } })
  const between =
    (link: Link): Link =>
    async (call) =>
      elsewhere === undefined
        ? link(call)
        : impatient({ ...call, url: call.url.replace(service.url, elsewhere) })
  device = await openDevice({ dsUrl: service.url, version, installationKey, between })
  await device.once()
})
afterAll(async () => {
  device?.close()
  for (const server of servers) server.close()
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function listening(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const answering = (text: string) =>
  listening(
    createServer((socket) =>
      socket.once('data', () => socket.end(text)).on('error', () => undefined),
    ),
  )

/** An inspecting proxy whose root nobody here was told of. */
function interceptor(): Server {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const about = ['-subj', '/CN=proxy', '-addext', 'subjectAltName=IP:127.0.0.1']
  const make = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
  execFileSync('openssl', [...make, ...about, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  return createHttpsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => {
    response.end('{}')
  })
}

test('DS down, DNS failure, TLS interception, 500s, half an answer: each is one line, and nothing is lost', async () => {
  const logged: string[] = []
  const faults = openFaults(Date.now)
  const synchroniser = createSynchroniser({
    ...{ exchange: device, faults, clock: Date.now, log: logInto(logged) },
    schedule: createSchedule(Math.random),
    // Only when the test asks.
    later: () => () => undefined,
  })
  const policy = device.policy()
  const ways = {
    down: 'http://127.0.0.1:9',
    'no name': 'http://nobody.invalid',
    intercepted: `https://127.0.0.1:${await listening(interceptor())}`,
    failing: `http://127.0.0.1:${await answering('HTTP/1.1 500 Oops\r\ncontent-length: 4\r\n\r\noops')}`,
    'half an answer': `http://127.0.0.1:${await answering('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{')}`,
    silent: `http://127.0.0.1:${await listening(createServer())}`,
    there: undefined,
  }
  for (elsewhere of Object.values(ways)) {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { kind } = await synchroniser.now()
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
    expect.stringMatching(/^warn .*no answer in 0\.5 s/),
    expect.stringMatching(/^info synchronised/),
  ])
})
