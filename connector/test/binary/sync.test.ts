/** The compiled connector and its distribution service: what an administrator decides is what the connector lives by. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  registerVersion,
  startDistributionService,
} from '../sync/distribution-service.ts'
import { type Display, startDisplay } from './display.ts'
import {
  type Ask,
  askHttps,
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
const [first, second] = ['https://first.example', 'https://second.example']
/** Within which the connector has to end. */
const endMs = 10_000
const patient = { timeout: 15_000, interval: 50 }

let service: DistributionService
let installationKey: string
let display: Display
let home: string
const closing: (() => unknown)[] = []

beforeAll(async () => {
  service = await startDistributionService()
  installationKey = (await registerVersion(service, version)).installationApiKey
  display = await startDisplay()
})
beforeEach(async () => {
  home = await newHome()
  await service.allow(version, [first])
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
  await rm(home, { recursive: true, force: true })
})
afterAll(async () => {
  await service?.stop()
  await display?.stop()
})

const managed = () => ({
  CARDWIRE_DS_URL: service.url,
  CARDWIRE_INSTALLATION_KEY: installationKey,
})

async function start(settings: Readonly<Record<string, string>> = {}): Promise<Connector> {
  const connector = await startConnector({ ...managed(), ...settings }, home)
  closing.push(connector.stop)
  return connector
}

const cardwire = (...args: string[]) => {
  const { status, stdout } = spawnSync(binary, args, {
    env: environmentOf(home, { CARDWIRE_DS_URL: service.url }),
    encoding: 'utf8',
  })
  return { status, stdout }
}

async function synchronised(settings: Readonly<Record<string, string>> = {}): Promise<Connector> {
  const connector = await start(settings)
  expect(cardwire('sync')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('✓ synchronised'),
  })
  return connector
}

const asPage = (connector: Connector, origin: string, path: string, options: Ask = {}) =>
  connector.ask(path, {
    ...options,
    headers: {
      origin,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'cors',
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
    },
  })

async function consent(connector: Connector, origin: string): Promise<void> {
  const codeWord = `::t1c::miksa::${crypto.randomUUID().replaceAll('-', '')}`
  await display.copy(codeWord)
  const body = JSON.stringify({ codeWord })
  const { json } = await asPage(connector, origin, '/v3/consent', {
    ...{ method: 'POST', body, token: null },
  })
  expect(json.data.consentState).toBe('APPROVED')
}

/** Opens the stream of reader events as a page; `ended` when the connector closes it. */
async function openStream({ port, ca }: Connector, origin: string, token: string) {
  const sent = request({
    ...{ host: '127.0.0.1', port, servername: 'localhost', ca, path: '/v3/readers/events' },
    headers: {
      origin,
      'x-csrf-token': 't1c-js',
      'sec-fetch-site': 'cross-site',
      authorization: `Bearer ${token}`,
    },
  })
  sent.end()
  const [response] = await once(sent, 'response')
  const ended = once(response.resume(), 'end')
  return { status: response.statusCode, ended }
}

describe('an allowlist that an administrator changes', () => {
  test('counts after the next synchronisation, for open streams and the registry too, with no restart', async () => {
    const registryPort = await freePort()
    const connector = await synchronised({
      DISPLAY: display.name,
      CARDWIRE_REGISTRY_PORT: String(registryPort),
    })
    const token = await service.applicationToken()
    await consent(connector, first)
    expect((await asPage(connector, first, '/v3/version', { token })).status).toBe(200)
    expect((await asPage(connector, second, '/v3/version', { token })).json.code).toBe('104002')
    const stream = await openStream(connector, first, token)
    expect(stream.status).toBe(200)

    await service.allow(version, [second])
    expect(cardwire('sync').status).toBe(0)
    // Not only at the next comment, which comes every five seconds.
    const told = performance.now()
    await stream.ended
    expect(performance.now() - told).toBeLessThan(2000)
    const refused = await asPage(connector, first, '/v3/version', { token })
    expect([refused.status, refused.json.code]).toEqual([403, '104002'])
    expect(refused.headers['access-control-allow-origin']).toBeUndefined()
    await consent(connector, second)
    expect((await asPage(connector, second, '/v3/version', { token })).status).toBe(200)
    const registry = async (origin: string) =>
      (
        await askHttps(registryPort, connector.ca, '/info', {
          headers: { origin, 'sec-fetch-site': 'cross-site' },
        })
      ).status
    await expect.poll(() => registry(second), patient).toBe(200)
    await expect.poll(() => registry(first), patient).toBe(403)

    // The page itself asks, as the clients' dsCorsSync does.
    await service.allow(version, [first, second])
    expect((await asPage(connector, second, '/v3/agents', { token })).status).toBe(200)
    const again = () => asPage(connector, first, '/v3/version', { token })
    await expect.poll(async () => (await again()).status, patient).toBe(200)
  })

  test('takes the place of the list of the settings, which counts until there is one', async () => {
    await service.pause()
    const connector = await start({ CARDWIRE_CORS: 'https://settings.example' })
    const status = async (origin: string) => (await asPage(connector, origin, '/info')).status
    expect([await status('https://settings.example'), await status(first)]).toEqual([200, 403])
    expect((await connector.ask('/info')).json.data.t1CInfoAPI.status).toBe('UNREGISTERED')
    expect(cardwire('sync')).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/not registered[\s\S]*✗ not synchronised: Cannot reach/),
    })
    await service.resume()
    expect(cardwire('sync').status).toBe(0)
    expect([await status('https://settings.example'), await status(first)]).toEqual([403, 200])
    expect((await connector.ask('/info')).json.data.t1CInfoAPI).toMatchObject({
      status: 'ACTIVATED',
      cors: [first],
      service: { distributionServiceUrl: service.url },
    })
  })
})

