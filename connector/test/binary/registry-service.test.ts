/** The registry as a service of the machine, under an account of its own, for two users who have nothing to do with each other. */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Account, createAccount } from '../../../test/bed/accounts.ts'
import { homePaths } from '../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { createCodeWord } from '../../../test/bed/page.ts'
import { createEnvironment, type Program, startProgram } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'

const origin = 'https://shop.example'
/** Certificates are made, twice with a new root. */
const startMs = 60_000

interface User {
  readonly account: Account
  readonly display: Display
  readonly connector: Program
  readonly port: number
  readonly token: string
  readonly ca: string
}

let folder: string
let program: string
let machine: string
let port: number
let service: Account
let registry: Program
let ada: User
let bob: User

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-machine-'))
  await chmod(folder, 0o755)
  // Where every account may run it.
  program = join(folder, 'cardwire')
  await copyFile(connectorProgram, program)
  await chmod(program, 0o755)
  port = await findFreePort()
  service = await createAccount(folder)
  machine = service.home
  registry = runAs(service, ['registry', '--service'])
  await waitFor(() => existsSync(join(machine, 'public/localhost.pem')))
  ada = await newUser('25000-25049')
  bob = await newUser('25050-25099')
}, startMs)

afterAll(async () => {
  for (const user of [ada, bob]) await user?.connector.stop()
  await registry?.stop()
  for (const user of [ada, bob]) {
    await user?.display.stop()
    await user?.account.remove()
  }
  await service?.remove()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const environment = (account: Account, settings: Readonly<Record<string, string>> = {}) =>
  createEnvironment(account.home, {
    USER: account.name,
    CARDWIRE_REGISTRY_PORT: String(port),
    CARDWIRE_MACHINE_DIR: machine,
    ...settings,
  })

function runAs(
  account: Account,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
) {
  return startProgram([program, ...args], { account, env: environment(account, settings) })
}

async function newUser(ports: string): Promise<User> {
  const account = await createAccount(folder)
  const display = await startDisplay()
  const connector = runAs(account, ['run'], {
    ...display.settings,
    CARDWIRE_CORS: origin,
    CARDWIRE_JWT: 'off',
    CARDWIRE_API_PORTS: ports,
    CARDWIRE_VIRTUAL_READER: join(account.home, 'card'),
  })
  await connector.waitForOutput(/registry found/)
  const paths = homePaths(account.home)
  return {
    account,
    display,
    connector,
    port: Number(await readFile(join(paths.runtime, 'api-port'), 'utf8')),
    token: await readFile(join(paths.runtime, 'management-token'), 'utf8'),
    ca: await readFile(join(paths.certificates, 'rootCA.pem'), 'utf8'),
  }
}

/** Asks the registry as a page in the browser of this user. */
const asPage = (user: User, path: string, body?: unknown) =>
  ask(user.account, registryAt(), path, { body, headers: [`origin: ${origin}`] })

async function consentOf(user: User): Promise<{ held: string[]; agent: Json }> {
  const codeWord = createCodeWord()
  await user.display.copy(codeWord)
  const { json } = asPage(user, '/v3/consent', { codeWord })
  expect(json.data.consentState, user.connector.output()).toBe('APPROVED')
  const { agent } = JSON.parse(Buffer.from(json.data.consent, 'base64').toString())
  return { held: json.data.consents, agent }
}

/** Asks from a process of this account, over TLS that it verifies. */
function ask(
  account: Account,
  to: { readonly port: number; readonly ca: string },
  path: string,
  request: { readonly body?: unknown; readonly headers?: readonly string[] } = {},
): { status: number; json: Json } {
  const { uid, gid } = account
  const data = request.body === undefined ? [] : ['--data', JSON.stringify(request.body)]
  const headers = [
    'x-csrf-token: t1c-js',
    'content-type: application/json',
    ...(request.headers ?? []),
  ]
  const { stdout } = spawnSync(
    'curl',
    [
      ...['--silent', '--cacert', join(to.ca), '--write-out', '\n%{http_code}'],
      ...headers.flatMap((header) => ['--header', header]),
      ...data,
      `https://localhost:${to.port}${path}`,
    ],
    { uid, gid, encoding: 'utf8', env: { PATH: '/usr/bin:/bin', HOME: account.home } },
  )
  const at = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(at + 1)), json: JSON.parse(stdout.slice(0, at) || 'null') }
}

