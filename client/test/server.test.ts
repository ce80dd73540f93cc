/** The exchange of an API key, against a real service that counts. */
import { createServer, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import {
  type ApplicationTokenError,
  type ApplicationTokensOptions,
  applicationTokens,
} from '@cardwire/server'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createIdentity } from '../../test/bed/certificates.ts'
import { findFreePort } from '../../test/bed/free-port.ts'
import { proves } from '../../test/bed/proves.ts'
import { listen } from './harness/listen.ts'
import { token } from './harness/token.ts'

const apiKey = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'

/** A service with a clock of its own, a day ahead of everybody's. */
async function start(answer?: (response: ServerResponse) => void) {
  let now = 0
  const requests: Array<{ url?: string | undefined; apikey: unknown }> = []
  const port = await listen(
    createServer(({ url, headers }, response) => {
      requests.push({ url, apikey: headers['apikey'] })
      if (answer) return answer(response)
      const iat = 86_400 + Math.floor(now / 1000)
      const data = token({ iat, exp: iat + 1200, n: requests.length })
      response.end(JSON.stringify({ success: true, data }))
    }),
  )
  const options: ApplicationTokensOptions = {
    dsUrl: `http://localhost:${port}/`,
    apiKey,
    clock: () => now,
  }
  const later = (ms: number): void => {
    now += ms
  }
  return { requests, later, dsUrl: options.dsUrl, tokens: applicationTokens(options) }
}

const failure = (promise: Promise<unknown>): Promise<ApplicationTokenError> =>
  promise.then(
    () => Promise.reject(new Error('it succeeds')),
    (error) => error,
  )

test('token sends the key in the header apikey, and resolves with the token', async () => {
  const { requests, tokens } = await start()
  expect(await tokens.token()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  expect(requests).toEqual([{ url: '/v3/tokens/application', apikey: apiKey }])
})

test('token sends no key when NODE_TLS_REJECT_UNAUTHORIZED turns off the checks of certificates', async () => {
  proves('certificate-checks-off')
  const { key, cert } = await createIdentity('localhost')
  let requests = 0
  const port = await listen(
    createTlsServer({ key, cert }, (_, response) => {
      requests += 1
      response.end()
    }),
  )
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { token } = applicationTokens({ dsUrl: `https://localhost:${port}`, apiKey })
  const { reason, message } = await failure(token())
  expect(requests).toBe(0)
  expect(reason).toBe('settings-invalid')
  expect(message).toContain('Cannot send the API key: NODE_TLS_REJECT_UNAUTHORIZED')
})

test('a token is cached until a minute before its expiry, by the local clock', async () => {
  const { requests, later, tokens } = await start()
  const first = await tokens.token()
  later(1_139_999)
  expect(await tokens.token()).toBe(first)
  later(1)
  expect(await tokens.token()).not.toBe(first)
  expect(requests).toHaveLength(2)
})

test('a clock that is set back keeps no token, which may have expired', async () => {
  proves('application-token-outlived')
  const { requests, later, tokens } = await start()
  await tokens.token()
  later(-1)
  await tokens.token()
  expect(requests).toHaveLength(2)
})

test('calls at the same time share one token, also when one of them is aborted', async () => {
  const { requests, tokens } = await start()
  const leaving = new AbortController()
  const left = failure(tokens.token({ signal: leaving.signal }))
  const others = Promise.all([
    tokens.token(),
    tokens.token({ signal: new AbortController().signal }),
  ])
  leaving.abort()
  expect((await left).name).toBe('AbortError')
  const [one, other] = await others
  expect(one).toBe(other)
  expect(requests).toHaveLength(1)
})

test('a failure is not cached', async () => {
  let down = true
  const { tokens } = await start((response) =>
    down
      ? response.writeHead(500).end()
      : response.end(JSON.stringify({ data: token({ iat: 0, exp: 1200 }) })),
  )
  expect((await failure(tokens.token())).reason).toBe('answer-malformed')
  down = false
  expect(await tokens.token()).toBeTruthy()
})

const problem = (status: number, name: string) => (response: ServerResponse) =>
  response.writeHead(status).end(
    JSON.stringify({
      success: false,
      code: name,
      description: `Cannot: ${name}`,
      type: `urn:cardwire:problem:${name}`,
    }),
  )

const failing = (body: string) => (response: ServerResponse) => response.writeHead(400).end(body)
const unprintable = '{"toString":1,"valueOf":1}'
const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`

test.each<[string, (response: ServerResponse) => void, string]>([
  ['a refused key', problem(401, 'api-key-refused'), 'api-key-refused'],
  ['too many requests', problem(429, 'too-many-requests'), 'too-many-requests'],
  ['another problem', problem(403, 'page-refused'), 'refused'],
  ['a token without an end', (response) => response.end('{"data":"a.b.c"}'), 'answer-malformed'],
  ['a page', (response) => response.end('<html>'), 'answer-malformed'],
  ['a number', (response) => response.end('{"data":1}'), 'answer-malformed'],
  ['data that nests', (response) => response.end(`{"data":${nested}}`), 'answer-malformed'],
  ['a code that is no text', failing(`{"code":${unprintable}}`), 'answer-malformed'],
  [
    'a sentence that is no text',
    failing(`{"code":"1","description":${unprintable}}`),
    'answer-malformed',
  ],
  ['a sentence that nests', failing(`{"code":"1","description":${nested}}`), 'answer-malformed'],
  [
    'a type that is no text',
    failing(`{"code":"1","description":"a","type":${unprintable}}`),
    'answer-malformed',
  ],
])('%s rejects with its reason, and no message has the key in it', async (_, answer, reason) => {
  proves('api-key-leaked')
  const error = await failure((await start(answer)).tokens.token())
  expect(error).toMatchObject({ name: 'ApplicationTokenError', reason })
  expect(`${error.message}${error.stack}`).not.toContain(apiKey)
})

test.each([302, 307])(
  'a redirect with status %i is not followed: the key stays here',
  async (status) => {
    proves('api-key-leaked')
    const elsewhere = await start()
    const location = elsewhere.dsUrl
    const { tokens } = await start((response) => response.writeHead(status, { location }).end())
    expect((await failure(tokens.token())).reason).toBe('answer-malformed')
    expect(elsewhere.requests).toEqual([])
  },
)

test('a service that does not listen is unreachable', async () => {
  const tokens = applicationTokens({ dsUrl: `http://localhost:${await findFreePort()}`, apiKey })
  expect((await failure(tokens.token())).reason).toBe('unreachable')
})

