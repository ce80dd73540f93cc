/** Attacks on the sessions of browsers, with a clock that the test sets. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { administrator, passwordGrant, tokenPath } from '../../test/bed/administrator.ts'
import { proves } from '../../test/bed/proves.ts'
import { parseJson } from '../../test/bed/service-request.ts'
import { browserSessions, sessions } from '../src/db/schema.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import {
  fromOwnPage,
  openPageSession,
  readCookie,
  sendLogin,
  usePageSession,
} from './harness/page-session.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

let ds: InProcess

beforeEach(async () => {
  ds = await startInProcess()
})
afterEach(() => ds.stop())

const isOpen = async (cookie: string) => (await usePageSession(ds, cookie).get('')).status === 200

test('a session that is used ends ten hours after its login', async () => {
  proves('session-outlives')
  const { cookie } = await openPageSession(ds)
  for (let at = 0; at < 10 * hourMs - 20 * minuteMs; at += 20 * minuteMs) {
    ds.now += 20 * minuteMs
    expect(await isOpen(cookie)).toBe(true)
  }
  ds.now += 20 * minuteMs
  expect(await isOpen(cookie)).toBe(false)
})

test('a session ends half an hour after its last use', async () => {
  proves('session-outlives')
  const { cookie } = await openPageSession(ds)
  ds.now += 29 * minuteMs
  expect(await isOpen(cookie)).toBe(true)
  ds.now += 30 * minuteMs
  expect(await isOpen(cookie)).toBe(false)
})

test('a session that began while the clock was ahead ends when it is right', async () => {
  proves('session-outlives')
  ds.now += 30 * 24 * hourMs
  const { cookie } = await openPageSession(ds)
  const form = passwordGrant
  const tokens = (await ds.request('POST', tokenPath, { form })).json
  ds.now -= 30 * 24 * hourMs
  expect(await isOpen(cookie)).toBe(false)
  const token = tokens.access_token
  expect((await ds.request('GET', '/v3/account', { token })).status).toBe(401)
  const renewed = await ds.request('POST', tokenPath, {
    form: {
      client_id: form.client_id,
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
    },
  })
  expect(renewed.json.error).toBe('invalid_grant')
  // The next login removes both.
  await ds.login()
  const { db } = ds.services
  expect([await db.$count(sessions), await db.$count(browserSessions)]).toEqual([1, 0])
})

test('a session that was used while the clock was ahead ends if it was not used since', async () => {
  proves('session-outlives')
  const { cookie } = await openPageSession(ds)
  ds.now += 20 * minuteMs
  expect(await isOpen(cookie)).toBe(true)
  ds.now -= 20 * minuteMs
  expect(await isOpen(cookie)).toBe(true)
  ds.now += 30 * minuteMs
  expect(await isOpen(cookie)).toBe(false)
})

test('a login gives a value of its own, whatever cookie came with it, and ends the session of that', async () => {
  proves('session-fixed')
  const planted = `__Host-cardwire=${'A'.repeat(43)}`
  const fixed = readCookie(await sendLogin(ds, administrator, { cookie: planted })) ?? ''
  expect(fixed).not.toBe(planted)
  expect(await isOpen(planted)).toBe(false)
  const next = readCookie(await sendLogin(ds, administrator, { cookie: fixed })) ?? ''
  expect(next).not.toBe(fixed)
  expect(await isOpen(fixed)).toBe(false)
  expect(await isOpen(next)).toBe(true)
})

test.each([
  ['without its prefix', (value: string) => `cardwire=${value}`],
  ['with the prefix of less', (value: string) => `__Secure-cardwire=${value}`],
  ['in other letters', (value: string) => `__host-cardwire=${value}`],
])('a cookie %s is nobody’s', async (_, write) => {
  proves('session-fixed')
  const { cookie } = await openPageSession(ds)
  expect(await isOpen(write(cookie.split('=')[1] ?? ''))).toBe(false)
})

test('a row of the database makes no cookie', async () => {
  proves('session-row-stolen')
  const { cookie } = await openPageSession(ds)
  const [row] = await ds.services.db.select().from(browserSessions)
  if (!row) throw new Error('Cannot find the session')
  expect(JSON.stringify(row)).not.toContain(cookie.split('=')[1])
  for (const value of [row.hash, row.id, `${row.id}.${row.hash}`, row.subject])
    expect(await isOpen(`__Host-cardwire=${value}`)).toBe(false)
})

test('a new password ends the sessions of browsers but the one that sets it', async () => {
  proves('session-outlives')
  const [session, other] = [await openPageSession(ds), await openPageSession(ds)]
  const newPassword = 'another-good-password'
  const form = { password: administrator.password, newPassword, again: newPassword }
  expect((await session.post('account/password', form)).status).toBe(200)
  expect(await isOpen(session.cookie)).toBe(true)
  expect(await isOpen(other.cookie)).toBe(false)
})

test('a removed account has no session of a browser left', async () => {
  proves('session-outlives')
  const token = await ds.login()
  const { data } = (
    await ds.request('POST', '/v3/administrators', {
      token,
      body: { name: 'leaver', role: 'administrator' },
    })
  ).json
  await ds.driver.run({ sql: 'update administrators set password_due = false', params: [] })
  const { cookie } = await openPageSession(ds, { name: 'leaver', password: data.generatedPassword })
  expect(await isOpen(cookie)).toBe(true)
  await ds.request('DELETE', '/v3/administrators/leaver', { token })
  expect(await isOpen(cookie)).toBe(false)
})

test('an unknown user name and a wrong password get the same page, and a hash is computed for both', async () => {
  proves('user-names-probed')
  let verified = 0
  const counted = await startInProcess({}, (services) => services, {
    passwords: {
      hash: async () => 'hash',
      verify: async () => {
        verified += 1
        return false
      },
    },
  })
  const pages = []
  for (const name of ['admin', 'nobody']) {
    const { status, text } = await sendLogin(counted, { name, password: 'wrong' })
    pages.push(`${status} ${text.replaceAll(`value="${name}"`, 'value=""')}`)
  }
  await counted.stop()
  expect(pages[0]).toBe(pages[1])
  expect(verified).toBe(2)
})

test('log-ins of pages are slowed down like those of programs, and together with them', async () => {
  proves('user-names-probed')
  const statuses = []
  for (let n = 0; n < 4; n += 1) {
    const { text } = await sendLogin(ds, { name: 'admin', password: `wrong-${n}` })
    statuses.push(text.includes('try again in 1 s'))
  }
  expect(statuses).toEqual([false, false, false, true])
  const token = await ds.login()
  expect(token).toBeUndefined()
})

test('behind a proxy the origin of the public address counts, and the address of a path below it', async () => {
  proves('public-url')
  const host = { host: 'internal:8080', origin: ds.url }
  const answer = await ds.request('POST', '/admin/login', {
    headers: host,
    form: { username: administrator.name, password: administrator.password },
  })
  expect(answer.status).toBe(303)
  // Relative, so that a path that the proxy puts before it stays.
  expect(answer.headers.get('location')).toMatch(/^\.\//)
  const foreign = await ds.request('POST', '/admin/login', {
    headers: { ...host, origin: 'https://ds.example.evil.example' },
    form: { username: administrator.name, password: administrator.password },
  })
  expect(foreign.status).toBe(403)
})

test('over plain http of another machine the log-in is not even shown', async () => {
  proves('sign-in-intercepted')
  const open = (headers: Readonly<Record<string, string>>) =>
    ds.request('GET', 'http://internal:8080/admin/login', { headers })
  const plain = await open({})
  expect([plain.status, plain.text.includes('plain HTTP')]).toEqual([401, true])
  expect(plain.text).not.toMatch(/<form|<input/)
  expect((await open({ 'x-forwarded-proto': 'https' })).text).toContain('type="password"')
})

test('no script reads the cookie of a session, and no other site sends it', async () => {
  proves('session-cookie-leaked')
  const { headers } = await sendLogin(ds, administrator)
  const [attributes = ''] = headers.getSetCookie().map((cookie) => cookie.replace(/^[^;]*; /, ''))
  expect(attributes).toMatch(/^Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
})

test('no page is stored, framed or told to others, whoever asks', async () => {
  proves('session-cookie-leaked')
  const session = await openPageSession(ds)
  const responses = [
    await session.get(''),
    await session.get('account'),
    await session.get('no-such-page'),
    await ds.request('GET', '/admin/login'),
    await sendLogin(ds, { name: 'admin', password: 'wrong' }),
    await ds.request('GET', '/admin/devices'),
    await ds.request('POST', '/admin/logout', { headers: { origin: 'https://evil.example' } }),
  ]
  for (const { headers } of responses) {
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('no page, address or line of the log has the cookie or a token', async () => {
  proves('session-cookie-leaked')
  const lines: string[] = []
  const write = (event: string, fields: object) => lines.push(event + JSON.stringify(fields))
  const logged = await startInProcess({}, (services) => services, {
    log: { info: write, warn: write, error: write },
  })
  const session = await openPageSession(logged)
  const texts = []
  for (const to of ['', 'account', 'devices', 'audit', 'no-such-page', 'login']) {
    const { text, headers } = await session.get(to)
    texts.push(text, headers.get('location') ?? '')
  }
  const headers = { cookie: session.cookie, ...fromOwnPage(logged) }
  texts.push((await logged.request('GET', '/admin/session', { headers })).text)
  texts.push((await logged.request('GET', '/admin/session/v3/account/sessions', { headers })).text)
  await session.post('logout')
  await logged.stop()
  expect(lines.length).toBeGreaterThan(0)
  for (const text of [...texts, ...lines]) {
    expect(text).not.toContain(session.cookie.split('=')[1])
    expect(text).not.toMatch(/eyJ[\w-]{10}/)
    expect(parseJson(text)?.access_token).toBeUndefined()
  }
})
