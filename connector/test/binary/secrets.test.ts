/** Secrets planted in every input of the compiled connector and of its registry, and looked for in all they write. */

import { once } from 'node:events'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connectorOperations, type Operation } from '@cardwire/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Connector,
  createHome,
  homePaths,
  runCommand,
  startConnector,
} from '../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { type HttpsRequestOptions, requestHttps } from '../../../test/bed/https-client.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createTokenSigner } from '../../../test/bed/token-signer.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'

let display: Display
let home: string
let registryPort: number
let connector: Connector
/** What each looks like when it is sent, and the part of it that nobody must find. */
let secrets: readonly (readonly [sent: string, part: string])[]

beforeAll(async () => {
  display = await startDisplay()
  home = await createHome()
  registryPort = await findFreePort()
  const signer = await createTokenSigner(home)
  const jwt = signer.token()
  const pem = signer.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const [word, apiKey] = [crypto.randomUUID().replaceAll('-', ''), crypto.randomUUID()]
  secrets = [
    [jwt, jwt.slice(-40)],
    [pem.replaceAll('\n', ''), pem.split('\n')[1] ?? pem],
    [apiKey, apiKey],
    [`::t1c::miksa::${word}`, word],
    ['918273645', '918273645'],
    ['tr0ub4dor-and-three', 'tr0ub4dor-and-three'],
    ['session=5e55104c00c1e', '5e55104c00c1e'],
  ]
  await writeFile(join(home, 'card'), '3B00')
  connector = await startConnector(
    {
      ...display.settings,
      CARDWIRE_CORS: 'https://*.pages.example',
      CARDWIRE_JWKS: signer.jwks,
      CARDWIRE_LOG_LEVEL: 'debug',
      CARDWIRE_REGISTRY_PORT: String(registryPort),
      CARDWIRE_VIRTUAL_READER: join(home, 'card'),
    },
    home,
  )
  await waitFor(() => connector.output().includes('registry found'))
})
afterAll(async () => {
  await connector?.stop()
  await display?.stop()
  if (home) await rm(home, { recursive: true, force: true })
})

/** Everything that the roles of this home have written, to files and to the terminal. */
async function written(): Promise<string> {
  const { logs } = homePaths(home)
  const names = await readdir(logs)
  const files = await Promise.all(names.map((name) => readFile(join(logs, name), 'utf8')))
  return [...files, connector.output()].join('\n')
}

const found = async () => {
  const text = await written()
  return secrets.map(([, part]) => part).filter((part) => text.includes(part))
}

let pages = 0
/** Requests for consent are counted by origin: each has its own. */
const newOrigin = () => {
  pages += 1
  return `https://page-${pages}.pages.example`
}

/** Asks API and registry; resolves with the statuses, in this order. */
const askBoth = (path: string, options: HttpsRequestOptions) =>
  Promise.all(
    [connector.port, registryPort].map(
      async (port) => (await requestHttps(port, connector.ca, path, options)).status,
    ),
  )

/** Every header that legacy clients or browsers send, but those that name a host or a page. */
const inHeaders = (secret: string) =>
  Object.fromEntries(
    [
      ...['cookie', 'x-pace-pin', 'x-pace-can', 'x-t1c-billing-tag', 'x-xsrf-token', 'apikey'],
      ...['user-agent', 'accept-language', 'referer', 'sec-ch-ua', 'x-password'],
    ].map((name) => [name, secret]),
  )

const json = { 'content-type': 'application/json' }

/** The requests that have a secret wherever an operation reads something, and where it does not. */
function requestsWith(secret: string, { method, path, access, body, name }: Operation) {
  const text = encodeURIComponent(secret)
  const at = path.replaceAll(/\{\w+\}/g, text)
  const query = ['timeout', 'cardInserted', 'excluded', 'after', 'ttl', 'pin', 'password']
    .map((each) => `${each}=${text}`)
    .join('&')
  const ofPage = access === 'anyone' ? { origin: newOrigin() } : {}
  const token = access === 'anyone' || access === 'management' ? null : connector.token
  const field = { codeWord: secret, consents: [secret], data: secret, cert: secret }
  const bodies = [`{"password":"${secret}"`, JSON.stringify(field), JSON.stringify(secret)]
  const headers = { ...inHeaders(secret), ...ofPage }
  const gets: readonly (readonly [string, HttpsRequestOptions])[] = [
    [`${at}?${query}`, { method, token, headers }],
    [`${path}?${text}`, { method, token: secret, headers: ofPage }],
    [at, { method, token: name === 'readerEvents' ? null : token, csrf: secret, headers }],
    [`${at}/${text}`, { method, token, headers: { ...headers, origin: newOrigin() } }],
  ]
  const posts = body ? bodies : []
  return [
    ...gets,
    ...posts.map((each): readonly [string, HttpsRequestOptions] => [
      at,
      { method, token, body: each, headers: { ...headers, ...json } },
    ]),
  ]
}

