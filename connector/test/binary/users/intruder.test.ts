/** Attacks by a process of another account on the same machine: on the API, the registry, the files and the clipboard. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../../../test/bed/accounts.ts'
import { homePaths } from '../../../../test/bed/connector.ts'
import { createCodeWord } from '../../../../test/bed/page.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { createSharedMachine, type MachineUser, type SharedMachine, startMs } from './machine.ts'
import { requestAs, runAs } from './program.ts'
import { openShop, readAgent, type Shop } from './shop.ts'

let shop: Shop
let machine: SharedMachine
let victim: MachineUser
let intruder: MachineUser
let token: string
let consent: string

beforeAll(async () => {
  shop = await openShop()
  machine = await createSharedMachine(shop.origin)
  await machine.startService()
  token = await machine.token()
  ;[victim, intruder] = [await machine.createUser(), await machine.createUser()]
  for (const { connector } of [victim, intruder]) {
    await connector.waitForOutput(/registry found {2}scope=service/)
  }
  consent = await getConsent(victim)
}, 3 * startMs)
afterAll(async () => {
  await machine?.close()
  shop?.close()
}, startMs)

const getRegistryAddress = () => ({ port: machine.registryPort, ca: machine.serviceCa })

/** Sends a request to the registry as a page in this user's browser. */
const requestAsPage = ({ account }: MachineUser, path: string, body?: unknown) =>
  requestAs(account, getRegistryAddress(), path, { headers: [`origin: ${shop.origin}`], body })

async function getConsent(user: MachineUser): Promise<string> {
  const codeWord = createCodeWord()
  await user.display.copy(codeWord)
  const { json } = requestAsPage(user, '/v3/consent', { codeWord })
  expect(json.data.consentState).toBe('APPROVED')
  return json.data.consent
}

/** Copies a file of the victim where the intruder can read it, so that the next check is tested too. */
function copyForIntruder(path: string): string {
  const copy = join(intruder.account.home, 'copy.pem')
  const { stdout } = runAs(victim.account, ['cat', path])
  expect(runAs(intruder.account, ['tee', copy], stdout).status).toBe(0)
  return copy
}

describe('API of another account', () => {
  const own = async () => ({ port: await victim.port(), ca: victim.caFile })
  const from = (text: string) => `authorization: Bearer ${text}`

  test.each([
    ['without a token', async () => []],
    ['with a token that was stolen from a page', async () => [from(token)]],
    [
      'with such a token, as a page that has consent',
      async () => [from(token), `origin: ${shop.origin}`],
    ],
    ['with the management token', async () => [from(await victim.managementToken())]],
  ])('refuses every request %s', async (_, headers) => {
    proves('other-account-refused', 'other-account-calls')
    const options = { headers: await headers() }
    const api = { port: await victim.port(), ca: copyForIntruder(victim.caFile) }
    for (const path of ['/v3/readers', '/v3/agents', '/v3/certmgr/status', '/info']) {
      const { status, json } = requestAs(intruder.account, api, path, options)
      expect([status, json.code]).toEqual([403, '104006'])
    }
  })

  test('answers the same to everything: it does not show which pages are allowed, or have a consent', async () => {
    proves('other-account-compares')
    const api = { port: await victim.port(), ca: copyForIntruder(victim.caFile) }
    const pages = [shop.origin, 'https://evil.example', 'null'].map((each) => [`origin: ${each}`])
    const responses = [...pages, []].flatMap((headers) =>
      ['/info', '/device-key', '/v3/readers', '/consent', '/nothing'].map((path) => {
        const { status, json } = requestAs(intruder.account, api, path, { headers })
        return JSON.stringify([status, json.code, json.description])
      }),
    )
    expect(new Set(responses).size).toBe(1)
    expect(responses[0]).toContain('104006')
  })

  test('answers its owner with the same credentials', async () => {
    const page = [from(token), `origin: ${shop.origin}`]
    for (const headers of [[from(token)], page, [from(await victim.managementToken())]]) {
      expect(requestAs(victim.account, await own(), '/v3/readers', { headers }).status).toBe(200)
    }
  })

  test('refuses consent requests and validation', async () => {
    proves('other-account-consent')
    const codeWord = createCodeWord()
    await victim.display.copy(codeWord)
    const api = { port: await victim.port(), ca: copyForIntruder(victim.caFile) }
    const page = { headers: [`origin: ${shop.origin}`] }
    const bodies = { '/v3/consent': { codeWord }, '/v3/validate': { consents: [consent] } }
    for (const [path, body] of Object.entries(bodies)) {
      const { status, json } = requestAs(intruder.account, api, path, { ...page, body })
      expect([status, json.code]).toEqual([403, '104006'])
    }
  })
})

