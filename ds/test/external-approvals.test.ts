/** Two administrators of an external provider: the user who asked for a change still needs the role when it is approved. */
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { ServiceResponse } from '../../test/bed/service-request.ts'
import { approvals, browserSessions, signIns } from '../src/db/schema.ts'
import { createRollout, createVersion, getData } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import {
  logInAtProvider,
  type OpenIdProvider,
  startOpenIdProvider,
  toProviderSettings,
} from './harness/openid-provider.ts'

const url = 'https://ds.example'
const roles = new Map<string, string>()
let provider: OpenIdProvider
let ds: InProcess

beforeEach(async () => {
  roles.clear()
  provider = await startOpenIdProvider(`${url}/admin/login/callback`, {
    getRoles: (name) => [roles.get(name) ?? 'card-admins'],
  })
  ds = await startInProcess({
    ...toProviderSettings(provider),
    ...{ DS_TWO_ADMINISTRATORS: '1', DS_IDP_VIEWER_ROLE: 'card-viewers' },
    DS_BREAK_GLASS_USER: 'emergency',
  })
  ds.now = Date.now()
})
afterEach(async () => {
  await ds.stop()
  await provider.stop()
})

/** Signs in; resolves with the token that the provider gave the session. */
async function logIn(name: string): Promise<string> {
  const begun = await ds.request('GET', '/admin/login/begin')
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
  const address = begun.headers.get('location') ?? ''
  const back = new URL(await logInAtProvider(provider, address, name))
  const answer = await ds.request('GET', back.pathname + back.search, { headers: { cookie } })
  const text = answer.headers.getSetCookie().join('\n')
  const value = /__Host-cardwire=([\w-]{43})/.exec(text)?.[1] ?? ''
  const session = await ds.services.browserSessions.find(value)
  return (session && (await ds.services.identity.browsers?.sessions.findAccessToken(session))) ?? ''
}

/** Ada asks for a rollout to two devices; resolves with the token of bob, and what approves it. */
async function ask() {
  const ada = await logIn('ada')
  const version = await createVersion(ds, ada, { id: '1.0.0' })
  await createVersion(ds, ada, { id: '1.1.0' })
  for (const _ of [1, 2]) await createDevice(ds, version)
  const { id } = await createRollout(ds, ada, 'draft', { version: '1.1.0' })
  const start = (token: string) =>
    ds.request('PUT', `/v3/rollouts/${id}/state?maxReach=9`, { token, body: { state: 'running' } })
  const bob = await logIn('bob')
  expect(toOutcome(await start(ada))).toEqual(waits)
  return { approve: () => start(bob) }
}
const toOutcome = ({ status, json }: ServiceResponse) => [status, json.code, json.reach]
const waits = [403, 'second-administrator', 2]
const readAsker = async () => {
  const [row] = await ds.services.db.select().from(approvals)
  return row?.subject
}

test('a request counts while the provider gives its account the role, and the provider is asked', async () => {
  proves('one-administrator', 'second-administrator')
  const { approve } = await ask()
  const before = provider.grants['refresh_token'] ?? 0
  expect(getData(await approve()).state).toBe('running')
  expect(provider.grants['refresh_token']).toBe(before + 1)
})

test.each(['none', 'card-viewers'])(
  'a request of a user who has the role "%s" since is requested again',
  async (role) => {
    proves('one-administrator')
    const { approve } = await ask()
    roles.set('ada', role)
    expect(toOutcome(await approve())).toEqual(waits)
    expect(await readAsker()).toBe('bob')
  },
)

test('a request of a user whose session the provider has ended is requested again', async () => {
  proves('one-administrator')
  const { approve } = await ask()
  await provider.endSessions()
  expect(toOutcome(await approve())).toEqual(waits)
  expect(await readAsker()).toBe('bob')
})

test('while the provider cannot be asked, nothing is approved, and the request waits on', async () => {
  proves('one-administrator')
  const { approve } = await ask()
  provider.answer = { status: 502, body: 'out of order' }
  expect(toOutcome(await approve()).slice(0, 2)).toEqual([503, 'provider-unreachable'])
  expect(await readAsker()).toBe('ada')
  provider.answer = undefined
  expect(getData(await approve()).state).toBe('running')
})

test('without an open session, the last sign-in since the request counts', async () => {
  proves('one-administrator')
  const { approve } = await ask()
  roles.set('ada', 'card-viewers')
  ds.now += 1000
  await logIn('ada')
  await ds.services.db.delete(browserSessions).where(eq(browserSessions.subject, 'ada'))
  expect(toOutcome(await approve())).toEqual(waits)
  expect(await readAsker()).toBe('bob')
})

test('without a session or a sign-in since, a request counts', async () => {
  const { approve } = await ask()
  await ds.services.db.delete(browserSessions).where(eq(browserSessions.subject, 'ada'))
  expect(await ds.services.db.$count(signIns, eq(signIns.subject, 'ada'))).toBe(1)
  expect(getData(await approve()).state).toBe('running')
})

test.each([
  ['counts no more', 'leaver', 0],
  ['counts when it is the emergency account', 'emergency', 1],
])('a request of an account of this service %s', async (_, name, counts) => {
  proves('one-administrator', 'local-account-left')
  const { approve } = await ask()
  await ds.driver.run({
    sql: `insert into administrators (name, password_hash, role, created_at, updated_at) values ('${name}', '', 'administrator', 1, 1)`,
    params: [],
  })
  const issuer = `${url}/auth/realms/cardwire`
  await ds.services.db.update(approvals).set({ subject: name, issuer, name, isLocal: true })
  const { status } = await approve()
  expect(status).toBe(counts === 1 ? 200 : 403)
})
