/** Requests whose bodies come slowly: what was allowed when they began may not be so any more. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { passwordGrant, tokenPath } from '../../test/bed/administrator.ts'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { createApp } from '../src/app.ts'
import { createAssertion, createIdentity } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let ds: InProcess

beforeEach(async () => {
  ds = await startInProcess()
})
afterEach(() => ds.stop())

/** Sends the head of a request; the body follows with `finish`, which resolves with the response. */
async function hold(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) {
  const { promise: head, resolve: markRead } = Promise.withResolvers<void>()
  const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>()
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        markRead()
        await rest
        controller.enqueue(new TextEncoder().encode(body))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const request = new Request(ds.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: stream,
    duplex: 'half',
  } as RequestInit)
  const response = createApp(ds.services).fetch(request)
  await head
  return {
    async finish() {
      sendRest()
      return (await response).status
    },
  }
}

test('an account that is removed while the body of its request comes changes nothing any more', async () => {
  proves('stale-access')
  const token = await ds.login()
  const { generatedPassword } = (
    await ds.request('POST', '/v3/administrators', {
      token,
      body: { name: 'leaver', role: 'administrator' },
    })
  ).json.data
  const form = { client_id: 'cardwire', grant_type: 'password', username: 'leaver' }
  const path = '/auth/realms/cardwire/protocol/openid-connect/token'
  const login = await ds.request('POST', path, { form: { ...form, password: generatedPassword } })
  const held = await hold(
    'PUT',
    '/v3/organizations',
    { authorization: `Bearer ${login.json.access_token}` },
    JSON.stringify({ name: 'heir' }),
  )
  expect((await ds.request('DELETE', '/v3/administrators/leaver', { token })).status).toBe(200)
  ds.now += 20_000
  expect(await held.finish()).toBe(401)
  expect(
    (await ds.request('GET', '/v3/organizations/heir', { token: await ds.login() })).status,
  ).toBe(404)
})

test.each([
  ['adds no account', 'POST', '/v3/administrators', { name: 'heir', role: 'administrator' }],
  ['sets no password', 'PUT', '/v3/administrators/heir/password', {}],
])(
  'an account that is removed while a password waits to be hashed %s any more',
  async (_, method, path, body) => {
    proves('stale-access')
    await ds.stop()
    let meanwhile: (() => Promise<unknown>) | undefined
    ds = await startInProcess({}, (services) => {
      const { passwords } = services
      const hash: typeof passwords.hash = async (password) => {
        const act = meanwhile
        meanwhile = undefined
        await act?.()
        return passwords.hash(password)
      }
      return { ...services, passwords: { ...passwords, hash } }
    })
    const token = await ds.login()
    const post = (json: Json) => ds.request('POST', '/v3/administrators', { token, body: json })
    const password = 'a-password-of-a-leaver'
    await post({ name: 'leaver', role: 'administrator', password })
    if (method === 'PUT') await post({ name: 'heir', role: 'administrator' })
    const before = (await ds.request('GET', '/v3/audit', { token })).json.data.total
    const leaver = await ds.request('POST', tokenPath, {
      form: { ...passwordGrant, username: 'leaver', password },
    })
    meanwhile = () => ds.request('DELETE', '/v3/administrators/leaver', { token })
    const { status } = await ds.request(method, path, { token: leaver.json.access_token, body })
    expect(status).toBe(401)
    // Only the sign-in and the removal.
    expect((await ds.request('GET', '/v3/audit', { token })).json.data.total).toBe(before + 2)
  },
)

/** Begins a registration with this key. */
async function holdRegistration(key: string) {
  const identity = await createIdentity()
  const body = JSON.stringify({ key: identity.key, version: '4.0.0', platform: 'UNIX' })
  const path = '/v3/devices'
  const assertion = await createAssertion(ds, identity, identity.fingerprint, body, { path })
  return hold('POST', path, { apikey: key, authorization: `Bearer ${assertion}` }, body)
}

const putVersion = async (installationApiKey: string) =>
  ds.request('PUT', '/v3/versions', {
    token: await ds.login(),
    body: {
      id: '4.0.0',
      recommended: false,
      mandatory: false,
      allowed: true,
      uris: [],
      installationApiKey,
    },
  })

test('a registration with a key that is replaced while its body comes is refused', async () => {
  proves('stamped-key-public')
  const key = crypto.randomUUID()
  await putVersion(key)
  const held = await holdRegistration(key)
  await putVersion(crypto.randomUUID())
  ds.now += 20_000
  expect(await held.finish()).toBe(401)
})

test('a key that is replaced just before its device would be approved approves none', async () => {
  proves('stamped-key-public')
  await ds.stop()
  let lookups = Number.POSITIVE_INFINITY
  ds = await startInProcess({}, (services) => ({
    ...services,
    gateway: {
      ...services.gateway,
      lookup: async (key) => (lookups-- > 0 ? services.gateway.lookup(key) : undefined),
    },
  }))
  const key = crypto.randomUUID()
  await putVersion(key)
  expect(await (await holdRegistration(key)).finish()).toBe(201)
  lookups = 1
  expect(await (await holdRegistration(key)).finish()).toBe(401)
})