const registration = (user: User, agentId: string, changes: object = {}) => ({
  protocol: 1,
  agentId,
  username: user.account.name,
  hostname: 'desk-7',
  port: user.port,
  pid: 1,
  pageKey: 'mine',
  allowlist: [origin],
  ...changes,
})

describe('service', () => {
  test('keeps its keys private, and its certificates readable for everybody', async () => {
    const mode = async (path: string) =>
      ((await stat(join(machine, path))).mode & 0o777).toString(8)
    expect(await mode('certificates')).toBe('700')
    expect(await mode('certificates/rootCA-key.pem')).toBe('600')
    expect(await mode('certificates/localhost-key.pem')).toBe('600')
    expect(await mode('public/rootCA.pem')).toBe('644')
    const { uid, gid } = bob.account
    const read = (path: string) => spawnSync('cat', [join(machine, path)], { uid, gid }).status
    expect(read('public/localhost.pem')).toBe(0)
    expect(read('certificates/localhost-key.pem')).not.toBe(0)
    expect((await stat(join(machine, 'certificates/rootCA-key.pem'))).uid).toBe(service.uid)
  })

  test('is what both users find, and neither starts one', async () => {
    for (const { output } of [ada.connector, bob.connector]) {
      expect(output()).toContain('registry found  scope=service')
      expect(output()).not.toContain('registry started')
    }
  })

  test('gives each user their own port, by the code word on their own clipboard', async () => {
    proves('one-registry-per-machine')
    const [ofAda, ofBob] = [await consentOf(ada), await consentOf(bob)]
    expect([ofAda.agent.apiPort, ofBob.agent.apiPort]).toEqual([String(ada.port), String(bob.port)])
    for (const [user, { held, agent }] of [
      [ada, ofAda],
      [bob, ofBob],
    ] as const) {
      const { json } = asPage(user, '/v3/validate', { consents: held })
      expect(json.data).toMatchObject({ consentState: 'APPROVED' })
      // Of the other there is nothing to be seen.
      expect(asPage(user, '/v3/agents').json.data).toMatchObject([
        { apiPort: agent.apiPort, username: user.account.name },
      ])
      expect(asPage(user, '/consent').json.data).toEqual({ apiPort: agent.apiPort })
    }
    const theirs = [asPage(ada, '/device-key'), asPage(bob, '/device-key')]
    expect(new Set(theirs.map(({ json }) => json.data)).size).toBe(2)
  })

  test('requires a new consent when the page of another user brings one', async () => {
    const { held } = await consentOf(ada)
    const { json } = asPage(bob, '/v3/validate', { consents: held })
    expect(json.data).toEqual({ consentState: 'REQUIRED' })
  })

  test('is found again after a restart, and consents stay valid', async () => {
    const { held } = await consentOf(ada)
    await registry?.stop()
    const answered = () => asPage(ada, '/v3/validate', { consents: held }).json?.data?.consentState
    await expect
      .poll(() => ask(ada.account, api(ada), '/info', mine(ada)).json.t1CInfoAPI)
      .toMatchObject({
        registry: { state: 'absent', reason: expect.stringContaining('systemctl start'), pid: 0 },
      })
    registry = runAs(service, ['registry', '--service'])
    // The first pages come before the settings of the service name them.
    await expect.poll(answered).toBe('APPROVED')
  })
})

const api = (user: User) => ({
  port: user.port,
  ca: join(homePaths(user.account.home).certificates, 'rootCA.pem'),
})
const registryAt = () => ({ port, ca: join(machine, 'public/rootCA.pem') })
const mine = ({ token }: User) => ({ headers: [`authorization: Bearer ${token}`] })