test('a service that is too slow is a timeout', async () => {
  const fetch = () => Promise.reject(new DOMException('timed out', 'TimeoutError'))
  const tokens = applicationTokens({ dsUrl: 'https://ds.example', apiKey, fetch })
  expect((await failure(tokens.token())).reason).toBe('timeout')
})

test('plain http to another machine needs a fetch of the back end’s own', () => {
  proves('api-key-leaked')
  const options = { dsUrl: 'http://ds.example', apiKey }
  expect(() => applicationTokens(options)).toThrow('Cannot use dsUrl: expected an https address')
  expect(applicationTokens({ ...options, fetch: globalThis.fetch })).toBeDefined()
})

test.each([
  [{ dsUrl: 'ds.example', apiKey }, /dsUrl/],
  [{ dsUrl: 'https://ds.example', apiKey: '' }, /apiKey/],
  [{ dsUrl: 'https://ds.example', apiKey: 'a\nb' }, /apiKey/],
])('applicationTokens names the setting that it refuses: %j', (options, name) => {
  expect(() => applicationTokens(options)).toThrow(name)
})

describe('in a browser', () => {
  afterEach(() => vi.unstubAllGlobals())

  test.each([
    ['a page', 'document', {}],
    ['a worker of a page', 'navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' }],
  ])('%s is refused before a request is sent', (_, name, value) => {
    proves('client-api-key', 'api-key-leaked')
    vi.stubGlobal(name, value)
    expect(() => applicationTokens({ dsUrl: 'https://ds.example', apiKey })).toThrow(
      /^Cannot exchange an API key in a browser/,
    )
  })

  test('Node, Deno, Bun and Workers are accepted', () => {
    for (const userAgent of ['Node.js/24', 'Deno/2.9.6', 'Bun/1.4.5', 'Cloudflare-Workers']) {
      vi.stubGlobal('navigator', { userAgent })
      expect(applicationTokens({ dsUrl: 'https://ds.example', apiKey })).toBeDefined()
    }
  })
})