test('A machine without network lives by what it was told last, tokens included, also after a restart', async () => {
  await (await synchronised()).stop()
  const token = await service.applicationToken()
  await service.pause()
  const connector = await start({ CARDWIRE_INSTALLATION_KEY: '' })
  try {
    expect((await connector.ask('/info')).json.data.t1CInfoAPI).toMatchObject({
      status: 'ACTIVATED',
      cors: [first],
    })
    expect((await connector.ask('/v3/version', { token })).status).toBe(200)
    expect((await connector.ask('/v3/version', { token: `${token}x` })).status).toBe(401)
  } finally {
    await service.resume()
  }
})

test('A token of a key that came after the last synchronisation is good', async () => {
  const connector = await synchronised()
  const keys: { id: string; use: string; state: string }[] = await service.admin(
    'GET',
    '/v3/signing-keys',
  )
  const signing = keys.find(({ use, state }) => use === 'application' && state === 'signing')
  await service.admin('DELETE', `/v3/signing-keys/${signing?.id}`)
  const token = await service.applicationToken()
  expect((await connector.ask('/v3/version', { token })).status).toBe(200)
})

describe('a verdict', () => {
  /** Starts it and waits for its end: the status, and what it took from the start. */
  async function runsUntil(settings: Readonly<Record<string, string>> = {}) {
    const connector = await start(settings)
    const [status] = await once(connector.child, 'exit')
    return { status, output: connector.output() }
  }
  const judge = (more: Readonly<Record<string, boolean>>) => registerVersion(service, version, more)

  afterEach(async () => {
    await service.resume().catch(() => undefined)
    await judge({ allowed: true })
    await service.admin('DELETE', '/v3/versions/4.1.0').catch(() => undefined)
  })

  test('that forbids this version ends it with 78 within ten seconds, again at each start, until it is taken back', async () => {
    const connector = await synchronised()
    await judge({ allowed: false })
    const ended = once(connector.child, 'exit')
    const told = performance.now()
    cardwire('sync')
    expect((await ended)[0]).toBe(78)
    expect(performance.now() - told).toBeLessThan(endMs)
    expect(connector.output()).toContain('this version must not run on')

    await service.pause()
    const begin = performance.now()
    expect((await runsUntil({ CARDWIRE_INSTALLATION_KEY: '' })).status).toBe(78)
    expect(performance.now() - begin).toBeLessThan(endMs)

    await service.resume()
    await judge({ allowed: true })
    const free = await start()
    await expect.poll(free.output, patient).toContain('this version may run on')
    expect((await free.ask('/v3/version')).status).toBe(200)
  })

  test('that wants another version shows it in a window with a link, and ends this one', async () => {
    const connector = await synchronised({ DISPLAY: display.name })
    await registerVersion(service, '4.1.0', { mandatory: true })
    const ended = once(connector.child, 'exit')
    cardwire('sync')
    const told = performance.now()
    expect(windowOf('Cardwire has to be updated')).not.toBe('')
    expect(commandOf('zenity')).toContain('--ok-label=Download 4.1.0')
    expect((await ended)[0]).toBe(78)
    expect(performance.now() - told).toBeLessThan(endMs)
  })

  test('that recommends another version shows it, and lets this one run', async () => {
    const connector = await synchronised({ DISPLAY: display.name })
    await registerVersion(service, '4.1.0', { recommended: true })
    cardwire('sync')
    press(windowOf('Cardwire can be updated'), 'Escape')
    expect(cardwire('sync').status).toBe(0)
    const shown = () => connector.output().match(/another version is recommended/g)
    await expect.poll(shown, patient).toHaveLength(1)
    expect((await connector.ask('/v3/version')).status).toBe(200)
  })

  /** Waits for a window that a person sees. */
  const windowOf = (title: string) =>
    execFileSync('xdotool', ['search', '--sync', '--onlyvisible', '--name', `^${title}$`], {
      env: { ...process.env, DISPLAY: display.name },
      encoding: 'utf8',
      timeout: endMs,
    }).trim()
  const press = (window: string, key: string) =>
    execFileSync('xdotool', ['windowfocus', '--sync', window, 'key', key], {
      env: { ...process.env, DISPLAY: display.name },
    })
  const commandOf = (program: string) =>
    spawnSync('pgrep', ['-a', program], { encoding: 'utf8' }).stdout
})

