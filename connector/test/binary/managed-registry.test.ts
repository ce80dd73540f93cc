/** The registry of the machine as a device of its own, with a real service: it gets its keystore there, and serves whatever happens. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Account, createAccount } from '../../../test/bed/accounts.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { createEnvironment, type Program, startProgram } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { runtimes } from '../../../test/bed/service-runtimes.ts'
import { type OpenSsl, openSsl, type Pair } from '../keystore/openssl.ts'
import { version } from './managed.ts'

const name = 'registry.example.com'
const page = 'https://shop.example'
const startMs = 60_000

let ssl: OpenSsl
let pair: Pair
let folder: string
let program: string
let service: DistributionService
let installationKey: string
beforeAll(async () => {
  ssl = openSsl()
  pair = ssl.certificate({ names: [name] })
  folder = await mkdtemp(join(tmpdir(), 'cardwire-managed-'))
  await chmod(folder, 0o755)
  await writeFile(join(folder, 'keystore.pem'), pair.cert)
  program = join(folder, 'cardwire')
  await copyFile(connectorProgram, program)
  const settings = { DS_CYCLE: '1', DS_DEVICE_APPROVAL: 'on' }
  service = await startDistributionService(runtimes.Node, settings)
  await service.putKeystore('registry.p12', ssl.keystore(pair))
  installationKey = (await service.registerVersion(version)).installationApiKey
  await service.allow(version, [page])
  await service.admin('PUT', '/v3/configurations?maxReach=999999999', {
    type: 'SSL_KEYSTORE',
    versionId: version,
    config: { uri: 'file:///registry.p12', password: 'secret' },
  })
}, startMs)
afterAll(async () => {
  ssl?.close()
  await service?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

let account: Account
let port: number
let registry: Program | undefined
beforeEach(async () => {
  account = await createAccount(folder)
  port = await findFreePort()
})
afterEach(async () => {
  await registry?.stop()
  registry = undefined
  await service.resume()
  await account.remove()
})

const environment = (settings: Readonly<Record<string, string>> = {}) =>
  createEnvironment(account.home, {
    CARDWIRE_REGISTRY_PORT: String(port),
    CARDWIRE_MACHINE_DIR: account.home,
    ...settings,
  })

/** As the service of a machine whose settings name the distribution service. */
async function start(settings: Readonly<Record<string, string>> = {}): Promise<Program> {
  const env = environment({
    CARDWIRE_DS_URL: service.url,
    CARDWIRE_INSTALLATION_KEY: installationKey,
    ...settings,
  })
  registry = startProgram([program, 'registry', '--service'], { account, env })
  await registry.waitForOutput(/listening on port/)
  return registry
}

/** The status that curl gets, by a name that it verifies with that certificate alone; 0: no connection. */
function ask(host: string, ca: string): number {
  const { stdout } = spawnSync('curl', [
    ...['--silent', '--output', '/dev/null', '--write-out', '%{http_code}'],
    ...['--resolve', `${host}:${port}:127.0.0.1`, '--cacert', ca],
    ...['--header', 'x-csrf-token: t1c-js'],
    `https://${host}:${port}/info`,
  ])
  return Number(stdout.toString())
}

const asKeystore = () => ask(name, join(folder, 'keystore.pem'))
const asLocalhost = () => ask('localhost', join(account.home, 'public/rootCA.pem'))

const readState = async (): Promise<Json> =>
  JSON.parse(await readFile(join(account.home, 'public/service.json'), 'utf8'))

/** The device that the registry is at the service. */
async function findDevice(): Promise<Json> {
  const { sync } = await readState()
  expect(sync).toMatchObject({ service: service.url, standing: 'good' })
  return service.admin('GET', `/v3/devices/${sync.device}`)
}

test('registry of the machine registers as a device of its own, and serves its keystore once that is approved', async () => {
  proves('registry-is-device', 'registry-key-planted')
  const { output } = await start()
  await expect.poll(findDevice).toMatchObject({
    approved: false,
    device: { component: 'registry' },
    user: {},
  })
  expect([asLocalhost(), asKeystore()]).toEqual([200, 0])
  const { id } = await findDevice()
  await service.admin('POST', `/v3/devices/${id}/approve`)
  await expect.poll(asKeystore).toBe(200)
  expect(asLocalhost()).toBe(200)
  await expect.poll(readState).toMatchObject({ keystore: { names: [name] }, faults: [] })
  expect(output()).not.toContain(installationKey)
})

