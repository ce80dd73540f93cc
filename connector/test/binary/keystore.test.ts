/** The compiled connector with a keystore of its service: what TLS clients see, by the name that they ask for. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type OpenSsl, openSsl, type Pair } from '../keystore/openssl.ts'
import {
  type DistributionService,
  registerVersion,
  startDistributionService,
} from '../sync/distribution-service.ts'
import {
  binary,
  type Connector,
  environmentOf,
  freePort,
  homePaths,
  newHome,
  startConnector,
} from './harness.ts'

/** The version of the binary. */
const version = '4.0.0'
const name = 'connector.example.com'
const patient = { timeout: 15_000, interval: 50 }

let ssl: OpenSsl
let service: DistributionService
let installationKey: string
let home: string
let registryPort: string
let configuration: string | undefined
const closing: (() => unknown)[] = []

beforeAll(async () => {
  ssl = openSsl()
  service = await startDistributionService()
  installationKey = (await registerVersion(service, version)).installationApiKey
})
beforeEach(async () => {
  home = await newHome()
  registryPort = String(await freePort())
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
  await rm(home, { recursive: true, force: true })
  if (configuration) await service.admin('DELETE', `/v3/configurations/${configuration}`)
  configuration = undefined
})
afterAll(async () => {
  await service?.stop()
  ssl?.close()
})

const managed = (): Readonly<Record<string, string>> => ({
  CARDWIRE_DS_URL: service.url,
  CARDWIRE_INSTALLATION_KEY: installationKey,
  CARDWIRE_REGISTRY_PORT: registryPort,
})

async function start(settings: Readonly<Record<string, string>> = {}): Promise<Connector> {
  const connector = await startConnector({ ...managed(), ...settings }, home)
  closing.push(connector.stop)
  return connector
}

/** Has the service hand out this pair from now on. */
async function configure(pair: Pair, password = 'secret'): Promise<void> {
  await mkdir(join(service.folder, 'packages'), { recursive: true })
  await writeFile(join(service.folder, 'packages/store.p12'), ssl.keystore(pair))
  const { id } = await service.admin('PUT', '/v3/configurations', {
    ...{ type: 'SSL_KEYSTORE', versionId: version },
    ...(configuration && { id: configuration }),
    config: { uri: 'file:///store.p12', password },
  })
  configuration = id
}

const synchronise = (connector: Connector) => connector.ask('/v3/sync', { method: 'POST' })

/** The fingerprint that OpenSSL is shown on a port for a server name; undefined: it sends none. */
async function shown(
  port: number | string,
  servername?: string,
  host = '127.0.0.1',
): Promise<string> {
  // Not waited for in one go: a connection that the server has closed meanwhile must not be used again.
  const child = spawn('openssl', [
    ...['s_client', '-connect', `${host}:${port}`],
    ...(servername === undefined ? ['-noservername'] : ['-servername', servername]),
  ])
  let said = ''
  child.stdout.on('data', (part: Buffer) => {
    said += part.toString()
  })
  child.stdin.on('error', () => undefined).end()
  await once(child, 'close')
  const [pem] = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/.exec(said) ?? []
  return pem === undefined ? 'none' : fingerprintOf({ cert: pem })
}

const fingerprintOf = ({ cert }: Pick<Pair, 'cert'>) => new X509Certificate(cert).fingerprint256

/** Asks by name, with a verification of its own; answers with the status. */
const statusOf = (port: number | string, hostname: string, ca: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { host: hostname, 'x-csrf-token': 't1c-js' }
    const options = { host: '127.0.0.1', port, path: '/info', servername: hostname, headers, ca }
    request(options, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode))
    })
      .once('error', reject)
      .end()
  })

const cardwire = (args: readonly string[], settings: Readonly<Record<string, string>> = {}) =>
  spawnSync(binary, args, {
    env: environmentOf(home, { ...managed(), ...settings }),
    encoding: 'utf8',
  })

