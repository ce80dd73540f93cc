/** Answers that no connector should give: each ends in an error of ours, none in a promise that hangs. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { CardwireClient } from '../src/core-service.ts'
import { openFiles } from '../src/files.ts'
import { initializeWith } from '../src/initialize.ts'
import { failureOf } from './harness/failure.ts'
import { openPage } from './harness/page.ts'
import { info, noKey, startScriptedServer } from './harness/scripted-server.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A client of a connector that answers /info well, and everything else as given. */
async function clientOf(answer: Answer) {
  const page = openPage()
  const server = await startScriptedServer((request, response, path) => {
    if (path === '/info') response.end(info)
    else if (path === '/device-key') response.end(noKey)
    else answer(response, request)
  })
  const configuration = { t1cApiUrl: 'http://localhost', t1cApiPort: server.port }
  return { page, server, client: await initializeWith(page.ports, configuration, {}) }
}

const problem =
  (status: number, body: unknown): Answer =>
  (response) =>
    void response.writeHead(status).end(JSON.stringify(body))

const endless: Answer = (response) => {
  const part = `"${'x'.repeat(1_000_000)}",`
  response.write('{"data":[')
  const more = (): void => {
    if (!response.destroyed) response.write(part, () => more())
  }
  more()
}

describe('an answer is malformed', () => {
  test.each<[string, Answer]>([
    ['that is empty', (response) => response.end()],
    ['that is a page', (response) => response.end('<html>login</html>')],
    ['without data', (response) => response.end('{"success":true}')],
    ['that is a list', (response) => response.end('[]')],
    ['that is null', (response) => response.end('null')],
    ['whose data is no list', (response) => response.end('{"data":{"id":"a"}}')],
    [
      'with a reader without a name',
      (response) => response.end('{"data":[{"id":"a","pinpad":true}]}'),
    ],
    [
      'with a card that is a number',
      (response) => response.end('{"data":[{"id":"a","name":"b","pinpad":true,"card":1}]}'),
    ],
    [
      'of ten megabytes',
      (response) => response.end(JSON.stringify({ data: 'x'.repeat(10_000_000) })),
    ],
    ['that never stops', endless],
    [
      'that breaks off in the middle',
      (response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('{"data":[', () => response.destroy())
      },
    ],
    ['that is a failure without a body', (response) => void response.writeHead(500).end()],
    [
      'that is a failure of another program',
      (response) => void response.writeHead(502).end('Bad Gateway'),
    ],
  ])('%s', async (_, answer) => {
    proves('response-huge')
    const { client } = await clientOf(answer)
    expect(await failureOf(client.readers())).toMatchObject({
      code: '900',
      reason: 'answer-malformed',
      wireCode: '000000',
      description: expect.stringMatching(/^Cannot read the response of http:\/\/localhost:\d+: ./),
    })
  })
})

test.each<[string, Answer]>([
  ['of more than 50 MiB', (response) => response.end(Buffer.alloc(50 * 1024 ** 2 + 1))],
  [
    'that breaks off in the middle',
    (response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('%PDF', () => response.destroy())
    },
  ],
])('a file %s is malformed', async (_, answer) => {
  proves('response-huge')
  const { client } = await clientOf(answer)
  const file = { type: 'invoices', name: 'a.pdf' }
  expect(await failureOf(openFiles(client, 'shop').read(file))).toMatchObject({
    code: '900',
    reason: 'answer-malformed',
  })
})

test('a malformed answer names the field that is wrong', async () => {
  const { client } = await clientOf((response) =>
    response.end('{"data":[{"id":"a","name":"b","pinpad":true,"card":{"atr":1}}]}'),
  )
  expect((await failureOf(client.readers())).description).toMatch(
    /"\[0\]\.card\.atr" is not as expected/,
  )
})

test('a call without an answer ends with a timeout after fifteen seconds', async () => {
  const { client, page, server } = await clientOf(() => undefined)
  const failure = failureOf(client.readers())
  await server.waitForRequest('/v3/readers')
  expect(page.elapse(15_000)).toBe(true)
  expect(await failure).toMatchObject({ code: '900', reason: 'timeout' })
})

test('a call whose answer stops in the middle ends with a timeout, too', async () => {
  const { client, page, server } = await clientOf((response) => response.write('{"data":['))
  const failure = failureOf(client.readers())
  await server.waitForRequest('/v3/readers')
  expect(page.elapse(15_000)).toBe(true)
  expect(await failure).toMatchObject({ code: '900', reason: 'timeout' })
})

test('a call waits for a slow answer', async () => {
  let finish = (): unknown => undefined
  const { client, server } = await clientOf((response) => {
    response.write('{"success":true,')
    finish = () => response.end('"data":[]}')
  })
  const readers = client.readers()
  await server.waitForRequest('/v3/readers')
  finish()
  expect(await readers).toEqual([])
})

test('a detection ends with a timeout fifteen seconds after its own time', async () => {
  const { client, page, server } = await clientOf(() => undefined)
  const failure = failureOf(client.detectAnyCard({ timeoutS: 60 }))
  await server.waitForRequest('/v3/readers/detect-card')
  expect(page.elapse(15_000)).toBe(false)
  expect(page.elapse(75_000)).toBe(true)
  expect(await failure).toMatchObject({ reason: 'timeout' })
})

test('a signal aborts a call, before it begins and while it waits', async () => {
  const { client, server } = await clientOf(() => undefined)
  expect(await failureOf(client.readers({ signal: AbortSignal.abort() }))).toMatchObject({
    code: '900',
    reason: 'aborted',
  })
  const page = new AbortController()
  const failure = failureOf(client.modules({ signal: page.signal }))
  await server.waitForRequest('/v3/modules')
  page.abort()
  expect(await failure).toMatchObject({ code: '900', reason: 'aborted' })
})