test('registry of the machine keeps its key and its keystore to its account, and publishes its state', async () => {
  proves('registry-key-planted')
  await start()
  await expect.poll(findDevice).toMatchObject({ blocked: false })
  const mode = async (path: string) =>
    ((await stat(join(account.home, path))).mode & 0o777).toString(8)
  expect(await mode('runtime')).toBe('700')
  expect(await mode('runtime/identity-key.pem')).toBe('600')
  expect(await mode('runtime/service.json')).toBe('600')
  expect(await mode('public/service.json')).toBe('644')
  const published = await readFile(join(account.home, 'public/service.json'), 'utf8')
  expect(published).not.toContain(installationKey)
})

test('registry of the machine answers the origins that the service allows, before any connector has registered', async () => {
  proves('registry-is-device')
  await start()
  const answer = () =>
    spawnSync('curl', [
      ...['--silent', '--include', '--cacert', join(account.home, 'public/rootCA.pem')],
      ...['--header', `origin: ${page}`, '--header', 'x-csrf-token: t1c-js'],
      `https://localhost:${port}/info`,
    ]).stdout.toString()
  await expect.poll(answer).toMatch(/^HTTP\/1.1 200/)
})

test('registry of the machine serves while the service does not answer, and with the keystore that it has', async () => {
  proves('service-blocks-registry')
  await start()
  await expect.poll(findDevice).toMatchObject({ approved: false })
  const { id } = await findDevice()
  await service.admin('POST', `/v3/devices/${id}/approve`)
  await expect.poll(asKeystore).toBe(200)
  await registry?.stop()
  await service.pause()
  await start()
  expect([asLocalhost(), asKeystore()]).toEqual([200, 200])
})

test('registry of the machine serves while the service refuses it, and says why', async () => {
  proves('service-blocks-registry')
  await start({ CARDWIRE_INSTALLATION_KEY: crypto.randomUUID() })
  await expect
    .poll(readState)
    .toMatchObject({ sync: { standing: 'refused', code: 'api-key-refused' } })
  expect(asLocalhost()).toBe(200)
  const { stdout } = spawnSync(program, ['doctor'], { env: environment(), encoding: 'utf8' })
  expect(stdout).toContain(
    `✗ the registry of this computer (not registered at ${service.url}) is not syncing`,
  )
  const status = spawnSync(program, ['status'], { env: environment(), encoding: 'utf8' })
  expect(status.stdout).toContain(
    `computer      ${service.url}, not registered, registration rejected: `,
  )
  const own = spawnSync(program, ['registry', 'status'], { env: environment(), encoding: 'utf8' })
  expect([own.status, own.stdout]).toEqual([
    1,
    expect.stringMatching(/^status {6}registration rejected: /m),
  ])
})

test('registry of the machine serves where its key cannot be kept', async () => {
  proves('service-blocks-registry')
  await writeFile(join(account.home, 'runtime'), 'no folder')
  const { output } = await start()
  expect(asLocalhost()).toBe(200)
  expect(output()).toContain('no service manages this registry')
})

test('registry of the machine ends with 78 when the service stops its version', async () => {
  proves('disallowed-registry-ends')
  const { id } = await service.registerVersion('4.0.1')
  await service.registerVersion(version, { allowed: false })
  try {
    const { child } = await start()
    await expect.poll(() => child.exitCode).toBe(78)
  } finally {
    await service.registerVersion(version)
    await service.admin('DELETE', `/v3/versions/${id}?maxReach=999999999`)
  }
})

test('registry of the machine takes no settings from the home of its account', async () => {
  proves('registry-key-planted')
  await mkdir(join(account.home, '.config/cardwire'), { recursive: true })
  await writeFile(
    join(account.home, '.config/cardwire/cardwire.conf'),
    `CARDWIRE_DS_URL=${service.url}\nCARDWIRE_INSTALLATION_KEY=${installationKey}\n`,
  )
  await start({ CARDWIRE_DS_URL: '', CARDWIRE_INSTALLATION_KEY: '' })
  expect(asLocalhost()).toBe(200)
  expect(existsSync(join(account.home, 'runtime'))).toBe(false)
  expect(existsSync(join(account.home, 'public/service.json'))).toBe(false)
})