describe('files and clipboard of another account', () => {
  test('no file of the connector can be read, nor can its folders be listed', async () => {
    proves('private-files-read')
    const { runtime, logs, certificates } = homePaths(victim.account.home)
    const files: string[] = []
    for (const folder of [runtime, logs, certificates]) {
      expect(runAs(intruder.account, ['ls', folder]).status).not.toBe(0)
      for (const name of await readdir(folder)) files.push(join(folder, name))
    }
    const names = files.map((path) => path.slice(path.lastIndexOf('/') + 1))
    expect(names).toEqual(
      expect.arrayContaining(['management-token', 'api.log', 'rootCA-key.pem', 'rootCA.pem']),
    )
    for (const path of files) expect(runAs(intruder.account, ['cat', path]).status).not.toBe(0)
  })

  test('no setting of the running connector can be read', () => {
    proves('private-files-read')
    const path = `/proc/${victim.connector.child.pid}/environ`
    expect(runAs(intruder.account, ['cat', path]).status).not.toBe(0)
    expect(runAs(victim.account, ['cat', path]).status).toBe(0)
  })

  test('no file of the service can be read but its certificates', async () => {
    proves('private-files-read')
    for (const folder of ['certificates', 'logs']) {
      expect(runAs(intruder.account, ['ls', join(machine.dir, folder)]).status).not.toBe(0)
    }
    expect(runAs(intruder.account, ['cat', machine.serviceCa]).status).toBe(0)
  })

  test('the clipboard cannot be read', async () => {
    proves('other-clipboard-read')
    const word = createCodeWord()
    await victim.display.copy(word)
    expect(victim.display.readClipboard(intruder.account)).toBeUndefined()
    expect(victim.display.readClipboard(victim.account)).toBe(word)
  })
})

const createRegistration = (agentId: string) => ({
  protocol: 1,
  agentId,
  username: 'ada',
  hostname: 'desk-7',
  port: 25_001,
  pid: 1,
  pageKey: 'intruder',
  allowlist: [shop.origin],
})

const requestAsAgent = (path: string, body: unknown) =>
  requestAs(intruder.account, getRegistryAddress(), `/agent/${path}`, { body })

