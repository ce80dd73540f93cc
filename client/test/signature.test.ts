/** Signatures: an answer that another key signed is refused, and a key that changed is fetched again. */
import { expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { initializeWith } from '../src/initialize.ts'
import { reader, startConnector } from './harness/connector.ts'
import { failureOf } from './harness/failure.ts'
import { openPage } from './harness/page.ts'
import { info, startScriptedServer } from './harness/scripted-server.ts'

async function start() {
  const connector = await startConnector()
  connector.makeConsent()
  let now = 0
  const { ports } = openPage({ clock: () => now })
  const configuration = { t1cApiUrl: 'http://localhost', t1cApiPort: connector.apiPort }
  const client = await initializeWith(ports, configuration, {})
  const later = (ms: number): void => {
    now += ms
  }
  return { connector, client, later }
}

const wrong = { code: '900', reason: 'signature-wrong', wireCode: '904300' }

test('a signed answer with characters outside of ASCII is accepted, and the key is fetched once', async () => {
  const { connector, client } = await start()
  connector.state.readers = [{ ...reader('a'), name: 'Leser für Zoë / 読者 €\u2028' }]
  expect(await client.readers()).toEqual(connector.state.readers)
  await Promise.all([client.readers(), client.modules(), client.browser()])
  expect(connector.countRequests('/device-key')).toBe(1)
})

test.each(['invalid', 'none'] as const)(
  'a response whose signature is %s is refused',
  async (signature) => {
    proves('port-posed')
    const { connector, client } = await start()
    connector.state.signature = signature
    expect(await failureOf(client.readers())).toMatchObject(wrong)
  },
)

test('a key that changed is fetched again, a minute after the last time', async () => {
  const { connector, client, later } = await start()
  await client.readers()
  connector.makeKey()
  expect(await failureOf(client.readers())).toMatchObject(wrong)
  expect(connector.countRequests('/device-key')).toBe(1)
  later(60_000)
  expect(await client.readers()).toEqual([])
  expect(connector.countRequests('/device-key')).toBe(2)
})

test('wrong signatures do not fetch the key for every call', async () => {
  const { connector, client, later } = await start()
  connector.state.signature = 'invalid'
  for (const ms of [0, 60_000, 1, 59_000]) {
    later(ms)
    expect(await failureOf(client.readers())).toMatchObject(wrong)
  }
  expect(connector.countRequests('/device-key')).toBe(2)
})

test('an old key is replaced although the clock went back a day', async () => {
  const { connector, client, later } = await start()
  await client.readers()
  connector.makeKey()
  later(-86_400_000)
  expect(await client.readers()).toEqual([])
})

test.each([
  ['no key at all', '"-----BEGIN PUBLIC KEY-----\\nAAAA\\n-----END PUBLIC KEY-----"'],
  ['noise', '"%%%"'],
])('a call is refused when the key is %s', async (_, key) => {
  const server = await startScriptedServer((_, response, path) => {
    if (path === '/info') response.end(info)
    else response.end(path === '/device-key' ? `{"data":${key}}` : '{"data":[],"signature":"AA=="}')
  })
  const configuration = { t1cApiUrl: 'http://localhost', t1cApiPort: server.port }
  const client = await initializeWith(openPage().ports, configuration, {})
  expect(await failureOf(client.readers())).toMatchObject(wrong)
})

test('a key that could not be fetched is fetched by the next call', async () => {
  let down = true
  const server = await startScriptedServer((_, response, path) => {
    if (path === '/info') response.end(info)
    else if (path !== '/device-key') response.end('{"data":[]}')
    else response.end(down ? '' : '{"data":null}')
  })
  const configuration = { t1cApiUrl: 'http://localhost', t1cApiPort: server.port }
  const client = await initializeWith(openPage().ports, configuration, {})
  expect(await failureOf(client.readers())).toMatchObject({ reason: 'answer-malformed' })
  down = false
  expect(await client.readers()).toEqual([])
})