test('in path, query, header and body of every operation they are in no log', async () => {
  proves('log-without-secrets')
  const agent = ['/agent/register', '/agent/poll', '/agent/responses'].map(
    (path): Operation => ({
      name: path,
      path: path as `/${string}`,
      method: 'POST',
      tag: '',
      summary: '',
      access: 'management',
      body: { type: 'json', schema: undefined as never },
      reply: { kind: 'response', media: '', description: '' },
      problems: [],
    }),
  )
  let count = 0
  for (const [secret] of secrets) {
    for (const operation of [...connectorOperations, ...agent]) {
      const requests = requestsWith(secret, operation)
      await Promise.all(requests.map(([path, options]) => askBoth(path, options)))
      count += requests.length
    }
  }
  // Each left its line, with its route: the logs that are searched are those that were written.
  const lines = (text: string) =>
    text.split('\n').filter((line) => line.includes('"message":"request"'))
  await expect.poll(async () => lines(await written()).length).toBeGreaterThanOrEqual(2 * count)
  expect(await found()).toEqual([])
})

test('in headers of a browser and in addresses of its page they are in no log', async () => {
  const forms = secrets.flatMap(([secret]) => {
    const text = encodeURIComponent(secret)
    return [
      { origin: `https://user:${text}@evil.example/${text}?pin=${text}#${text}` },
      { origin: `${text} no address` },
      { 'sec-fetch-site': text },
      { 'access-control-request-headers': text, origin: newOrigin() },
      { 'content-type': text, 'content-length': '2' },
    ]
  })
  for (const headers of forms) {
    const method = 'access-control-request-headers' in headers ? 'OPTIONS' : 'POST'
    const body = 'content-type' in headers ? '{}' : ''
    await askBoth('/v3/consent', { method, token: null, headers, body })
  }
  const hosts = secrets.map(([secret]) => `localhost/?password=${encodeURIComponent(secret)}`)
  for (const host of hosts) expect(await askBoth('/info', { host })).toEqual([421, 421])
  await expect.poll(written).toContain('https://evil.example')
  expect(await found()).toEqual([])
})

test('on the clipboard, in the file of a card, and in what is no HTTP they are in no log', async () => {
  const all = secrets.map(([secret]) => secret).join('\n')
  await display.copy(all)
  const [, , , [word]] = secrets as [unknown, unknown, unknown, readonly [string, string]]
  const consent = (origin: string) =>
    askBoth('/v3/consent', {
      method: 'POST',
      token: null,
      body: JSON.stringify({ codeWord: word }),
      headers: { ...json, origin },
    })
  expect(await consent(newOrigin())).toEqual([200, 200])
  // The word itself, and the consents that it gives.
  await display.copy(word)
  const origin = newOrigin()
  expect(await consent(origin)).toEqual([200, 200])
  await expect.poll(written).toContain(origin)

  await writeFile(join(home, 'card'), all)
  const readers = async () => (await connector.request('/v3/readers')).json.data[0]?.card
  await expect.poll(readers).toBeUndefined()

  for (const port of [connector.port, registryPort]) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.end(`${all}\r\n\r\n`).resume()
    await once(socket, 'close')
  }
  expect(await found()).toEqual([])
})

test('in settings that are refused they are neither printed nor logged', async () => {
  for (const [secret] of secrets) {
    const { status, out, err } = runCommand(home, ['run', '--api-ports', secret], {
      CARDWIRE_INSTALLATION_KEY: `${secret}!`,
      CARDWIRE_JWT: secret,
      CARDWIRE_LOG_LEVEL: secret,
    })
    expect(status).toBe(2)
    expect(err).toContain('CARDWIRE_INSTALLATION_KEY (environment)')
    for (const [, part] of secrets) expect(out + err).not.toContain(part)
  }
  expect(await found()).toEqual([])
})