test('an error has the name, the six digits and the sentence of the problem', async () => {
  const { client } = await clientOf(
    problem(400, {
      success: false,
      code: '701001',
      description: 'Cannot find reader "a"',
      type: 'urn:cardwire:problem:reader-unknown',
    }),
  )
  expect(await failureOf(client.reader('a'))).toMatchObject({
    code: '100',
    reason: 'refused',
    problem: 'reader-unknown',
    wireCode: '701001',
    description: 'Cannot find reader "a"',
  })
})

test('initialize ends with a timeout after five seconds when the registry does not answer', async () => {
  const page = openPage()
  const server = await startScriptedServer(() => undefined)
  const configuration = { t1cApiUrl: 'http://localhost', t1cApiPort: server.port }
  const failure = failureOf(initializeWith(page.ports, configuration, {}))
  await server.waitForRequest('/info')
  expect(page.elapse(5000)).toBe(true)
  expect(await failure).toMatchObject({ code: '199', reason: 'not-responding', wireCode: '112999' })
})

test.each([
  ['APPROVED without a consent', { consentState: 'APPROVED', consents: [] }],
  ['APPROVED with a consent that cannot be read', { consentState: 'APPROVED', consent: '!' }],
  [
    'APPROVED with an invalid port',
    { consentState: 'APPROVED', consent: btoa('{"agent":{"apiPort":"70000"}}') },
  ],
])('getConsent rejects an answer that is %s as malformed', async (_, data) => {
  const server = await startScriptedServer((_, response, path) =>
    response.end(path === '/info' ? info.replace('"API"', '"PROXY"') : JSON.stringify({ data })),
  )
  const configuration = { t1cApiUrl: 'http://localhost', t1cApiPort: server.port }
  const required = await failureOf(initializeWith(openPage().ports, configuration, {}))
  const consent = required.client?.getConsent('a code word of enough characters')
  expect(await failureOf(consent ?? Promise.reject())).toMatchObject({
    code: '199',
    reason: 'answer-malformed',
  })
})

const nest = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const reader = {
  ...{ id: '\ud800', name: 'A', pinpad: false },
  card: { atr: '3B00', description: [], modules: ['\ud800'] },
}
const unprintable = '{"toString":1,"valueOf":1}'
const sentence = '"type":"urn:cardwire:problem:internal"'

describe.each<[string, number, string]>([
  ['whose code is no text', 400, `{"code":${unprintable},"description":"a",${sentence}}`],
  ['whose sentence is no text', 400, `{"code":"1","description":${unprintable},${sentence}}`],
  ['whose type is no text', 400, `{"code":"1","description":"a","type":${unprintable}}`],
  ['whose tries are no number', 400, `{"code":"1","description":"a","triesLeft":${unprintable}}`],
  ['whose code is long', 400, `{"code":"${'1'.repeat(101)}","description":"a",${sentence}}`],
  ['whose sentence is long', 400, `{"code":"1","description":"${'a'.repeat(10_001)}",${sentence}}`],
  ['whose sentence nests', 400, `{"code":"1","description":${nest(200_000)},${sentence}}`],
  ['whose other members nest', 400, `{"code":"1","description":"a","a":${nest(200_000)}}`],
  ['that is null', 400, 'null'],
  ['that is a text', 400, '"a"'],
  ['that has no data but a prototype', 200, '{"__proto__":{"data":[]}}'],
  ['whose data nests', 200, `{"data":${nest(200_000)}}`],
  ['whose reader nests', 200, `{"data":[{"id":"a","name":"b","pinpad":true,"a":${nest(99)}}]}`],
  ['with half a character', 200, '{"data":["\\ud800"]}'],
])('an answer %s', (_, status, body) => {
  test.each<[string, (client: CardwireClient) => Promise<unknown>]>([
    ['readers', (client) => client.readers()],
    ['reader', (client) => client.reader('\ud800')],
    ['modules', (client) => client.modules()],
    ['detectAnyCard', (client) => client.detectAnyCard()],
    ['deviceCertificate', (client) => client.deviceCertificate()],
    ['browser', (client) => client.browser()],
    ['validateConsent', (client) => client.validateConsent()],
    ['getConsent', (client) => client.getConsent('a code word of enough characters')],
    ['files', (client) => openFiles(client, 'a').types()],
    ['certificates', (client) => client.card(reader).certificates()],
    ['identity', (client) => client.card(reader).identity(['address'])],
    ['sign', (client) => client.card(reader).sign({ hash: 'SHA-256', digest: new Uint8Array(32) })],
    ['transaction', (client) => client.card(reader).transaction('a000000000', async () => 0)],
  ])('makes %s reject with an error of the library', async (_, call) => {
    proves('response-huge')
    const { client, page } = await clientOf((response) => response.writeHead(status).end(body))
    page.stored.set(`t1c-consent-undefined::${client.url}`, '["a"]')
    const error = await failureOf(call(client))
    expect(error.reason).toMatch(/^(answer-malformed|consent-required)$/)
  })

  test('makes initialize reject with one', async () => {
    proves('response-huge')
    const server = await startScriptedServer((_, response) => response.writeHead(status).end(body))
    const configuration = { t1cApiUrl: 'http://localhost', t1cApiPort: server.port }
    const error = await failureOf(initializeWith(openPage().ports, configuration, {}))
    expect(error).toMatchObject({ code: '199', reason: 'answer-malformed' })
  })
})

test('a problem has what it says within its bounds', async () => {
  const description = 'a'.repeat(10_000)
  const { client } = await clientOf(problem(400, { code: '1'.repeat(100), description }))
  expect(await failureOf(client.readers())).toMatchObject({ code: '100', description })
})
