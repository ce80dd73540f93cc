/** Mallory has an account on Ada's machine, and tries whatever a process there can do. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../accounts.ts'
import { homePaths } from '../harness.ts'
import { end, type Machine, newMachine, type Person, said, startMs } from './machine.ts'
import { askAs, runAs } from './program.ts'
import { agentIn, newWord, openShop, type Shop } from './shop.ts'

const found = { timeout: 30_000, interval: 100 }
let shop: Shop
let machine: Machine
let ada: Person
let mallory: Person
let token: string
let consent: string

beforeAll(async () => {
  shop = await openShop()
  machine = await newMachine(shop.origin)
  await machine.startService()
  token = await machine.token()
  ;[ada, mallory] = [await machine.newPerson(), await machine.newPerson()]
  for (const { connector } of [ada, mallory]) {
    await said(connector.output, 'registry found  whose=service')
  }
  consent = await letIn(ada)
}, 3 * startMs)
afterAll(async () => {
  await machine?.close()
  shop?.close()
}, startMs)

const registry = () => ({ port: machine.registryPort, ca: machine.serviceCa })

/** Asks the registry as a page in this person's browser. */
const asPage = ({ account }: Person, path: string, body?: unknown) =>
  askAs(account, registry(), path, { headers: [`origin: ${shop.origin}`], body })

async function letIn(person: Person): Promise<string> {
  const codeWord = newWord()
  await person.desktop.copy(codeWord)
  const { json } = asPage(person, '/v3/consent', { codeWord })
  expect(json.data.consentState).toBe('APPROVED')
  return json.data.consent
}

/** Puts a file of Ada's where Mallory can read it: what is asked is whether it would help. */
function lend(path: string): string {
  const lent = join(mallory.account.home, 'lent.pem')
  const { stdout } = runAs(ada.account, ['cat', path])
  expect(runAs(mallory.account, ['tee', lent], stdout).status).toBe(0)
  return lent
}

describe('API of another account', () => {
  const own = async () => ({ port: await ada.port(), ca: ada.ca })
  const from = (text: string) => `authorization: Bearer ${text}`

  test.each([
    ['without a token', async () => []],
    ['with a token that was stolen from a page', async () => [from(token)]],
    [
      'with such a token, as a page that was let in',
      async () => [from(token), `origin: ${shop.origin}`],
    ],
    ['with the management token', async () => [from(await ada.managementToken())]],
  ])('answers nothing %s', async (_, headers) => {
    const asked = { headers: await headers() }
    const lent = { port: await ada.port(), ca: lend(ada.ca) }
    for (const path of ['/v3/readers', '/v3/agents', '/v3/certmgr/status']) {
      const { status, json } = askAs(mallory.account, lent, path, asked)
      expect([status, json.code]).toEqual([403, '104006'])
    }
  })

  test('answers its owner all that', async () => {
    const page = [from(token), `origin: ${shop.origin}`]
    for (const headers of [[from(token)], page, [from(await ada.managementToken())]]) {
      expect(askAs(ada.account, await own(), '/v3/readers', { headers }).status).toBe(200)
    }
  })

  test('asks nobody for consent on its behalf, and holds none', async () => {
    const codeWord = newWord()
    await ada.desktop.copy(codeWord)
    const lent = { port: await ada.port(), ca: lend(ada.ca) }
    const page = { headers: [`origin: ${shop.origin}`] }
    const bodies = { '/v3/consent': { codeWord }, '/v3/validate': { consents: [consent] } }
    for (const [path, body] of Object.entries(bodies)) {
      const { status, json } = askAs(mallory.account, lent, path, { ...page, body })
      expect([status, json.code]).toEqual([403, '104006'])
    }
  })
})

