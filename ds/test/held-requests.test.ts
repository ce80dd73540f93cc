/** Requests whose bodies come slowly: what was allowed when they began may not be so any more. */
import { dsOperations } from '@cardwire/protocol'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { administrator, passwordGrant, tokenPath } from '../../test/bed/administrator.ts'
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

/** Accounts that were added need not change their passwords. */
const keepPasswords = () =>
  ds.driver.run({ sql: 'update administrators set password_due = false', params: [] })

/** Adds an account; resolves with its access token. */
async function logInAsNew(name: string, role: string, token: string): Promise<string> {
  const body = { name, role }
  const added = await ds.request('POST', '/v3/administrators', { token, body })
  const { generatedPassword: password } = added.json.data
  await keepPasswords()
  const form = { ...passwordGrant, username: name, password }
  return (await ds.request('POST', tokenPath, { form })).json.access_token
}

test('an account that is removed while the body of its request comes changes nothing any more', async () => {
  proves('stale-access')
  const token = await ds.login()
  const leaver = await logInAsNew('leaver', 'administrator', token)
  const held = await hold(
    'PUT',
    '/v3/organizations',
    { authorization: `Bearer ${leaver}` },
    JSON.stringify({ name: 'heir' }),
  )
  expect((await ds.request('DELETE', '/v3/administrators/leaver', { token })).status).toBe(200)
  ds.now += 20_000
  expect(await held.finish()).toBe(401)
  expect(
    (await ds.request('GET', '/v3/organizations/heir', { token: await ds.login() })).status,
  ).toBe(404)
})

/** Where files are uploaded and of what type. */
const uploads = {
  putInstaller: ['/v3/installers/tool.deb', 'application/octet-stream'],
  putKeystore: ['/v3/keystores/store.p12', 'application/octet-stream'],
  putTagImport: [`/v3/tag-imports/${crypto.randomUUID()}`, 'text/csv'],
}

test('each operation that takes a file is among those whose callers leave meanwhile', () => {
  const streams = dsOperations.filter(({ body }) => body?.type === 'stream')
  expect(streams.map(({ name }) => name).toSorted()).toEqual(Object.keys(uploads))
})

test.each([
  ['is removed', 'DELETE', '/v3/administrators/leaver', undefined],
  ['becomes a viewer', 'PUT', '/v3/administrators/leaver/role', { role: 'viewer' }],
])('an account that %s while its file comes stores it no more', async (_, method, path, body) => {
  proves('stale-access')
  const token = await ds.login()
  const file = 'hostname,tags\nchair,dentist'
  const leaver = await logInAsNew('leaver', 'administrator', token)
  const held = await Promise.all(
    Object.values(uploads).map(([place = '', type = '']) => {
      const headers = { 'content-type': type, 'content-length': String(file.length) }
      return hold('PUT', place, { authorization: `Bearer ${leaver}`, ...headers }, file)
    }),
  )
  const count = () =>
    ds.driver.run({ sql: "select count(*) from audit where name = 'leaver'", params: [] })
  expect((await ds.request(method, path, { token, body })).status).toBe(200)
  const before = await count()
  expect(await Promise.all(held.map(({ finish }) => finish()))).toEqual([401, 401, 401])
  expect(await count()).toEqual(before)
  for (const list of ['/v3/installers?name=tool.deb', '/v3/keystores?name=store.p12'])
    expect((await ds.request('GET', list, { token })).json.data.total).toBe(0)
  expect(await ds.driver.run({ sql: 'select id from tag_imports', params: [] })).toEqual([])
})

/** An access token of a browser's session, as the pages have one. */
async function logInBrowser(): Promise<string> {
  const { identity, browserSessions } = ds.services
  const from = { address: '192.0.2.1', requestId: '', userAgent: '' }
  const credentials = { name: administrator.name, password: administrator.password }
  const { cookie = '' } = (await identity.embedded?.logInBrowser(credentials, from)) ?? {}
  const { id = '', expiresAt = 0 } = (await browserSessions.find(cookie)) ?? {}
  const session = { id, administrator: administrator.name, expiresAt }
  return (await identity.embedded?.issueAccessToken(session)) ?? ''
}

/** A third of a minute passes before each part. */
function createSlowBody(parts: number, partBytes: number): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream(
    {
      async pull(controller) {
        if (sent === parts) return controller.close()
        sent += 1
        ds.now += 20_000
        await vi.advanceTimersByTimeAsync(20_000)
        controller.enqueue(new Uint8Array(partBytes))
      },
    },
    { highWaterMark: 0 },
  )
}

test.each([
  ['a program', () => ds.login()],
  ['a browser', logInBrowser],
])('a file of %s is stored that comes longer than its session may be unused', async (_, logIn) => {
  const authorization = `Bearer ${await logIn()}`
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const [parts, partBytes] = [100, 128 * 1024]
  const request = new Request(`${ds.url}/v3/installers/tool.deb`, {
    method: 'PUT',
    headers: {
      authorization,
      'content-type': 'application/octet-stream',
      'content-length': String(parts * partBytes),
    },
    body: createSlowBody(parts, partBytes),
    duplex: 'half',
  } as RequestInit)
  expect((await createApp(ds.services).fetch(request)).status).toBe(201)
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
    await keepPasswords()
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

test.each([true, false])(
  'a session that ends while a new password waits to be hashed sets none, the first or another: %s',
  async (isFirst) => {
    proves('stale-access')
    await ds.stop()
    let meanwhile: (() => Promise<unknown>) | undefined
    ds = await startInProcess({}, (services) => {
      const { passwords } = services
      const hash: typeof passwords.hash = async (password) => {
        await meanwhile?.()
        return passwords.hash(password)
      }
      return { ...services, passwords: { ...passwords, hash } }
    })
    const token = await ds.login()
    const password = 'a-password-of-a-leaver'
    const account = { name: 'leaver', role: 'viewer', password }
    await ds.request('POST', '/v3/administrators', { token, body: account })
    if (!isFirst) await keepPasswords()
    const logIn = (typed: string) =>
      ds.request('POST', tokenPath, {
        form: { ...passwordGrant, username: 'leaver', password: typed },
      })
    const leaver = (await logIn(password)).json.access_token
    const newPassword = 'another-password-of-a-leaver'
    const change = async () => {
      const body = { password, newPassword }
      return (await ds.request('PUT', '/v3/account/password', { token: leaver, body })).status
    }
    meanwhile = () =>
      ds.driver.run({ sql: `delete from sessions where administrator = 'leaver'`, params: [] })
    expect(await change()).toBe(401)
    meanwhile = undefined
    expect((await logIn(newPassword)).status).toBe(400)
    expect((await logIn(password)).status).toBe(200)
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
