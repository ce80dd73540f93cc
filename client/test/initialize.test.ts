/** The initialization of the specification, from the storage to the connector, over real loopback servers. */
import { describe, expect, test } from 'vitest'
import { findFreePort } from '../../test/bed/free-port.ts'
import { proves } from '../../test/bed/proves.ts'
import { newCodeWord } from '../src/code-word.ts'
import type { Configuration } from '../src/configuration.ts'
import { initializeWith } from '../src/initialize.ts'
import type { InitializeOptions } from '../src/initialize-options.ts'
import { type Connector, reader, startConnector } from './harness/connector.ts'
import { failureOf } from './harness/failure.ts'
import { openPage, type Page } from './harness/page.ts'
import { startScriptedServer } from './harness/scripted-server.ts'

const url = 'http://localhost'
const keyOf = (connector: Connector) => `t1c-consent-undefined::${url}:${connector.registryPort}`

const start = (
  page: Page,
  connector: Connector,
  configuration: Configuration = {},
  options: InitializeOptions = {},
) =>
  initializeWith(
    page.ports,
    { t1cApiUrl: url, t1cApiPort: connector.registryPort, ...configuration },
    options,
  )

describe('without a consent', () => {
  test('initialize rejects with 500 and a client to ask for consent with', async () => {
    proves('client-without-consent')
    const connector = await startConnector()
    const error = await failureOf(start(openPage(), connector))
    expect(error).toMatchObject({ code: '500', reason: 'consent-required', wireCode: '814501' })
    expect(error.description).toMatch(/copy the code/)
    expect(connector.countRequests('/v3/validate')).toBe(0)
  })

  test('getConsent with the code word on the clipboard stores the consent and resolves with a client at its port', async () => {
    proves('client-code-word')
    const connector = await startConnector()
    const page = openPage()
    const error = await failureOf(start(page, connector))
    if (error.code !== '500') throw error
    const codeWord = newCodeWord()
    connector.state.clipboard = codeWord
    const client = await error.client.getConsent(codeWord)
    expect(client.url).toBe(`${url}:${connector.apiPort}`)
    expect(page.stored.get(keyOf(connector))).toBe(JSON.stringify(connector.state.consents))
    expect(await client.version()).toBe('4.0.0')
  })

  test('getConsent rejects with no-agent after the third code word that no connector finds', async () => {
    proves('client-no-instance')
    const connector = await startConnector()
    let error = await failureOf(start(openPage(), connector))
    const reasons: string[] = []
    const descriptions = [error.description]
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      if (error.code !== '500') throw error
      error = await failureOf(error.client.getConsent(newCodeWord()))
      reasons.push(`${error.code} ${error.reason} ${error.wireCode}`)
      descriptions.push(error.description)
    }
    expect(descriptions).toEqual([
      expect.stringContaining('copy the code to allow this site'),
      expect.stringContaining('code 1 of 3'),
      expect.stringContaining('code 2 of 3'),
      expect.stringContaining('code 3 of 3'),
    ])
    expect(reasons).toEqual([
      '500 consent-required 814501',
      '500 consent-required 814501',
      '500 no-agent 814500',
    ])
  })

  test('getConsent rejects with too-many-codes while the connector looks for no more, and says how long', async () => {
    proves('code-not-found')
    const connector = await startConnector()
    const error = await failureOf(start(openPage(), connector))
    if (error.code !== '500') throw error
    connector.state.retryAfterS = 42
    const { client } = error
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      expect(await failureOf(client.getConsent(newCodeWord()))).toMatchObject({
        code: '500',
        reason: 'too-many-codes',
        wireCode: '814501',
        description: expect.stringContaining('wait 42 s'),
        client,
      })
    }
    // A code word that was not looked for is none that was not found.
    connector.state.retryAfterS = undefined
    expect(await failureOf(client.getConsent(newCodeWord()))).toMatchObject({
      reason: 'consent-required',
    })
  })

  test.each([
    ['a word that could be guessed', 'short'],
    ['a word that the registry refuses', 'refused by the registry'],
  ])('getConsent refuses %s with 115, and the client can be used again', async (_, codeWord) => {
    proves('client-error-115')
    const connector = await startConnector()
    const error = await failureOf(start(openPage(), connector))
    const refused = await failureOf(error.client?.getConsent(codeWord) ?? Promise.reject())
    expect(refused).toMatchObject({ code: '115', reason: 'code-word-refused' })
    expect(refused.client).toBe(error.client)
  })

  test('getConsent refuses durationInDays outside 1 to 365 before it sends a request', async () => {
    const connector = await startConnector()
    const error = await failureOf(start(openPage(), connector))
    const consent = error.client?.getConsent(newCodeWord(), { durationInDays: 366 })
    expect(await failureOf(consent ?? Promise.reject())).toMatchObject({
      code: '199',
      reason: 'configuration-invalid',
      description: expect.stringContaining('durationInDays'),
    })
    expect(connector.countRequests('/v3/consent')).toBe(0)
  })
})