describe('digests of the installation', () => {
  let folder: string

  /** The program and what lies beside it, somewhere else. */
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cardwire-installed-'))
    for (const name of readdirSync(dirname(binary)))
      copyFileSync(join(dirname(binary), name), join(folder, name))
    closing.push(() => rm(folder, { recursive: true, force: true }))
  })
  afterEach(() => configure([]))

  const sha256 = (name: string) =>
    `sha256:${createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')}`

  async function configure(files: readonly { path: string; digest: string }[]) {
    const { items } = await service.admin('GET', '/v3/configurations?size=100')
    const held = items.find(({ type }: { type: string }) => type === 'FILE_DIGESTS')
    await service.admin('PUT', '/v3/configurations', {
      ...{ type: 'FILE_DIGESTS', versionId: version, config: { files } },
      ...(held && { id: held.id }),
    })
  }

  async function run(): Promise<{ child: ChildProcess; output: () => string }> {
    const child = spawn(join(folder, 'cardwire'), ['run'], {
      env: environmentOf(home, {
        ...managed(),
        CARDWIRE_API_PORTS: '25200-25999',
        CARDWIRE_REGISTRY_PORT: String(await freePort()),
        CARDWIRE_MACHINE_DIR: join(home, 'machine'),
      }),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let output = ''
    child.stderr.on('data', (part) => {
      output += String(part)
    })
    closing.push(() => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill()
      return ended
    })
    return { child, output: () => output }
  }

  test('that are right let it run; a file that was altered since ends the next start with 3, and the service is told', async () => {
    const files = ['cardwire', 'smartcard_list.txt']
    await configure(files.map((path) => ({ path, digest: sha256(path) })))
    const good = await run()
    await expect.poll(good.output, patient).toContain('synchronised')
    const [device] = (await service.admin('GET', '/v3/devices?size=1')).items
    expect(device.faults).toEqual([])
    const stopped = once(good.child, 'exit')
    good.child.kill()
    expect((await stopped)[0]).toBe(0)

    writeFileSync(join(folder, 'smartcard_list.txt'), 'another list')
    const altered = await run()
    expect((await once(altered.child, 'exit'))[0]).toBe(3)
    expect(altered.output()).toContain('files of the installation were altered')
    expect((await service.admin('GET', `/v3/devices/${device.id}`)).faults).toMatchObject([
      { kind: 'digest-mismatch', detail: 'smartcard_list.txt' },
    ])
  })
})

test('The installation key is sent once: no file, no log and no child of the connector has it', async () => {
  const connector = await synchronised({ CARDWIRE_LOG_LEVEL: 'debug' })
  const { pid } = (await connector.ask('/info')).json.data.t1CInfoAPI.registry
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
  expect(environment).toContain('CARDWIRE_DS_URL')
  const files = execFileSync('find', [home, '-type', 'f'], { encoding: 'utf8' }).trim().split('\n')
  const texts = files.map((path) => readFileSync(path, 'latin1'))
  for (const text of [environment, connector.output(), ...texts])
    expect(text).not.toContain(installationKey)
  const { runtime } = homePaths(home)
  for (const name of ['identity-key.pem', 'service.json'])
    expect(statSync(join(runtime, name)).mode & 0o777).toBe(0o600)
})

test('GET /logs/push leaves the logs with the service, and says so when it cannot', async () => {
  const connector = await synchronised()
  expect((await connector.ask('/logs/push')).json.data).toEqual({ pushed: true })
  const [device] = (await service.admin('GET', '/v3/devices?size=1')).items
  expect(device.id).toMatch(/^[0-9a-f-]{36}$/)
  await service.pause()
  const kept = await connector.ask('/logs/push')
  await service.resume()
  expect([kept.status, kept.json.code]).toEqual([409, '113001'])
  expect(kept.json.description).toContain('Cannot reach')
})

describe('cardwire sync', () => {
  test('shows what is known when the connector does not run', async () => {
    const connector = await synchronised()
    await connector.stop()
    const { status, stdout } = cardwire('sync')
    expect(status).toBe(1)
    expect(stdout).toMatch(/device +[0-9a-f-]{36}\nlast good +20\d\d-/)
    expect(stdout).toContain('start it: cardwire run')
  })

  test('says that a connector has no service', () => {
    const { status, stdout } = spawnSync(binary, ['sync'], {
      env: environmentOf(home),
      encoding: 'utf8',
    })
    expect([status, stdout]).toEqual([0, expect.stringContaining('its settings alone count')])
  })
})

test('cardwire doctor tells whether the service answers, knows this connector, and heard of it', async () => {
  const before = cardwire('doctor')
  expect(before.stdout).toContain(`the distribution service ${service.url} answers`)
  expect(before.stdout).toContain('✗ this connector is not registered with it')
  await synchronised()
  const after = cardwire('doctor')
  expect(after.stdout).toMatch(/✓ this connector is registered as [0-9a-f-]{36}/)
  expect(after.stdout).toMatch(/✓ it synchronised last at 20\d\d-/)
  await service.pause()
  const away = cardwire('doctor')
  await service.resume()
  expect(away.stdout).toContain(`✗ the distribution service ${service.url} does not`)
})