describe('what lies on the disk and on the desktop of another account', () => {
  test('no file of the connector can be read, nor can its folders be listed', async () => {
    const { runtime, logs, certificates } = homePaths(ada.account.home)
    const files: string[] = []
    for (const folder of [runtime, logs, certificates]) {
      expect(runAs(mallory.account, ['ls', folder]).status).not.toBe(0)
      for (const name of await readdir(folder)) files.push(join(folder, name))
    }
    const names = files.map((path) => path.slice(path.lastIndexOf('/') + 1))
    expect(names).toEqual(
      expect.arrayContaining(['management-token', 'api.log', 'rootCA-key.pem', 'rootCA.pem']),
    )
    for (const path of files) expect(runAs(mallory.account, ['cat', path]).status).not.toBe(0)
  })

  test('no setting of the running connector can be read', () => {
    const path = `/proc/${ada.connector.child.pid}/environ`
    expect(runAs(mallory.account, ['cat', path]).status).not.toBe(0)
    expect(runAs(ada.account, ['cat', path]).status).toBe(0)
  })

  test('nothing that the service keeps can be read but what it is known by', async () => {
    for (const folder of ['certificates', 'logs']) {
      expect(runAs(mallory.account, ['ls', join(machine.dir, folder)]).status).not.toBe(0)
    }
    expect(runAs(mallory.account, ['cat', machine.serviceCa]).status).toBe(0)
  })

  test('the clipboard cannot be read', async () => {
    const word = newWord()
    await ada.desktop.copy(word)
    expect(ada.desktop.clipboardAs(mallory.account)).toBeUndefined()
    expect(ada.desktop.clipboardAs(ada.account)).toBe(word)
  })
})

const registrationOf = (agentId: string) => ({
  protocol: 1,
  agentId,
  username: 'ada',
  hostname: 'desk-7',
  port: 25_001,
  pid: 1,
  pageKey: 'mallory',
  allowlist: [shop.origin],
})

const asAgent = (path: string, body: unknown) =>
  askAs(mallory.account, registry(), `/agent/${path}`, { body })

