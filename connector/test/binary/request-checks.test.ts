/** The checks of the compiled API and of its registry: their order, and that whatever refuses answers so that pages can read it. */

import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { detectAnyCard, detectCard, detectReaders } from '@cardwire/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Connector, homePaths, startConnector } from '../../../test/bed/connector.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { type HttpsRequestOptions, requestHttps } from '../../../test/bed/https-client.ts'
import { proves } from '../../../test/bed/proves.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'

const origin = 'https://shop.example'
const json = { 'content-type': 'application/json' }

let connector: Connector
let registryPort: number
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-checks-'))
  await writeFile(join(folder, 'card'), '3B00')
  registryPort = await findFreePort()
  connector = await startConnector({
    CARDWIRE_CORS: origin,
    CARDWIRE_JWT: 'off',
    CARDWIRE_REGISTRY_PORT: String(registryPort),
    CARDWIRE_VIRTUAL_READER: join(folder, 'card'),
  })
  await waitFor(() => connector.output().includes('registry found'))
})
afterAll(async () => {
  await connector?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const servers = ['API', 'registry'] as const
const portOf = (server: (typeof servers)[number]) =>
  server === 'API' ? connector.port : registryPort

test('checks run in their order: each is reported only when those before it have passed', async () => {
  proves('check-order')
  const ask = (headers: HttpsRequestOptions['headers'], more: HttpsRequestOptions = {}) =>
    connector.request('/v3/modules/x509/pem', {
      method: 'POST',
      body: '{}',
      token: null,
      csrf: null,
      host: 'localhost',
      ...more,
      headers: { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site', ...headers },
    })
  const page = { origin }
  const inOrder: readonly (readonly [
    Promise<{ status: number; json: { code?: string } }>,
    ...unknown[],
  ])[] = [
    [ask({ origin: 'https://evil.example' }, { host: 'evil.example' }), 421, '104001'],
    [ask({ origin: 'https://evil.example' }, { method: 'OPTIONS' }), 403, '104002'],
    [ask(page, { method: 'OPTIONS' }), 204, undefined],
    [ask({}), 403, '104003'],
    [ask(page), 403, '104004'],
    [ask(page, { csrf: 't1c-js' }), 415, '106003'],
    [ask({ ...page, ...json }, { csrf: 't1c-js' }), 403, '814501'],
    [ask({ ...json, 'sec-fetch-site': 'none' }, { csrf: 't1c-js' }), 401, '104025'],
    [
      ask({ ...json, 'sec-fetch-site': 'none' }, { csrf: 't1c-js', token: connector.token }),
      ...[422, '106004'],
    ],
  ]
  for (const [answer, ...expected] of inOrder) {
    const { status, json: problem } = await answer
    expect([status, problem?.code]).toEqual(expected)
  }
})

describe.each(servers)('what the %s refuses of an allowed page', (server) => {
  const post = (
    body: string,
    headers: HttpsRequestOptions['headers'] = json,
  ): readonly [string, HttpsRequestOptions] => ['/v3/consent', { method: 'POST', body, headers }]
  const large = JSON.stringify({ codeWord: 'x'.repeat(1_100_000) })
  const long = (size: number): readonly [string, HttpsRequestOptions] => [
    '/info',
    { headers: { 'x-pace-pin': 'x'.repeat(size) } },
  ]
  test.each<readonly [string, readonly [string, HttpsRequestOptions], number, string]>([
    ['a missing X-CSRF-Token', ['/info', { csrf: null }], 403, '104004'],
    ['plain text', post('{}', { 'content-type': 'text/plain' }), 415, '106003'],
    ['a form', post('a=b', { 'content-type': 'application/x-www-form-urlencoded' }), 415, '106003'],
    ['a body over 1 MiB', post(large), 413, '106002'],
    [
      'a body over 1 MiB without Content-Length',
      post(large, { ...json, 'transfer-encoding': 'chunked' }),
      ...([413, '106002'] as const),
    ],
    ['a header over 16 kB', long(17_000), 431, '106005'],
    ['a header of 100 kB', long(100_000), 431, '106005'],
    ['a header of 900 kB', long(900_000), 431, '106005'],
    ['a route that is not there', ['/v3/nowhere', {}], 404, '112999'],
    ['a method that is not there', ['/info', { method: 'PATCH' }], 404, '112999'],
    ['text that is not JSON', post('{'), 400, '106001'],
    ['JSON that is no object', post('[]'), 422, '106004'],
    ['a field that is missing', post('{}'), 422, '106004'],
    ['a wrong query', ['/agents/consent/word?ttl=never', {}], 422, '106004'],
    ['a path that is badly encoded', ['/v3/%E0%A4%A', {}], 404, '112999'],
  ])('%s, is a problem with a body and CORS headers', async (_, [path, options], status, code) => {
    proves('check-order')
    const { headers, ...answer } = await requestHttps(portOf(server), connector.ca, path, {
      ...options,
      headers: { origin, ...options.headers },
    })
    expect([answer.status, answer.json?.code]).toEqual([status, code])
    expect(answer.json).toMatchObject({ success: false, description: expect.any(String) })
    expect(headers['content-type']).toBe('application/problem+json')
    expect(headers['access-control-allow-origin']).toBe(origin)
    expect(headers['access-control-allow-credentials']).toBe('true')
  })
})

test.each(servers)('wrong hosts and origins are refused by the %s, and logged', async (server) => {
  const ask = (options: HttpsRequestOptions) =>
    requestHttps(portOf(server), connector.ca, '/device-key', options)
  const file = join(homePaths(connector.home).logs, `${server.toLowerCase()}.log`)
  const logged = async () =>
    (await readFile(file, 'utf8')).split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []))
  const name = 'rebound.evil.example'
  expect((await ask({ host: name })).json.code).toBe('104001')
  const line = (message: string, fields: object) =>
    expect.arrayContaining([expect.objectContaining({ level: 'WARN', message, ...fields })])
  await expect.poll(logged).toEqual(line('host refused', { host: name }))
  for (const refused of [`https://${name}`, 'null']) {
    const { headers, json: problem } = await ask({ headers: { origin: refused } })
    expect(problem.code).toBe('104002')
    expect(headers['access-control-allow-origin']).toBeUndefined()
    await expect.poll(logged).toEqual(line('origin refused', { origin: refused }))
  }
})

test('no address but 127.0.0.1 and ::1 accepts a connection', async () => {
  const taken = (host: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(connector.port, host)
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  const own = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ internal, scopeid }) => !internal && !scopeid).map(({ address }) => address),
  )
  expect(await Promise.all(['127.0.0.1', '::1'].map(taken))).toEqual([true, true])
  expect(await Promise.all(['127.0.0.2', ...own].map(taken))).not.toContain(true)
})

