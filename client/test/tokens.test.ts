/** The application token: what is missing, how another one comes, and who waits for it. */
import { expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Configuration } from '../src/configuration.ts'
import { initializeWith } from '../src/initialize.ts'
import type { InitializeOptions } from '../src/initialize-options.ts'
import { type Connector, startConnector } from './harness/connector.ts'
import { failureOf } from './harness/failure.ts'
import { openPage } from './harness/page.ts'
import { token } from './harness/token.ts'

async function start() {
  const connector = await startConnector()
  connector.makeConsent()
  connector.state.token = token({ sub: 'shop' })
  return connector
}

const clientOf = (
  connector: Connector,
  configuration: Configuration = {},
  options: InitializeOptions = {},
  clock = Date.now,
) =>
  initializeWith(
    openPage({ clock }).ports,
    { t1cApiUrl: 'http://localhost', t1cApiPort: connector.apiPort, ...configuration },
    options,
  )

/** With a stored consent, so that the initialization reaches the token. */
async function enter(connector: Connector, jwt?: string, clock = Date.now) {
  const page = openPage({ clock })
  const key = `t1c-consent-undefined::http://localhost:${connector.registryPort}`
  page.stored.set(key, JSON.stringify(connector.state.consents))
  return initializeWith(
    page.ports,
    { t1cApiUrl: 'http://localhost', t1cApiPort: connector.registryPort, jwt },
    {},
  )
}

const day = 86_400_000

test('initialize without a token reports that it is missing', async () => {
  expect(await failureOf(enter(await start()))).toMatchObject({
    code: '199',
    reason: 'token-missing',
    wireCode: '104025',
  })
})

test.each([
  ['expired', -60, 'token-expired'],
  ['for something else', 600, 'token-refused'],
])('initialize rejects a token that is %s with its reason', async (_, seconds, reason) => {
  const jwt = token({ exp: Math.floor(Date.now() / 1000) + seconds })
  expect(await failureOf(enter(await start(), jwt))).toMatchObject({ code: '199', reason })
})

test.each([
  ['a day ahead', day],
  ['a day behind', -day],
])('a clock that is %s keeps nobody out: the connector judges the token', async (_, off) => {
  const connector = await start()
  const jwt = token({ sub: 'shop', exp: Math.floor(Date.now() / 1000) + 600 })
  connector.state.token = jwt
  const client = await enter(connector, jwt, () => Date.now() + off)
  expect(await client.readers()).toEqual([])
})

test('a call whose token has expired fetches another one and is repeated, once', async () => {
  const connector = await start()
  const fresh = token({ sub: 'fresh' })
  let fetched = 0
  const client = await clientOf(
    connector,
    { jwt: connector.state.token },
    {
      onTokenExpired: async () => {
        fetched += 1
        return fresh
      },
    },
  )
  connector.state.token = fresh
  expect(await Promise.all([client.readers(), client.modules(), client.version()])).toHaveLength(3)
  expect(fetched).toBe(1)

  connector.state.token = token({ sub: 'another one' })
  expect(await failureOf(client.readers())).toMatchObject({ code: '100', reason: 'token-refused' })
  expect(fetched).toBe(2)
})

test('a page without a token gets the first one by the same hook', async () => {
  const connector = await start()
  const jwt = connector.state.token ?? ''
  const { ports } = openPage()
  ports.storage.write(
    `t1c-consent-undefined::http://localhost:${connector.registryPort}`,
    JSON.stringify(connector.state.consents),
  )
  const configuration = { t1cApiUrl: 'http://localhost', t1cApiPort: connector.registryPort }
  const client = await initializeWith(ports, configuration, { onTokenExpired: async () => jwt })
  expect(await client.readers()).toEqual([])
})

test.each([
  ['rejects', () => Promise.reject(new Error('no session'))],
  [
    'throws',
    () => {
      throw new Error('no session')
    },
  ],
  ['gives nothing', async () => ''],
])('a hook that %s is a token that stays expired', async (_, onTokenExpired) => {
  const connector = await start()
  const client = await clientOf(connector, { jwt: connector.state.token }, { onTokenExpired })
  connector.state.token = token({ sub: 'another one' })
  const error = await failureOf(client.readers())
  expect(error).toMatchObject({ code: '100', reason: 'token-expired' })
  expect(error.cause).toBeInstanceOf(Error)
})

test('a hook that never resolves ends when the page aborts', async () => {
  const connector = await start()
  let markCalled = (): void => undefined
  const waiting = new Promise<void>((resolve) => {
    markCalled = resolve
  })
  const onTokenExpired = () => {
    markCalled()
    return new Promise<string>(() => undefined)
  }
  const client = await clientOf(connector, { jwt: connector.state.token }, { onTokenExpired })
  connector.state.token = token({ sub: 'another one' })
  const page = new AbortController()
  const failure = failureOf(client.readers({ signal: page.signal }))
  await waiting
  page.abort()
  expect(await failure).toMatchObject({ code: '900', reason: 'aborted' })
})

test('updateJWT promises the updated client, and calls back', async () => {
  proves('client-update-jwt')
  const connector = await start()
  const client = await clientOf(connector, { jwt: connector.state.token })
  const next = token({ sub: 'next' })
  connector.state.token = next
  expect(await failureOf(client.readers())).toMatchObject({ reason: 'token-refused' })
  const called = new Promise((resolve) => {
    void client.updateJWT(next, (error, updated) => resolve([error, updated]))
  })
  expect(await called).toEqual([undefined, client])
  expect(await client.readers()).toEqual([])
})

test.each(['', 'no token', undefined])(
  'updateJWT(%j) is refused with 121, and changes nothing',
  async (jwt) => {
    const connector = await start()
    const client = await clientOf(connector, { jwt: connector.state.token })
    // A page in JavaScript gives what it has.
    const given = jwt as string
    expect(await failureOf(client.updateJWT(given))).toMatchObject({
      code: '121',
      reason: 'token-missing',
    })
    const called = new Promise((resolve) => {
      void client.updateJWT(given, resolve).catch(() => undefined)
    })
    expect(await called).toMatchObject({ code: '121' })
    expect(await client.readers()).toEqual([])
  },
)