describe('with a stored consent', () => {
  test('initialize rejects with not-responding when the connector of the consent accepts requests and does not reply', async () => {
    const [registry, hangs] = await Promise.all([
      startConnector(),
      startScriptedServer(() => undefined),
    ])
    const page = openPage()
    const consent = btoa(JSON.stringify({ agent: { apiPort: hangs.port } }))
    page.stored.set(keyOf(registry), JSON.stringify([consent]))
    const failure = failureOf(start(page, registry))
    await Promise.race([hangs.waitForRequest('/info'), failure])
    expect(page.elapse(3000)).toBe(true)
    expect(await failure).toMatchObject({ code: '199', reason: 'not-responding' })
  })

  test('initialize validates it, stores the new list and connects to its port', async () => {
    proves('client-validates-consents')
    const connector = await startConnector()
    const page = openPage()
    page.stored.set(keyOf(connector), JSON.stringify([connector.makeConsent()]))
    const client = await start(page, connector)
    expect(client.url).toBe(`${url}:${connector.apiPort}`)
    expect(page.stored.get(keyOf(connector))).toBe(JSON.stringify(connector.state.consents))
    expect(
      connector.requests.filter(({ method }) => method !== 'OPTIONS').map(({ path }) => path),
    ).toEqual(['/info', '/v3/validate', '/info', '/device-key'])
  })

  test.each([
    ['nothing but noise', '{{{'],
    ['JSON of another shape', '{"consents":[]}'],
    ['numbers', '[1,2]'],
    ['an empty text', ''],
  ])('initialize treats a storage with %s as empty, and clears it', async (_, text) => {
    const connector = await startConnector()
    const page = openPage()
    page.stored.set(keyOf(connector), text)
    expect(await failureOf(start(page, connector))).toMatchObject({ code: '500' })
    expect(page.stored.has(keyOf(connector))).toBe(false)
  })

  test('initialize requires a new one when it belongs to another connector', async () => {
    const [connector, other] = [await startConnector(), await startConnector()]
    const page = openPage()
    page.stored.set(keyOf(connector), JSON.stringify([other.makeConsent(), 'not base64 !']))
    expect(await failureOf(start(page, connector))).toMatchObject({ code: '500' })
    expect(page.stored.get(keyOf(connector))).toBe('[]')
  })

  test('initialize reads the form of clients up to 3.5.2', async () => {
    const connector = await startConnector()
    const page = openPage()
    page.stored.set(keyOf(connector), connector.makeConsent())
    expect((await start(page, connector)).url).toBe(`${url}:${connector.apiPort}`)
  })

  test('initialize sends no more and no longer consents than a registry reads', async () => {
    proves('page-storage-changed')
    const connector = await startConnector()
    const page = openPage()
    const many = [...Array(40).keys()].map((index) => `consent ${index}`)
    const list = [connector.makeConsent(), 'x'.repeat(5000), ...many]
    page.stored.set(keyOf(connector), JSON.stringify(list))
    expect((await start(page, connector)).url).toBe(`${url}:${connector.apiPort}`)
  })

  test('a call rejects with 500 and the client when the connector has forgotten it', async () => {
    const connector = await startConnector()
    const page = openPage()
    page.stored.set(keyOf(connector), JSON.stringify([connector.makeConsent()]))
    const client = await start(page, connector)
    connector.state.consents = []
    expect(await failureOf(client.readers())).toMatchObject({
      code: '500',
      reason: 'consent-required',
      client,
    })
    expect(await failureOf(client.validateConsent())).toMatchObject({ code: '500' })
  })
})

describe('which registry', () => {
  test('the first connection that answers is used, and that of the other fields comes last', async () => {
    const connector = await startConnector()
    const gone = await startConnector()
    gone.state.allowed = false
    const configuration = {
      t1cApiConnections: [{ t1cApiUrl: url, t1cApiPort: gone.registryPort }],
    }
    const error = await failureOf(start(openPage(), connector, configuration))
    expect(error.code).toBe('500')
    expect(error.client?.url).toBe(`${url}:${connector.registryPort}`)
  })

  test('the error is the refusal where one connector refuses and no other answers', async () => {
    const refusing = await startConnector()
    refusing.state.allowed = false
    const configuration = {
      t1cApiConnections: [
        { t1cApiUrl: url, t1cApiPort: String(await findFreePort()) },
        { t1cApiUrl: url, t1cApiPort: refusing.registryPort },
      ],
      t1cApiPort: String(await findFreePort()),
    }
    expect(await failureOf(start(openPage(), refusing, configuration))).toMatchObject({
      code: '199',
      reason: 'origin-refused',
    })
  })

  test('a connector that the page has consent for is used without a registry', async () => {
    const connector = await startConnector()
    connector.makeConsent()
    const client = await start(openPage(), connector, { t1cApiPort: connector.apiPort })
    expect(client.url).toBe(`${url}:${connector.apiPort}`)
    expect(connector.countRequests('/v3/validate')).toBe(0)
    connector.state.readers = [reader('a')]
    expect(await client.readers()).toEqual([reader('a')])
  })
})

test('requests have the application domain as billing tag and in the key of the storage, and the token only where it is needed', async () => {
  proves('client-authorization')
  const connector = await startConnector()
  const page = openPage()
  connector.state.token = 'a.b.c'
  const key = `t1c-consent-shop::${url}:${connector.registryPort}`
  page.stored.set(key, JSON.stringify([connector.makeConsent()]))
  const client = await start(page, connector, { applicationDomain: 'shop', jwt: 'a.b.c' })
  await client.version()
  const of = (path: string) =>
    connector.requests.findLast((one) => one.path === path && one.method !== 'OPTIONS')
  expect(of('/v3/version')?.headers.get('x-t1c-billing-tag')).toBe('shop')
  expect(of('/v3/version')?.headers.get('x-csrf-token')).toBe('t1c-js')
  expect(of('/v3/version')?.headers.get('authorization')).toBe('Bearer a.b.c')
  expect(of('/v3/validate')?.headers.has('authorization')).toBe(false)
  expect(of('/device-key')?.headers.has('authorization')).toBe(false)
})