test.runIf(process.getuid?.() === 0)(
  'process of another user is refused without a token, with any, and as a page',
  async () => {
    const node = await mkdtemp(join(tmpdir(), 'cardwire-other-'))
    spawnSync('cp', ['-L', process.execPath, join(node, 'node')])
    spawnSync('chmod', ['-R', '755', node])
    const requestCode = (headers: object) => {
      const options = {
        host: '127.0.0.1',
        port: connector.port,
        path: '/v3/version',
        ca: connector.ca,
        servername: 'localhost',
        headers: { 'x-csrf-token': 't1c-js', ...headers },
      }
      const script = `require('node:https').get(${JSON.stringify(options)}, (answer) => answer.pipe(process.stdout))`
      const { stdout } = spawnSync(join(node, 'node'), ['-e', script], {
        uid: 65_534,
        gid: 65_534,
        env: {},
        cwd: '/',
        encoding: 'utf8',
      })
      return JSON.parse(stdout).code
    }
    const tokens = [{}, { authorization: 'Bearer' }, { authorization: `Bearer ${connector.token}` }]
    expect([...tokens, { origin }].map(requestCode)).toEqual(
      Array.from({ length: 4 }, () => '104006'),
    )
    await rm(node, { recursive: true })
  },
)

describe('without tokens for pages', () => {
  test('/info says so', async () => {
    expect((await connector.request('/info')).json.data.t1CInfoAPI).toMatchObject({
      jwtEnabled: false,
    })
  })

  test('a program still needs one', async () => {
    expect((await connector.request('/v3/version', { token: null })).status).toBe(401)
  })
})

describe('API for a program of this user', () => {
  test.each(['0', '61', '1.5', 'soon', '-1'])(
    'a wait of %s seconds is refused',
    async (timeout) => {
      const paths = ['detect', 'detect-card', '0123456789abcdef/detect-card']
      const answers = paths.map((path) =>
        connector.request(`/v3/readers/${path}?timeout=${timeout}`),
      )
      for (const { status, json: problem } of await Promise.all(answers))
        expect([status, problem.code]).toEqual([422, '106004'])
    },
  )

  test.each([detectReaders, detectAnyCard, detectCard])(
    'a wait lasts 30 s without $name',
    ({ query }) => {
      expect(query.parse({})).toEqual({ timeout: 30 })
    },
  )

  test('/atrs lists more than 3,000 known cards and patterns, the same each time', async () => {
    proves('known-cards-listed')
    const { status, text, json } = await connector.request('/atrs')
    expect(status).toBe(200)
    expect(json.data.length).toBeGreaterThan(3000)
    for (const entry of json.data) {
      expect(entry).toEqual({
        atr: expect.stringMatching(/^(?:[0-9A-F]|\.\*?|\[[0-9A-F,-]+\])+$/),
        description: expect.any(Array),
        module: expect.stringMatching(/^(piv|beid)?$/),
        moduleDescription: expect.any(String),
      })
    }
    // A module that handles cards is named with those of its ATRs, and with no other.
    expect(json.data).toContainEqual(
      expect.objectContaining({
        atr: expect.stringContaining('A000000308'),
        module: 'piv',
        moduleDescription: 'Cards with the PIV application (NIST SP 800-73-4)',
      }),
    )
    // Made up of nothing but these bytes, and one that only a pattern has.
    expect(json.data).toContainEqual(
      expect.objectContaining({
        atr: '3B9813400AA503010101AD1311',
        description: [expect.stringContaining('Belgi')],
        module: 'beid',
      }),
    )
    expect(json.data).toContainEqual(
      expect.objectContaining({ atr: expect.stringContaining('..') }),
    )
    expect((await connector.request('/atrs')).text).toBe(text)
  })

  test('modules are listed as they are shown one by one', async () => {
    const { data } = (await connector.request('/v3/modules')).json
    expect(data.map(({ id }: { id: string }) => id)).toEqual([
      'x509',
      'fileexchange',
      'rawprint',
      'piv',
      'beid',
      'openpgp',
      'emv',
      'remoteloading',
      'pkcs11',
    ])
    for (const module of data)
      expect((await connector.request(`/v3/modules/${module.id}`)).json.data).toEqual(module)
  })
})
