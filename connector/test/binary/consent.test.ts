/** Consent on the compiled binary: a real clipboard, a page that asks the API itself, and the user who takes it back. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Connector,
  createEmptyHome,
  createHome,
  homePaths,
  startConnector,
} from '../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import type { HttpsRequestOptions } from '../../../test/bed/https-client.ts'
import { asPage, createCodeWord, giveConsent } from '../../../test/bed/page.ts'
import { createEnvironment } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'
import { createTokenSigner, type TokenSigner } from '../../../test/bed/token-signer.ts'
import { startScriptedBus } from '../desktop/scripted-bus.ts'
import { runForDocument } from './command-document.ts'

let display: Display
let folder: string
let home: string
let signer: TokenSigner
let connector: Connector
let settings: Record<string, string>
let stopBus: () => void
/** What came over the message bus, for each notification. */
const notifications: string[] = []

beforeAll(async () => {
  display = await startDisplay()
  folder = await mkdtemp(join(tmpdir(), 'cardwire-jwks-'))
  home = await createHome()
  signer = await createTokenSigner(folder)
  const bus = join(folder, 'bus')
  stopBus = await startScriptedBus(bus, {
    call: (client, received) => {
      notifications.push(received)
      client.end()
    },
  })
  settings = {
    ...display.settings,
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}`,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWKS: signer.jwks,
    CARDWIRE_LOG_LEVEL: 'debug',
  }
  connector = await startConnector(settings, home)
})
afterAll(async () => {
  await connector?.stop()
  await display?.stop()
  stopBus?.()
  for (const path of [folder, home]) await rm(path, { recursive: true, force: true })
})

const token = (lifetimeS = 720) => signer.token(lifetimeS, -120)

let pages = 0
/** Consents and requests for them are counted by origin: every test has its own. */
const newOrigin = () => {
  pages += 1
  return `https://page-${pages}.pages.example`
}

const askAsPage = (
  origin: string,
  path: string,
  options: HttpsRequestOptions = {},
  to = connector,
) => to.request(path, asPage(origin, undefined, options))

const requestConsent = (origin: string, codeWord: string, to = connector) =>
  to.request('/v3/consent', asPage(origin, { codeWord }))

const validate = (origin: string, consents: readonly string[], to = connector) =>
  to.request('/v3/validate', asPage(origin, { consents }))

/** An origin that holds a consent, and that consent. */
async function consented(to = connector): Promise<readonly [origin: string, consent: string]> {
  const origin = newOrigin()
  const post = (path: string, body: object) => to.request(path, asPage(origin, body))
  return [origin, (await giveConsent(display.copy, post)).consent]
}

const consents = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(connectorProgram, ['consents', ...args], {
    env: createEnvironment(home, settings),
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

describe('a page', () => {
  test('without consent finds a PROXY; with it, an API and the readers, by its token', async () => {
    proves('proxy-or-api', 'page-without-consent')
    const origin = newOrigin()
    const before = await askAsPage(origin, '/info', { token: await token() })
    expect(before.json.t1CInfoAPI.service.deviceType).toBe('PROXY')
    expect(before.text).not.toContain(home)
    const refused = await askAsPage(origin, '/v3/readers', { token: await token() })
    expect([refused.status, refused.json.code]).toEqual([403, '814501'])

    const word = createCodeWord()
    await display.copy(word)
    const { status, json } = await requestConsent(origin, word)
    expect([status, json.data.consentState]).toEqual([200, 'APPROVED'])
    const { agent } = JSON.parse(Buffer.from(json.data.consent, 'base64').toString())
    expect(agent.apiPort).toBe(String(connector.port))
    expect(agent.apiPid).toBe(String(connector.child.pid))

    const after = await askAsPage(origin, '/info', { token: await token() })
    expect(after.json.data.t1CInfoAPI.service).toMatchObject({
      deviceType: 'API',
      apiPort: String(connector.port),
    })
    const readers = await askAsPage(origin, '/v3/readers', { token: await token() })
    expect([200, 503]).toContain(readers.status)
    const agents = await askAsPage(origin, '/v3/agents', { token: await token() })
    expect(agents.json.data).toMatchObject([{ consentId: agent.consentId }])
    expect((await askAsPage(origin, '/consent')).json.data).toEqual({ apiPort: agent.apiPort })
  })

  test('with consent and a token that has expired or is missing gets the short info, and problems from its calls', async () => {
    const [origin, consent] = await consented()
    for (const bad of [null, await token(60)]) {
      const info = await askAsPage(origin, '/info', { token: bad })
      expect([info.status, info.json.t1CInfoAPI.service.deviceType]).toEqual([200, 'PROXY'])
      expect((await validate(origin, [consent])).json.data.consentState).toBe('APPROVED')
      expect((await askAsPage(origin, '/v3/readers', { token: bad })).status).toBe(401)
    }
  })

  test('of another origin has no part in the consent', async () => {
    proves('foreign-consent-used')
    const [, consent] = await consented()
    const stranger = newOrigin()
    expect((await validate(stranger, [consent])).json.data).toEqual({ consentState: 'REQUIRED' })
    const { json } = await askAsPage(stranger, '/v3/readers', { token: await token() })
    expect(json.code).toBe('814501')
  })

  test('with a code word that is not on the clipboard, or was used, gets REQUIRED', async () => {
    await display.copy('the shopping list of this week')
    const origin = newOrigin()
    const refused = await requestConsent(origin, createCodeWord())
    expect([refused.status, refused.json.data]).toEqual([200, { consentState: 'REQUIRED' }])
    const word = createCodeWord()
    await display.copy(word)
    expect((await requestConsent(origin, word)).json.data.consentState).toBe('APPROVED')
    const another = await requestConsent(newOrigin(), word)
    expect(another.json.data).toEqual({ consentState: 'REQUIRED' })
  })

  test('whose clipboard belongs to a program that never answers gets REQUIRED within 3 s', async () => {
    proves('silent-clipboard')
    const word = createCodeWord()
    const env = { ...display.settings }
    const holder = spawn('xclip', ['-selection', 'clipboard', '-in', '-quiet'], {
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    holder.stdin.end(word)
    const read = () =>
      spawnSync('xclip', ['-selection', 'clipboard', '-out'], { env, encoding: 'utf8' }).stdout
    await expect.poll(read).toBe(word)
    holder.kill('SIGSTOP')
    const origin = newOrigin()
    const started = performance.now()
    const [one, two] = await Promise.all([
      requestConsent(origin, word),
      requestConsent(newOrigin(), createCodeWord()),
    ])
    const took = performance.now() - started
    const ended = once(holder, 'exit')
    holder.kill('SIGKILL')
    await ended
    for (const { status, json } of [one, two]) {
      expect([status, json.data]).toEqual([200, { consentState: 'REQUIRED' }])
    }
    expect(took).toBeLessThan(3000)
    expect(connector.output()).toContain('clipboard not read')
  })

  test.skipIf(process.getuid?.() !== 0)(
    'that is a program of another account is refused, with the consent and the token of the page',
    async () => {
      proves('consent-bound-to-account', 'other-account-calls')
      const [origin] = await consented()
      const ask = (path: string, ...more: string[]) =>
        spawnSync(
          'setpriv',
          [
            ...['--reuid=65534', '--regid=65534', '--clear-groups', 'curl', '-sk', ...more],
            ...['-H', 'X-CSRF-Token: t1c-js', '-H', `Origin: ${origin}`],
            `https://localhost:${connector.port}${path}`,
          ],
          { encoding: 'utf8' },
        ).stdout
      const bearer = ['-H', `Authorization: Bearer ${await token()}`]
      for (const path of ['/v3/readers', '/v3/agents', '/info', '/consent']) {
        expect(JSON.parse(ask(path, ...bearer)).code).toBe('104006')
      }
    },
  )
})

test('consents survive a restart, and come back with the new port', async () => {
  const [origin, consent] = await consented()
  await connector.stop()
  connector = await startConnector({ ...settings, CARDWIRE_API_PORTS: '25100-25199' }, home)
  const { json } = await validate(origin, [consent])
  expect(json.data.consentState).toBe('APPROVED')
  const { agent } = JSON.parse(Buffer.from(json.data.consent, 'base64').toString())
  expect(agent.apiPort).toBe(String(connector.port))
  expect((await askAsPage(origin, '/v3/agents', { token: await token() })).status).toBe(200)
})

describe('cardwire consents', () => {
  test('--json has each consent with its times, and revokes by origin', async () => {
    const [origin] = await consented()
    const list = () => runForDocument(home, ['consents'], settings).document['consents']
    const later = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
    const times = { issuedAt: later, expiresAt: later, usedAt: later }
    const consent = { origin, ...times, identity: [], folders: [], managedFolders: [] }
    expect(list()).toContainEqual(consent)
    const revoked = runForDocument(home, ['consents', 'revoke', origin], settings)
    expect(revoked).toEqual({ status: 0, document: { revoked: 1 } })
    expect(list()).not.toContainEqual(consent)
  })

  test('lists each origin with its times', async () => {
    const [origin] = await consented()
    const { status, stdout } = consents()
    expect(status).toBe(0)
    const line = stdout.split('\n').find((one) => one.startsWith(`${origin}  `))
    expect(line).toMatch(/ since \d{4}-\d\d-\d\d \d\d:\d\d, until .*, last used /)
  })

  test('revoke ends the calls at once and the event stream within seconds', async () => {
    proves('consent-revoked', 'events-outlive')
    const [origin, consent] = await consented()
    const bystander = (await consented())[0]
    const jwt = await token()
    const stream = await openStream(origin, jwt)
    expect(consents('revoke', origin)).toMatchObject({ status: 0, stderr: '' })
    const { status, json } = await askAsPage(origin, '/v3/readers', { token: jwt })
    expect([status, json.code]).toEqual([403, '814501'])
    await stream.ended
    expect((await validate(origin, [consent])).json.data.consentState).toBe('REQUIRED')
    const info = await askAsPage(origin, '/info', { token: jwt })
    expect(info.json.t1CInfoAPI.service.deviceType).toBe('PROXY')
    expect((await askAsPage(bystander, '/v3/agents', { token: jwt })).status).toBe(200)
  })

  test('revoke ends a request whose body is still on its way', async () => {
    proves('consent-given-again')
    const [origin] = await consented()
    const jwt = await token()
    const { send, isAnswered } = await holdRequest(origin, '/v3/modules/x509/json', jwt)
    // The request before has been authorized: it would be refused by now.
    expect((await askAsPage(origin, '/v3/agents', { token: jwt })).status).toBe(200)
    expect(consents('revoke', origin)).toMatchObject({ status: 0 })
    await consented().then(([other]) => askAsPage(other, '/v3/agents', { token: jwt }))
    expect(isAnswered()).toBe(false)
    expect(await send(JSON.stringify({ cert: connector.ca }))).toBe(403)
  })

  test('revoke --all revokes every consent, and fails when there is none', async () => {
    proves('consent-without-click')
    const [origin] = await consented()
    expect(consents('revoke', '--all')).toMatchObject({ status: 0 })
    const { json } = await askAsPage(origin, '/v3/agents', { token: await token() })
    expect(json.code).toBe('814501')
    expect(consents().stdout).toContain('You have not allowed any sites')
    expect(consents('revoke', '--all').status).toBe(1)
  })

  test.each([
    ['an origin that has none', ['https://nobody.example'], 1, 'you have not allowed'],
    ['no origin', [], 2, 'name one site'],
    ['what is no origin', ['shop.example'], 2, 'expected an origin'],
    ['an origin and --all', ['https://shop.example', '--all'], 2, 'name one site'],
  ])('revoke of %s says what to do', (_, args, status, sentence) => {
    const result = consents('revoke', ...args)
    expect([result.status, result.stdout]).toEqual([status, ''])
    expect(result.stderr).toContain(sentence)
  })

  test('creates no files where there was never a connector', async () => {
    const elsewhere = await createEmptyHome()
    const { status, stdout } = spawnSync(connectorProgram, ['consents'], {
      env: createEnvironment(elsewhere),
      encoding: 'utf8',
    })
    expect([status, stdout]).toEqual([0, expect.stringContaining('You have not allowed any sites')])
    await expect(stat(homePaths(elsewhere).runtime)).rejects.toThrow()
    await rm(elsewhere, { recursive: true, force: true })
  })
})

test('no code word, consent key or signature is in the log or the output', async () => {
  proves('connector-log-secrets')
  const origin = newOrigin()
  const word = createCodeWord()
  await display.copy(word)
  const { json } = await requestConsent(origin, word)
  const { signedHash } = JSON.parse(Buffer.from(json.data.consent, 'base64').toString())
  await askAsPage(origin, `/agents/consent/${createCodeWord()}?ttl=1`)
  const log = await readFile(join(homePaths(home).logs, 'api.log'), 'utf8')
  expect(log).toContain(origin)
  for (const text of [log, connector.output()]) {
    expect(text).not.toContain(word.slice(-32))
    expect(text).not.toContain(signedHash)
    expect(text).not.toContain('miksa')
  }
})

test('without tokens a page with consent needs none', async () => {
  const free = await startConnector({ ...settings, CARDWIRE_JWT: 'off' })
  try {
    const origin = newOrigin()
    expect((await askAsPage(origin, '/v3/agents', {}, free)).json.code).toBe('814501')
    const word = createCodeWord()
    await display.copy(word)
    await requestConsent(origin, word, free)
    expect((await askAsPage(origin, '/v3/agents', {}, free)).status).toBe(200)
    const info = await askAsPage(origin, '/info', {}, free)
    expect(info.json.t1CInfoAPI.service.deviceType).toBe('API')
  } finally {
    await free.stop()
  }
})

test('a consent makes the connector notify the user over the message bus of the session', async () => {
  proves('notification-arguments')
  const [origin] = await consented()
  const text = `${origin} can now use your card readers`
  await expect.poll(() => notifications.some((received) => received.includes(text))).toBe(true)
})

test('a damaged state database costs the consents, not the connector', async () => {
  proves('state-damaged')
  const own = await createHome()
  const first = await startConnector(settings, own)
  const [origin, consent] = await consented(first)
  await first.stop()
  await writeFile(join(homePaths(own).runtime, 'state.db'), 'x'.repeat(8192))
  const second = await startConnector(settings, own)
  try {
    expect(second.output()).toContain('state database put aside')
    expect((await validate(origin, [consent], second)).json.data.consentState).toBe('REQUIRED')
    await consented(second)
  } finally {
    await second.stop()
    await rm(own, { recursive: true, force: true })
  }
})

/** The head of a page's request; `send` sends its body and resolves with the status. */
async function holdRequest(origin: string, path: string, jwt: string) {
  const sent = request({
    ...{ host: '127.0.0.1', servername: 'localhost', port: connector.port, ca: connector.ca },
    // A new connection: its start is waited for.
    ...{ agent: false, method: 'POST', path },
    headers: {
      ...{ origin, 'x-csrf-token': 't1c-js', authorization: `Bearer ${jwt}` },
      'content-type': 'application/json',
    },
  })
  const response = once(sent, 'response') as Promise<[IncomingMessage]>
  let answered = false
  response.then(
    () => (answered = true),
    () => undefined,
  )
  sent.flushHeaders()
  const [socket] = (await once(sent, 'socket')) as [TLSSocket]
  await once(socket, 'secureConnect')
  return {
    isAnswered: () => answered,
    async send(body: string) {
      sent.end(body)
      const [{ statusCode }] = await response
      return statusCode
    },
  }
}

/** A stream of reader events, and the moment when the connector ends it. */
function openStream(origin: string, jwt: string): Promise<{ readonly ended: Promise<void> }> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      servername: 'localhost',
      port: connector.port,
      path: '/v3/readers/events',
      ca: connector.ca,
      headers: { origin, 'x-csrf-token': 't1c-js', authorization: `Bearer ${jwt}` },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const ended = new Promise<void>((done) => response.on('end', done))
      response.once('data', () => resolve({ ended }))
    })
    sent.end()
  })
}
