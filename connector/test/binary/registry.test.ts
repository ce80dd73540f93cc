/** The registry beside `cardwire run`, on the compiled binary: found, shared, killed, and kept from its port. */

import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type Connector,
  createEmptyHome,
  createHome,
  homePaths,
  runCommand,
  startConnector,
} from '../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { requestHttps } from '../../../test/bed/https-client.ts'
import { asPage, createCodeWord } from '../../../test/bed/page.ts'
import { createEnvironment } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'

const origin = 'https://shop.example'
/** Within which a registry that is gone has been replaced, in milliseconds. */
const takeOver = { timeout: 5000, interval: 50 }
/** For what waits for a look at the port, every five seconds, more than once; the machine may be busy. */
const slowMs = 90_000

let display: Display
const closing: (() => unknown)[] = []

beforeAll(async () => {
  display = await startDisplay()
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})
afterAll(() => display.stop())

async function newHome(create = createHome): Promise<string> {
  const path = await create()
  closing.push(() => rm(path, { recursive: true, force: true }))
  return path
}

async function start(
  port: number,
  settings: Readonly<Record<string, string>> = {},
  at?: string,
): Promise<Connector> {
  const connector = await startConnector(
    {
      ...display.settings,
      CARDWIRE_CORS: origin,
      CARDWIRE_JWT: 'off',
      CARDWIRE_REGISTRY_PORT: String(port),
      ...settings,
    },
    at ?? (await newHome()),
  )
  closing.push(connector.stop)
  return connector
}

const stateOf = async (connector: Connector) =>
  (await connector.request('/info')).json.data.t1CInfoAPI.registry as {
    state: string
    reason?: string
    pid: number
  }
const isLinked = (connector: Connector) =>
  expect.poll(async () => (await stateOf(connector)).state).toBe('linked')

/** Asks the registry as a page would whose browser believes this connector's root. */
const askAsPage = (port: number, { ca }: Connector, path: string, body?: unknown) =>
  requestHttps(port, ca, path, asPage(origin, body))

/** Who has asked Linux for sockets by their ends: processes with a socket of NETLINK_SOCK_DIAG (4), proc_pid_net(5). */
const asking = async () =>
  (await readFile('/proc/net/netlink', 'utf8'))
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([, protocol, pid]) => (protocol === '4' ? [Number(pid)] : []))

/** What a page stores once the user has let it in. */
async function consent(port: number, connector: Connector, session = display): Promise<string[]> {
  const codeWord = createCodeWord()
  await session.copy(codeWord)
  const { json } = await askAsPage(port, connector, '/v3/consent', {
    codeWord,
    durationInDays: 365,
  })
  expect(json.data.consentState).toBe('APPROVED')
  return json.data.consents
}

const validate = async (port: number, connector: Connector, consents: readonly string[]) =>
  (await askAsPage(port, connector, '/v3/validate', { consents })).json.data.consentState

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** What a user reads; `doctor` of the same home. */
const doctor = ({ home: at }: Connector, port: number) =>
  spawnSync(connectorProgram, ['doctor'], {
    env: createEnvironment(at, {
      CARDWIRE_REGISTRY_PORT: String(port),
      CARDWIRE_MACHINE_DIR: `${at}/machine`,
    }),
    encoding: 'utf8',
  }).stdout