/** Starts a poll, and collects its response. */
function startPoll({ uid, gid, home }: Account, session: string): Running {
  const child = spawn(
    'curl',
    [
      ...['--silent', '--cacert', machine.serviceCa, '--header', 'x-csrf-token: t1c-js'],
      ...['--header', 'content-type: application/json', '--data', JSON.stringify({ session })],
      `https://localhost:${machine.registryPort}/agent/poll`,
    ],
    { uid, gid, env: { PATH: '/usr/bin:/bin', HOME: home }, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  return collectOutput(child)
}

type Running = ReturnType<typeof collectOutput>
function collectOutput(child: ChildProcess) {
  let output = ''
  child.stdout?.on('data', (part) => {
    output += String(part)
  })
  const ended = once(child, 'exit')
  return {
    child,
    output: () => output,
    async stop() {
      if (child.exitCode === null) child.kill()
      await ended
    },
  }
}

describe('registry', () => {
  test('handles a request of one user’s page while a page of another user sends too many', async () => {
    proves('other-account-floods')
    for (let n = 0; n < 8; n += 1)
      requestAsPage(intruder, '/v3/consent', { codeWord: createCodeWord() })
    consent = await getConsent(victim)
  })

  test('with an agent id that was taken serves its owner all the same', async () => {
    proves('other-account-agent-id')
    const { agentId } = readAgent(consent)
    expect(requestAsAgent('register', createRegistration(agentId)).status).toBe(200)
    const { json } = requestAsPage(victim, '/v3/validate', { consents: [consent] })
    expect(json.data.consentState).toBe('APPROVED')
  })

  test('refuses a guessed session', () => {
    proves('poll-session-guessed')
    for (let n = 0; n < 20; n += 1) {
      const session = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
      const { status, json } = requestAsAgent('poll', { session })
      expect([status, json.code]).toEqual([409, '115001'])
    }
  })

  test('sends an impostor no request of another user, and accepts that user’s connector again when it returns', async () => {
    proves('other-account-waits')
    const { agentId } = readAgent(consent)
    await victim.stop()
    const registered = () => requestAsAgent('register', createRegistration(agentId))
    await expect.poll(() => registered().status).toBe(200)
    const { session } = registered().json.data
    const impostor = startPoll(intruder.account, session)
    const validation = requestAsPage(victim, '/v3/validate', { consents: [consent] })
    const codeWord = createCodeWord()
    await victim.display.copy(codeWord)
    const newConsent = requestAsPage(victim, '/v3/consent', { codeWord })
    for (const { json } of [validation, newConsent]) {
      expect(json.data).toEqual({ consentState: 'REQUIRED' })
    }
    expect([
      requestAsPage(victim, '/v3/agents').json.data,
      requestAsPage(victim, '/device-key').json.data,
    ]).toEqual([[], null])

    // The first request that it gets is one of the intruder's own browser: it was registered all the time.
    expect(impostor.output()).toBe('')
    requestAsPage(intruder, '/consent')
    await once(impostor.child, 'close')
    const { requests } = JSON.parse(impostor.output()).data
    expect(requests).toMatchObject([{ kind: 'list', origin: shop.origin }])

    const last = startPoll(intruder.account, session)
    await victim.start()
    await last.stop()
    const again = () =>
      requestAsPage(victim, '/v3/validate', { consents: [consent] }).json.data?.consentState
    await expect.poll(again).toBe('APPROVED')
  })
})

/** Removes the requests by which the test waits for the foreign server. */
const removeOwnRequests = (output: string) =>
  output.replaceAll(/GET \/probe HTTP[\s\S]*?\r\n\r\n/g, '')

describe('port of the registry in the hands of another account', () => {
  let foreignServer: Running | undefined
  afterEach(() => foreignServer?.stop())

  /** Serves TLS as localhost on the port of the registry, and records every request. */
  async function occupyRegistryPort(): Promise<Running> {
    const { uid, gid, home } = intruder.account
    const cert = join(home, 'foreign.pem')
    const { status } = runAs(intruder.account, [
      ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
      ...['-noenc', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
      ...['-keyout', cert, '-out', `${cert}.crt`],
    ])
    expect(status).toBe(0)
    const at = ['-4', '-accept', `127.0.0.1:${machine.registryPort}`]
    const args = ['s_server', ...at, '-quiet', '-key', cert, '-cert', `${cert}.crt`]
    const server = collectOutput(spawn('openssl', args, { uid, gid, stdio: 'pipe' }))
    foreignServer = server
    const probe = () => {
      const to = `https://localhost:${machine.registryPort}/probe`
      const command = ['curl', '--silent', '--max-time', '1', '--cacert', `${cert}.crt`, to]
      runAs(intruder.account, command)
      return server.output()
    }
    await expect.poll(probe).toContain('GET /probe')
    return server
  }

  test('receives no request and no consent, and is reported to every connector', async () => {
    proves('registry-foreign', 'registry-port-first')
    await machine.stopService()
    const { output } = await occupyRegistryPort()
    const codeWord = createCodeWord()
    await victim.display.copy(codeWord)
    expect(requestAsPage(victim, '/v3/consent', { codeWord }).status).toBe(0)

    const state = async () =>
      requestAs(victim.account, { port: await victim.port(), ca: victim.caFile }, '/info', {
        headers: [`authorization: Bearer ${await victim.managementToken()}`],
      }).json.data.t1CInfoAPI.registry
    await expect.poll(state).toMatchObject({ state: 'foreign', pid: 0 })
    expect(victim.connector.output()).toContain(intruder.account.name)
    expect(removeOwnRequests(output())).toBe('')

    await foreignServer?.stop()
    await machine.startService()
    const again = () =>
      requestAsPage(victim, '/v3/validate', { consents: [consent] }).json?.data.consentState
    await expect.poll(again).toBe('APPROVED')
  })

  test('taken during a consent request receives no part of it', async () => {
    proves('registry-killed')
    const codeWord = createCodeWord()
    await victim.display.copy(codeWord)
    const { uid, gid } = victim.account
    const pending = collectOutput(
      spawn(
        'curl',
        [
          ...['--silent', '--cacert', machine.serviceCa, '--header', 'x-csrf-token: t1c-js'],
          ...['--header', 'content-type: application/json', '--header', `origin: ${shop.origin}`],
          ...['--data', JSON.stringify({ codeWord }), '--retry', '3', '--retry-all-errors'],
          `https://localhost:${machine.registryPort}/v3/consent`,
        ],
        { uid, gid, stdio: ['ignore', 'pipe', 'ignore'] },
      ),
    )
    await machine.stopService()
    const { output } = await occupyRegistryPort()
    await once(pending.child, 'close')
    expect(requestAsPage(victim, '/v3/consent', { codeWord }).status).toBe(0)
    expect(removeOwnRequests(output())).toBe('')
    await foreignServer?.stop()
    await machine.startService()
    await expect
      .poll(() => requestAsPage(victim, '/v3/consent', { codeWord }).json?.data.consentState)
      .toBe('APPROVED')
  })
})
