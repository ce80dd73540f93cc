/** Sessions of an external provider as time passes: tokens are renewed by one request, and end where the provider ends them. */
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { browserSessions } from '../src/db/schema.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import {
  logInAtProvider,
  type OpenIdProvider,
  startOpenIdProvider,
  toProviderSettings,
} from './harness/openid-provider.ts'
import { usePageSession } from './harness/page-session.ts'

const url = 'https://ds.example'
const hourMs = 3_600_000

let provider: OpenIdProvider
let ds: InProcess

beforeEach(() => start(hourMs))
afterEach(stop)

/** `lifetimeMs`: of an access token. The provider has the clock of this machine. */
async function start(lifetimeMs: number) {
  const options = { accessLifetimeS: lifetimeMs / 1000 }
  provider = await startOpenIdProvider(`${url}/admin/login/callback`, options)
  ds = await startInProcess(toProviderSettings(provider))
  ds.now = Date.now()
}

async function stop() {
  await ds.stop()
  await provider.stop()
}

async function open() {
  const begun = await ds.request('GET', '/admin/login/begin')
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
  const address = begun.headers.get('location') ?? ''
  const back = new URL(await logInAtProvider(provider, address, 'ada'))
  const answer = await ds.request('GET', back.pathname + back.search, { headers: { cookie } })
  const session = /__Host-cardwire=[\w-]{43}/.exec(answer.headers.getSetCookie().join('\n'))?.[0]
  return usePageSession(ds, session ?? '')
}
/** Goes on in steps in which the session is used, as somebody does who works. */
async function use(session: Awaited<ReturnType<typeof open>>, ms: number) {
  const until = ds.now + ms
  while (ds.now < until) {
    ds.now = Math.min(until, ds.now + 20 * 60_000)
    await session.get('')
  }
}
const countRenewals = () => provider.grants['refresh_token'] ?? 0

test('tokens are renewed shortly before they end, and by one request while others go on', async () => {
  proves('external-sign-in')
  const session = await open()
  await use(session, hourMs - 60_000)
  expect(countRenewals()).toBe(0)
  ds.now += 40_000
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let markRequested = () => {}
  const requested = new Promise<void>((resolve) => {
    markRequested = resolve
  })
  provider.beforeGrant = () => {
    markRequested()
    return held
  }
  const first = session.get('')
  await requested
  const others = await Promise.all([session.get(''), session.get(''), session.get('')])
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200])
  release()
  expect((await first).status).toBe(200)
  expect(countRenewals()).toBe(1)
  expect((await session.get('')).status).toBe(200)
  expect(countRenewals()).toBe(1)
})

test('a request that ended while the clock was ahead keeps no other from renewing the tokens', async () => {
  proves('service-clock-jump')
  const session = await open()
  await use(session, hourMs - 20_000 - 60_000)
  await ds.services.db.update(browserSessions).set({ renewsUntil: ds.now + 24 * hourMs })
  ds.now += 60_000
  const passing = setInterval(() => {
    ds.now += 1000
  }, 100)
  onTestFinished(() => clearInterval(passing))
  expect((await session.get('')).status).toBe(200)
  expect(countRenewals()).toBe(1)
})

test('a provider that is down holds up nobody whose token still works, and is said after', async () => {
  const session = await open()
  await use(session, hourMs - 20_000 - 60_000)
  await provider.stop()
  ds.now += 60_000
  expect((await session.get('')).status).toBe(200)
  ds.now += 25_000
  const { status, text } = await session.get('')
  expect(status).toBe(503)
  expect(text).toContain('identity provider')
})

test.each([
  { status: 429, body: { error: 'temporarily_unavailable' } },
  { status: 429, body: '<h1>Too Many Requests</h1>' },
  { status: 502, body: '<h1>Bad Gateway</h1>' },
  { status: 503, body: { error: 'server_error' } },
  { status: 200, body: '<h1>Maintenance</h1>' },
])('a session continues after its tokens were answered with $status, $body', async (answer) => {
  proves('external-provider-away')
  const session = await open()
  await use(session, hourMs - 20_000 - 60_000)
  provider.answer = answer
  ds.now += 85_000
  expect((await session.get('')).status).toBe(503)
  provider.answer = undefined
  expect((await session.get('')).status).toBe(200)
})

test('a session that the provider has ended is over with its last token', async () => {
  proves('external-user-removed')
  const session = await open()
  await use(session, hourMs - 60_000)
  await provider.endSessions()
  ds.now += 40_000
  expect((await session.get('')).status).toBe(200)
  ds.now += 25_000
  expect((await session.get('')).headers.get('location')).toBe('admin/login')
  expect((await session.get('')).status).toBe(303)
})

test('a session ends ten hours after its login, whatever the provider says', async () => {
  proves('external-user-removed')
  await stop()
  await start(24 * hourMs)
  const session = await open()
  await use(session, 10 * hourMs - 60_000)
  expect((await session.get('')).status).toBe(200)
  ds.now += 60_000
  expect((await session.get('')).status).toBe(303)
})

test('a login that took longer than ten minutes is refused', async () => {
  proves('external-sign-in-forged')
  const begun = await ds.request('GET', '/admin/login/begin')
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
  const address = begun.headers.get('location') ?? ''
  const back = new URL(await logInAtProvider(provider, address, 'ada'))
  ds.now += 600_000
  const answer = await ds.request('GET', back.pathname + back.search, { headers: { cookie } })
  expect(answer.status).toBe(401)
})