describe('registry of a connector', () => {
  test('looks up the owner of a connection without reading whole system tables', async () => {
    const connector = await start(await findFreePort())
    await isLinked(connector)
    expect(await asking()).toContain((await stateOf(connector)).pid)
  })

  test('brings a page from nothing to the readers of the user', async () => {
    const port = await findFreePort()
    const at = await newHome()
    const connector = await start(port, { CARDWIRE_VIRTUAL_READER: `${at}/card` }, at)
    await isLinked(connector)
    const { pid } = await stateOf(connector)
    expect(isRunning(pid)).toBe(true)

    const info = (await askAsPage(port, connector, '/info')).json
    expect(info.t1CInfoAPI.service.deviceType).toBe('PROXY')
    const key = (await askAsPage(port, connector, '/device-key')).json.data
    expect(key).toContain('BEGIN PUBLIC KEY')
    expect(await validate(port, connector, [])).toBe('REQUIRED')
    const [held = ''] = await consent(port, connector)
    const { agent } = JSON.parse(Buffer.from(held, 'base64').toString())
    expect(agent.apiPort).toBe(String(connector.port))

    expect((await askAsPage(connector.port, connector, '/device-key')).json.data).toBe(key)
    const whole = (await askAsPage(connector.port, connector, '/info')).json
    expect(whole.t1CInfoAPI.service.deviceType).toBe('API')
    expect((await askAsPage(connector.port, connector, '/v3/readers')).status).toBe(200)
    expect(await validate(port, connector, [held])).toBe('APPROVED')
    expect(doctor(connector, port)).toContain(`the registry is responding on port ${port}`)
  })

  test('that is killed is back within five seconds, and consents hold', async () => {
    proves('registry-replaced', 'registry-killed')
    const port = await findFreePort()
    const connector = await start(port)
    await isLinked(connector)
    const held = await consent(port, connector)
    const { pid } = await stateOf(connector)
    process.kill(pid, 'SIGKILL')
    const answered = () => validate(port, connector, held).catch(() => 'nobody answers')
    await expect.poll(answered, takeOver).toBe('APPROVED')
    expect((await stateOf(connector)).pid).not.toBe(pid)
  })

  test('is shared by two connectors of a user, and outlives the one that started it', async () => {
    const port = await findFreePort()
    // Two packages in two sessions: what they have in common is the folder of certificates.
    const common = { XDG_DATA_HOME: await newHome() }
    const session = await startDisplay()
    closing.push(session.stop)
    const first = await start(port, common)
    await isLinked(first)
    const second = await start(port, { ...common, ...session.settings })
    await isLinked(second)
    expect([(await stateOf(first)).pid > 0, (await stateOf(second)).pid]).toEqual([true, 0])
    const held = await consent(port, second, session)
    const { pid } = await stateOf(first)
    await first.stop()
    expect(isRunning(pid)).toBe(false)
    const answered = () => validate(port, second, held).catch(() => 'nobody answers')
    await expect.poll(answered, takeOver).toBe('APPROVED')
    expect((await stateOf(second)).pid).toBeGreaterThan(0)
  })

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'ends when its connector ends by %s',
    async (signal) => {
      const connector = await start(await findFreePort())
      await isLinked(connector)
      const { pid } = await stateOf(connector)
      const ended = once(connector.child, 'exit')
      connector.child.kill(signal)
      await ended
      await expect.poll(() => isRunning(pid), takeOver).toBe(false)
    },
  )

  test('serves the certificate that the user renews', async () => {
    const port = await findFreePort()
    const connector = await start(port)
    await isLinked(connector)
    const env = createEnvironment(connector.home)
    expect(spawnSync(connectorProgram, ['certs', 'renew'], { env }).status).toBe(0)
    const leaf = await readFile(join(homePaths(connector.home).certificates, 'localhost.pem'))
    const served = () => fingerprintOf(port, connector.ca).catch(String)
    await expect.poll(served, takeOver).toBe(new X509Certificate(leaf).fingerprint256)
    const held = await consent(port, connector)
    expect(await validate(port, connector, held)).toBe('APPROVED')
  })
})

/** SHA-256 of the certificate that is served. */
async function fingerprintOf(port: number, ca: string): Promise<string> {
  const socket = connectTls({ host: '127.0.0.1', port, ca, servername: 'localhost' })
  await once(socket, 'secureConnect')
  const { fingerprint256 } = socket.getPeerCertificate()
  socket.destroy()
  return fingerprint256
}

describe('port of the registry', () => {
  let stranger: Server | undefined
  afterEach(async () => {
    stranger?.close()
    stranger = undefined
  })
  async function take(port: number, host = '127.0.0.1'): Promise<void> {
    stranger = createServer((socket) => socket.on('error', () => undefined).end('no TLS here\n'))
    await once(stranger.listen(port, host), 'listening')
  }

  test(
    'with the registry of another user is explained, and nothing is sent to it',
    async () => {
      proves('foreign-registry-reported')
      const port = await findFreePort()
      const bob = await start(port)
      await isLinked(bob)
      // Another root than Bob's, as each user has.
      const ada = await start(port, {}, await newHome(createEmptyHome))
      await expect.poll(async () => (await stateOf(ada)).state).toBe('foreign')
      const { reason, pid } = await stateOf(ada)
      expect([pid, reason]).toEqual([0, expect.stringContaining('your other connector')])
      expect(ada.output()).toContain('no registry')
      const report = doctor(ada, port)
      expect(report).toContain(
        `your other connector (cardwire, process ${(await stateOf(bob)).pid}) uses port ${port}`,
      )
      expect(report).toContain('to make them find this one, stop the other')

      // Whose agents it knows: Bob's alone.
      expect((await askAsPage(port, bob, '/device-key')).json.data).toContain('BEGIN PUBLIC KEY')
      await bob.stop()
      await isLinked(ada)
    },
    slowMs,
  )

  test.each(['127.0.0.1', '::1'])(
    'that another program has on %s is explained with its holder, and taken when it is free',
    async (host) => {
      proves('registry-port-taken')
      const port = await findFreePort()
      await take(port, host)
      const connector = await start(port)
      await expect.poll(async () => (await stateOf(connector)).state).toBe('taken')
      const { reason } = await stateOf(connector)
      expect(reason).toContain(`port ${port} is in use by`)
      expect(reason).toContain(`process ${process.pid}`)
      expect(reason).toContain(` on ${host}`)
      expect(reason).toContain('so pages cannot find this connector')
      expect(reason).toContain(`sysctl net.ipv4.ip_local_reserved_ports=${port}`)
      expect(doctor(connector, port)).toContain(`process ${process.pid}`)
      stranger?.close()
      await isLinked(connector)
    },
    slowMs,
  )

  test('ends a registry that runs alone with status 1, and a sentence that names its holder', async () => {
    const port = await findFreePort()
    await take(port)
    const { status, err } = runCommand(await newHome(), ['registry'], {
      CARDWIRE_REGISTRY_PORT: String(port),
    })
    expect(status).toBe(1)
    expect(err).toContain(`port ${port} is in use by`)
    expect(err).toContain(`process ${process.pid}`)
  })
})
