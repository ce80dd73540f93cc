/** The initialisation of the specification, from the storage to the connector, over real loopback servers. */
import { describe, expect, test } from 'vitest'
import { newCodeWord } from '../src/code-word.ts'
import type { Configuration } from '../src/configuration.ts'
import { type InitializeOptions, initializeWith } from '../src/initialize.ts'
import { type Connector, reader, startConnector } from './harness/connector.ts'
import { failureOf } from './harness/failure.ts'
import { freePort } from './harness/listen.ts'
import { openPage, type Page } from './harness/page.ts'

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
  test('initialize rejects with 500 and a client that goes on', async () => {
    const connector = await startConnector()
    const error = await failureOf(start(openPage(), connector))
    expect(error).toMatchObject({ code: '500', reason: 'consent-required', wireCode: '814501' })
    expect(error.description).toMatch(/copy the code/)
    expect(connector.asked('/v3/validate')).toBe(0)
  })

  test('getConsent with the word on the clipboard stores the consent and gives a client at the port in it', async () => {
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

  test('the third code word that is found nowhere says that no connector of this person answered', async () => {
    const connector = await startConnector()
    let error = await failureOf(start(openPage(), connector))
    const reasons: string[] = []
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      if (error.code !== '500') throw error
      error = await failureOf(error.client.getConsent(newCodeWord()))
      reasons.push(`${error.code} ${error.reason} ${error.wireCode}`)
    }
    expect(reasons).toEqual([
      '500 consent-required 814501',
      '500 consent-required 814501',
      '500 no-agent 814500',
    ])
  })

  test.each([
    ['a word that could be guessed', 'short'],
    ['a word that the registry refuses', 'refused by the registry'],
  ])('%s is refused with 115, and the client goes on', async (_, codeWord) => {
    const connector = await startConnector()
    const error = await failureOf(start(openPage(), connector))
    const refused = await failureOf(error.client?.getConsent(codeWord) ?? Promise.reject())
    expect(refused).toMatchObject({ code: '115', reason: 'code-word-refused' })
    expect(refused.client).toBe(error.client)
  })

  test('a number of days outside 1 to 365 is refused by name before anything is asked', async () => {
    const connector = await startConnector()
    const error = await failureOf(start(openPage(), connector))
    const asked = error.client?.getConsent(newCodeWord(), { durationInDays: 366 })
    expect(await failureOf(asked ?? Promise.reject())).toMatchObject({
      code: '199',
      reason: 'configuration-invalid',
      description: expect.stringContaining('durationInDays'),
    })
    expect(connector.asked('/v3/consent')).toBe(0)
  })
})

describe('with a stored consent', () => {
  test('initialize validates it, keeps the fresh list and goes to its port', async () => {
    const connector = await startConnector()
    const page = openPage()
    page.stored.set(keyOf(connector), JSON.stringify([connector.makeConsent()]))
    const client = await start(page, connector)
    expect(client.url).toBe(`${url}:${connector.apiPort}`)
    expect(page.stored.get(keyOf(connector))).toBe(JSON.stringify(connector.state.consents))
    expect(
      connector.seen.filter(({ method }) => method !== 'OPTIONS').map(({ path }) => path),
    ).toEqual(['/info', '/v3/validate', '/info', '/device-key'])
  })

  test.each([
    ['nothing but noise', '{{{'],
    ['JSON of another shape', '{"consents":[]}'],
    ['numbers', '[1,2]'],
    ['an empty text', ''],
  ])('a store that holds %s is as good as empty, and is emptied', async (_, text) => {
    const connector = await startConnector()
    const page = openPage()
    page.stored.set(keyOf(connector), text)
    expect(await failureOf(start(page, connector))).toMatchObject({ code: '500' })
    expect(page.stored.has(keyOf(connector))).toBe(false)
  })

  test('one that belongs to another connector is required anew', async () => {
    const [connector, other] = [await startConnector(), await startConnector()]
    const page = openPage()
    page.stored.set(keyOf(connector), JSON.stringify([other.makeConsent(), 'not base64 !']))
    expect(await failureOf(start(page, connector))).toMatchObject({ code: '500' })
    expect(page.stored.get(keyOf(connector))).toBe('[]')
  })

  test('the bare form of clients up to 3.5.2 is understood', async () => {
    const connector = await startConnector()
    const page = openPage()
    page.stored.set(keyOf(connector), connector.makeConsent())
    expect((await start(page, connector)).url).toBe(`${url}:${connector.apiPort}`)
  })

  test('a list of forty, one of them endless, goes out as what a registry looks at', async () => {
    const connector = await startConnector()
    const page = openPage()
    const many = [...Array(40).keys()].map((index) => `consent ${index}`)
    const list = [connector.makeConsent(), 'x'.repeat(5000), ...many]
    page.stored.set(keyOf(connector), JSON.stringify(list))
    expect((await start(page, connector)).url).toBe(`${url}:${connector.apiPort}`)
  })

  test('one whose connector has forgotten it is required anew, with the client to ask with', async () => {
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
  test('the first connection that answers is used, and the plain one comes last', async () => {
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

  test('when none answers, the most telling reason is given', async () => {
    const refusing = await startConnector()
    refusing.state.allowed = false
    const configuration = {
      t1cApiConnections: [
        { t1cApiUrl: url, t1cApiPort: await freePort() },
        { t1cApiUrl: url, t1cApiPort: refusing.registryPort },
      ],
      t1cApiPort: await freePort(),
    }
    expect(await failureOf(start(openPage(), refusing, configuration))).toMatchObject({
      code: '199',
      reason: 'origin-refused',
    })
  })

  test('a connector that knows the page already is used as it is', async () => {
    const connector = await startConnector()
    connector.makeConsent()
    const client = await start(openPage(), connector, { t1cApiPort: connector.apiPort })
    expect(client.url).toBe(`${url}:${connector.apiPort}`)
    expect(connector.asked('/v3/validate')).toBe(0)
    connector.state.readers = [reader('a')]
    expect(await client.readers()).toEqual([reader('a')])
  })
})

test('the application domain is in the key of the store and in the billing tag, and the token goes to no registry endpoint that needs none', async () => {
  const connector = await startConnector()
  const page = openPage()
  connector.state.token = 'a.b.c'
  const key = `t1c-consent-shop::${url}:${connector.registryPort}`
  page.stored.set(key, JSON.stringify([connector.makeConsent()]))
  const client = await start(page, connector, { applicationDomain: 'shop', jwt: 'a.b.c' })
  await client.version()
  const of = (path: string) =>
    connector.seen.findLast((one) => one.path === path && one.method !== 'OPTIONS')
  expect(of('/v3/version')?.headers.get('x-t1c-billing-tag')).toBe('shop')
  expect(of('/v3/version')?.headers.get('x-csrf-token')).toBe('t1c-js')
  expect(of('/v3/version')?.headers.get('authorization')).toBe('Bearer a.b.c')
  expect(of('/v3/validate')?.headers.has('authorization')).toBe(false)
  expect(of('/device-key')?.headers.has('authorization')).toBe(false)
})