test('a keystore is served for its names, beside the leaf of localhost, by API and registry, without a restart', async () => {
  const connector = await start()
  const { port, ca } = connector
  const leaf = await shown(port, 'localhost')
  expect((await synchronise(connector)).json.data.standing).toBe('good')
  expect(await shown(port, name)).toBe(leaf)
  await expect(statusOf(port, name, ca)).rejects.toThrow()

  const names = [name, '*.desk.example.com', 'localhost', '127.0.0.1']
  const pair = ssl.certificate({ names })
  await configure(pair)
  await synchronise(connector)
  await vi.waitFor(async () => expect(await shown(port, name)).toBe(fingerprintOf(pair)), patient)
  for (const host of ['127.0.0.1', '[::1]'])
    expect(await shown(port, 'a.desk.example.com', host)).toBe(fingerprintOf(pair))
  for (const other of ['localhost', 'other.example.com', 'a.b.desk.example.com', undefined])
    expect(await shown(port, other)).toBe(leaf)
  expect(await statusOf(port, name, pair.cert)).toBe(200)
  expect(await statusOf(port, 'a.desk.example.com', pair.cert)).toBe(200)
  expect(await statusOf(port, 'localhost', ca)).toBe(200)
  // What is in no certificate is no name of the connector, whatever the TLS was for.
  const elsewhere = await connector.ask('/info', { host: 'a.b.desk.example.com' })
  expect([elsewhere.status, elsewhere.json.success]).toEqual([421, false])
  await vi.waitFor(
    async () => expect(await shown(registryPort, name)).toBe(fingerprintOf(pair)),
    patient,
  )
  expect(await statusOf(registryPort, name, pair.cert)).toBe(200)
  expect(await shown(registryPort, 'localhost')).toBe(leaf)

  const next = ssl.certificate({ names: ['new.example.com'] })
  await configure(next)
  await synchronise(connector)
  await vi.waitFor(
    async () => expect(await shown(port, 'new.example.com')).toBe(fingerprintOf(next)),
    patient,
  )
  expect(await shown(port, name)).toBe(leaf)
  expect((await connector.ask('/info', { host: name })).status).toBe(421)
  await vi.waitFor(
    async () => expect(await shown(registryPort, 'new.example.com')).toBe(fingerprintOf(next)),
    patient,
  )

  await service.admin('DELETE', `/v3/configurations/${configuration}`)
  configuration = undefined
  await synchronise(connector)
  await vi.waitFor(async () => expect(await shown(port, 'new.example.com')).toBe(leaf), patient)
  expect(existsSync(join(homePaths(home).runtime, 'keystore.pem'))).toBe(false)
}, 60_000)

test('a keystore that is kept is served from the start, while the service is away', async () => {
  const pair = ssl.certificate()
  await configure(pair)
  const first = await start()
  await synchronise(first)
  await vi.waitFor(
    async () => expect(await shown(first.port, name)).toBe(fingerprintOf(pair)),
    patient,
  )
  await first.stop()
  await service.pause()
  closing.push(() => service.resume())
  const second = await start()
  expect(await shown(second.port, name)).toBe(fingerprintOf(pair))
})

test('a keystore that is refused is told to the service with the reason, and the next good one ends that', async () => {
  await configure(ssl.certificate(), 'another')
  const connector = await start()
  await vi.waitFor(() => expect(connector.output()).toContain('keystore not in force'), patient)
  const { json } = await synchronise(connector)
  const faults = async () =>
    (await service.admin('GET', `/v3/devices/${json.data.device}`)).faults.map(
      ({ kind, detail }: { kind: string; detail: string }) => `${kind}: ${detail}`,
    )
  expect(await faults()).toEqual([
    'keystore-refused: Cannot use the keystore: its password is another one, or the file is damaged',
  ])
  const pair = ssl.certificate()
  await configure(pair)
  await synchronise(connector)
  await vi.waitFor(
    async () => expect(await shown(connector.port, name)).toBe(fingerprintOf(pair)),
    patient,
  )
  await synchronise(connector)
  const device = await service.admin('GET', `/v3/devices/${json.data.device}`)
  expect([device.faults, device.keystore?.length]).toEqual([[], 64])
})

test('without a local authority a keystore stands alone: for every name, and for the programs of the person', async () => {
  const pair = ssl.certificate()
  await configure(pair)
  const off = { CARDWIRE_LOCAL_CA: 'off' }
  const { port, output } = await start(off)
  for (const asked of [name, 'localhost', undefined])
    expect(await shown(port, asked)).toBe(fingerprintOf(pair))
  expect(await statusOf(port, name, pair.cert)).toBe(200)
  expect(existsSync(homePaths(home).certificates)).toBe(false)
  await vi.waitFor(
    async () => expect(await shown(registryPort, name)).toBe(fingerprintOf(pair)),
    patient,
  )
  await vi.waitFor(() => expect(output()).toContain('registry found'), patient)
  const { status, stdout } = cardwire(['sync'], off)
  expect([status, stdout]).toEqual([0, expect.stringContaining('synchronised')])
  expect(cardwire(['doctor'], off).stdout).toContain('the keystore of the service is good until')
}, 60_000)

test('without a local authority and without a keystore it ends, and says why', async () => {
  const child = execFileSync.bind(undefined, binary, ['run'], {
    env: environmentOf(home, {
      ...managed(),
      CARDWIRE_LOCAL_CA: 'off',
      CARDWIRE_API_PORTS: '25200-25999',
      CARDWIRE_MACHINE_DIR: join(home, 'machine'),
    }),
    encoding: 'utf8',
    stdio: 'pipe',
  })
  expect(child).toThrow(/CARDWIRE_LOCAL_CA is off, and there is no keystore/)
})