describe('another account', () => {
  let agentId: string
  beforeAll(async () => {
    agentId = (await consentOf(ada)).agent.agentId
  }, startMs)

  test('that registers with an agent id that it knows takes nothing of its owner', async () => {
    proves('agents-per-account', 'other-account-agent-id')
    const body = registration(bob, agentId)
    expect(ask(bob.account, registryAt(), '/agent/register', { body }).status).toBe(200)
    const { agent } = await consentOf(ada)
    expect(agent.apiPort).toBe(String(ada.port))
  })

  test('cannot poll for the requests of others', async () => {
    const session = Buffer.alloc(32, 7).toString('base64url')
    const { status, json } = ask(bob.account, registryAt(), '/agent/poll', { body: { session } })
    expect([status, json.code]).toEqual([409, '115001'])
  })

  test('cannot poll with a session that is not its own, even when it knows it', async () => {
    proves('poll-session-guessed')
    const body = registration(ada, crypto.randomUUID())
    const registered = ask(ada.account, registryAt(), '/agent/register', { body })
    const { session } = registered.json.data
    const { status, json } = ask(bob.account, registryAt(), '/agent/poll', { body: { session } })
    expect([registered.status, status, json.code]).toEqual([200, 403, '104006'])
  })

  test.each([`origin: ${origin}`, 'sec-fetch-mode: cors', 'sec-fetch-site: none'])(
    'is refused as a page (%s)',
    (header) => {
      proves('page-as-agent')
      const request = { body: registration(bob, crypto.randomUUID()), headers: [header] }
      const { status, json } = ask(bob.account, registryAt(), '/agent/register', request)
      expect([status, json.code]).toEqual([403, '104005'])
    },
  )

  test('is named by its account, whatever name it registers', async () => {
    proves('user-name-spoofed')
    const body = registration(bob, crypto.randomUUID(), { username: ada.account.name })
    const logged = join(machine, 'logs/registry.log')
    expect(ask(bob.account, registryAt(), '/agent/register', { body }).status).toBe(200)
    const lines = (await readFile(logged, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const registered = lines.findLast(({ agentId: id }) => id === body.agentId)
    expect(registered).toMatchObject({ message: 'agent registered', username: bob.account.name })
  })

  test('gets no answer from the API of the other, not even as a page with consent', () => {
    // The root lies where only its owner gets: it is lent for this.
    const to = { port: ada.port, ca: copyFor(bob.account, ada.ca) }
    for (const headers of [[`origin: ${origin}`], [`authorization: Bearer ${ada.token}`]]) {
      const { status, json } = ask(bob.account, to, '/v3/readers', { headers })
      expect([status, json.code]).toEqual([403, '104006'])
    }
    const [own] = [ask(ada.account, api(ada), '/v3/readers', mine(ada))]
    expect(own.status).toBe(200)
  })
})

test('a registry that another user started is reported with that user, and with what an administrator does', async () => {
  proves('foreign-registry-reported')
  const settings = {
    CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
    CARDWIRE_MACHINE_DIR: join(ada.account.home, 'no-service'),
  }
  const other = runAs(ada.account, ['registry'], settings)
  onTestFinished(() => other.stop().then(() => undefined))
  await expect.poll(other.output).toContain('listening on port')
  const { uid, gid } = bob.account
  const env = environment(bob.account, settings)
  const { stdout } = spawnSync(program, ['doctor'], { uid, gid, env, encoding: 'utf8', cwd: '/' })
  expect(stdout).toContain(`✗ the registry of another user (user ${ada.account.name}) uses port`)
  expect(stdout).toContain('cardwire registry install')
})

function copyFor({ uid, gid, home }: Account, pem: string): string {
  const path = join(home, 'root.pem')
  spawnSync('tee', [path], { input: pem, uid, gid })
  return path
}