/** A poll that waits, and what it was answered. */
function poll({ uid, gid, home }: Account, session: string): Running {
  const child = spawn(
    'curl',
    [
      ...['--silent', '--cacert', machine.serviceCa, '--header', 'x-csrf-token: t1c-js'],
      ...['--header', 'content-type: application/json', '--data', JSON.stringify({ session })],
      `https://localhost:${machine.registryPort}/agent/poll`,
    ],
    { uid, gid, env: { PATH: '/usr/bin:/bin', HOME: home }, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  return running(child)
}

type Running = ReturnType<typeof running>
function running(child: ChildProcess) {
  let output = ''
  child.stdout?.on('data', (part) => {
    output += String(part)
  })
  return { child, output: () => output }
}

describe('registry', () => {
  test('does not let one page ask so often that another user’s is not heard', async () => {
    for (let n = 0; n < 8; n += 1) asPage(mallory, '/v3/consent', { codeWord: newWord() })
    consent = await letIn(ada)
  })

  test('with an agent id that was taken serves its owner all the same', async () => {
    const { agentId } = agentIn(consent)
    expect(asAgent('register', registrationOf(agentId)).status).toBe(200)
    const { json } = asPage(ada, '/v3/validate', { consents: [consent] })
    expect(json.data.consentState).toBe('APPROVED')
  })

  test('knows no session that is guessed', () => {
    for (let n = 0; n < 20; n += 1) {
      const session = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
      const { status, json } = asAgent('poll', { session })
      expect([status, json.code]).toEqual([409, '115001'])
    }
  })

  test('asks an impostor nothing on behalf of a user whose connector is away, and has that one back', async () => {
    const { agentId } = agentIn(consent)
    await ada.stop()
    const registered = () => asAgent('register', registrationOf(agentId))
    await expect.poll(() => registered().status, found).toBe(200)
    const { session } = registered().json.data
    const impostor = poll(mallory.account, session)
    const validated = asPage(ada, '/v3/validate', { consents: [consent] })
    const codeWord = newWord()
    await ada.desktop.copy(codeWord)
    const asked = asPage(ada, '/v3/consent', { codeWord })
    for (const { json } of [validated, asked]) {
      expect(json.data).toEqual({ consentState: 'REQUIRED' })
    }
    expect([asPage(ada, '/v3/agents').json.data, asPage(ada, '/device-key').json.data]).toEqual([
      [],
      null,
    ])

    // That it is there is shown by what it is asked first: a question for Mallory's own browser.
    expect(impostor.output()).toBe('')
    asPage(mallory, '/consent')
    await once(impostor.child, 'close')
    const { questions } = JSON.parse(impostor.output()).data
    expect(questions).toMatchObject([{ kind: 'holder', origin: shop.origin }])

    const last = poll(mallory.account, session)
    await ada.start()
    await end(last)
    const again = () => asPage(ada, '/v3/validate', { consents: [consent] }).json.data?.consentState
    await expect.poll(again, found).toBe('APPROVED')
  }, 90_000)
})

/** What was not said by the thief itself, to see whether it listens. */
const byOthers = (heard: string) => heard.replaceAll(/GET \/heard HTTP[\s\S]*?\r\n\r\n/g, '')

describe('port of the registry in the hands of another account', () => {
  let thief: Running | undefined
  afterEach(() => end(thief))

  /** Speaks TLS as localhost, and notes whatever it hears. */
  async function steal(): Promise<Running> {
    const { uid, gid, home } = mallory.account
    const cert = join(home, 'thief.pem')
    const made = runAs(mallory.account, [
      ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
      ...['-noenc', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
      ...['-keyout', cert, '-out', `${cert}.crt`],
    ])
    expect(made.status).toBe(0)
    const at = ['-4', '-accept', `127.0.0.1:${machine.registryPort}`]
    const args = ['s_server', ...at, '-quiet', '-key', cert, '-cert', `${cert}.crt`]
    const listening = running(spawn('openssl', args, { uid, gid, stdio: 'pipe' }))
    thief = listening
    const heard = () => {
      const to = `https://localhost:${machine.registryPort}/heard`
      const ask = ['curl', '--silent', '--max-time', '1', '--cacert', `${cert}.crt`, to]
      runAs(mallory.account, ask)
      return listening.output()
    }
    await expect.poll(heard, found).toContain('GET /heard')
    return listening
  }

  test('gets neither a word nor an answer, and is told to everybody', async () => {
    await machine.stopService()
    const { output } = await steal()
    const codeWord = newWord()
    await ada.desktop.copy(codeWord)
    expect(asPage(ada, '/v3/consent', { codeWord }).status).toBe(0)

    const state = async () =>
      askAs(ada.account, { port: await ada.port(), ca: ada.ca }, '/info', {
        headers: [`authorization: Bearer ${await ada.managementToken()}`],
      }).json.data.t1CInfoAPI.registry
    await expect.poll(state, found).toMatchObject({ state: 'foreign', pid: 0 })
    expect(ada.connector.output()).toContain(mallory.account.name)
    expect(byOthers(output())).toBe('')

    await end(thief)
    await machine.startService()
    const again = () => asPage(ada, '/v3/validate', { consents: [consent] }).json?.data.consentState
    await expect.poll(again, found).toBe('APPROVED')
  }, 90_000)

  test('the moment a page asks for consent, gets nothing of it either', async () => {
    const codeWord = newWord()
    await ada.desktop.copy(codeWord)
    const { uid, gid } = ada.account
    const asking = running(
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
    const { output } = await steal()
    await once(asking.child, 'close')
    expect(asPage(ada, '/v3/consent', { codeWord }).status).toBe(0)
    expect(byOthers(output())).toBe('')
    await end(thief)
    await machine.startService()
    await expect
      .poll(() => asPage(ada, '/v3/consent', { codeWord }).json?.data.consentState, found)
      .toBe('APPROVED')
  }, 90_000)
})
