/** The account of this service that signs in although the users are those of an external provider. */
import { SignJWT } from 'jose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { administrator, tokenPath } from '../../test/bed/administrator.ts'
import { createLog } from '../../test/bed/log.ts'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { createEmbeddedProvider } from '../src/auth/identity/embedded.ts'
import { createCode } from './harness/account.ts'
import { getData } from './harness/arrange.ts'
import { cheapPasswords } from './harness/cheap-passwords.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { type OpenIdIssuer, startOpenIdIssuer } from './harness/openid-issuer.ts'
import { fromOwnPage, readCookie } from './harness/page-session.ts'

const { name, password } = administrator
let ds: InProcess
let issuer: OpenIdIssuer
let lines: string[]
beforeEach(async () => {
  lines = []
  issuer = await startOpenIdIssuer()
  const settings = {
    DS_IDP_ISSUER: issuer.issuer,
    DS_IDP_AUDIENCE: 'cardwire',
    DS_IDP_ROLE: 'card-admins',
    DS_BREAK_GLASS_USER: name,
  }
  ds = await startInProcess(settings, undefined, { log: createLog(lines) })
  ds.now = Date.now()
})
afterEach(async () => {
  await ds.stop()
  issuer.stop()
})

const signIn = (account = { name, password }, code = '', from = '192.0.2.9') =>
  ds.request('POST', '/admin/login/local', {
    headers: fromOwnPage(ds),
    form: { username: account.name, password: account.password, code },
    from,
  })
const open = async () => {
  const cookie = readCookie(await signIn()) ?? ''
  return {
    get: (to: string) => ds.request('GET', `/admin/${to}`, { headers: { cookie } }),
    call: (method: string, path: string, body?: Json) =>
      ds.request(method, `/admin/session/v3${path}`, {
        headers: { cookie, ...fromOwnPage(ds) },
        ...(body && { body }),
      }),
  }
}
const addOther = async () => {
  const other = { name: 'other', password: 'a-password-of-another' }
  const hash = await cheapPasswords.hash(other.password)
  await ds.driver.run({
    sql: `insert into administrators (name, password_hash, created_at, updated_at) values ('other', '${hash}', 1, 1)`,
    params: [],
  })
  return other
}
const createExternalToken = (subject: string) =>
  new SignJWT({ realm_access: { roles: ['card-admins'] } })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setIssuer(issuer.issuer)
    .setAudience('cardwire')
    .setSubject(subject)
    .setExpirationTime(Math.floor(ds.now / 1000) + 300)
    .sign(issuer.privateKey)

test('it signs in while the provider is down, sets up a second factor first, and each use is in audit and log', async () => {
  proves('break-glass')
  issuer.stop()
  const session = await open()
  expect((await session.get('devices')).headers.get('location')).toBe('./first-step?to=devices')
  expect((await session.call('GET', '/versions')).json.code).toBe('second-factor-setup-required')
  const { secret } = getData(await session.call('PUT', '/account/second-factor', { password }))
  const code = createCode(secret, 0, ds.now)
  getData(await session.call('POST', '/account/second-factor/confirm', { code }))
  expect((await session.call('GET', '/versions')).status).toBe(200)
  expect((await session.get('devices')).status).toBe(200)
  const without = await signIn()
  expect([without.status, readCookie(without)]).toEqual([401, undefined])
  const again = await signIn({ name, password }, createCode(secret, 1, ds.now), '192.0.2.10')
  expect(readCookie(again)).toBeDefined()
  const used = await ds.driver.run({
    sql: "select id, address from audit where operation = 'useBreakGlass' order by sequence",
    params: [],
  })
  expect(used).toEqual([
    ['admin', '192.0.2.9'],
    ['admin', '192.0.2.10'],
  ])
  const logged = lines.filter((line) => line.startsWith('warn break-glass account used'))
  expect(logged).toEqual([
    expect.stringContaining('"account":"admin","address":"192.0.2.9"'),
    expect.stringContaining('"account":"admin","address":"192.0.2.10"'),
  ])
})

test('names are delayed one by one, whether they are its name, that of another account, or of none', async () => {
  proves('break-glass', 'user-names-probed')
  const other = await addOther()
  const tryOften = async (one: string) => {
    const delayed = []
    for (let n = 0; n < 4; n += 1) {
      const { text } = await signIn({ name: one, password: `wrong-${n}` })
      delayed.push(text.includes('try again in 1 s'))
    }
    return delayed
  }
  for (const one of ['nobody', other.name, name])
    expect([one, await tryOften(one)]).toEqual([one, [false, false, false, true]])
})

test('no other account signs in, and there is no token endpoint', async () => {
  proves('break-glass', 'local-account-left')
  const other = await addOther()
  const refused = await signIn(other)
  expect([refused.status, readCookie(refused)]).toEqual([401, undefined])
  const form = { client_id: 'cardwire', grant_type: 'password', username: name, password }
  expect((await ds.request('POST', tokenPath, { form })).status).toBe(404)
})

test('a session of another account from the time before the provider is over', async () => {
  proves('local-account-left')
  const other = await addOther()
  const { embedded } = createEmbeddedProvider(ds.services)
  const from = { address: '192.0.2.1', requestId: '', userAgent: '' }
  const { access_token: token } = await embedded.login(other, from)
  expect((await ds.request('GET', '/v3/account', { token })).status).toBe(401)
  const { cookie } = await embedded.logInBrowser(other, from)
  const headers = { cookie: `__Host-cardwire=${cookie}` }
  expect((await ds.request('GET', '/admin', { headers })).status).toBe(303)
})

test('a user of the provider with its name cannot change it, and has none of its sessions', async () => {
  proves('break-glass', 'same-name-confused')
  const session = await open()
  const token = await createExternalToken(name)
  const account = getData(await ds.request('GET', '/v3/account', { token }))
  expect([account.subject, account.secondFactor]).toEqual([name, undefined])
  const requests = [
    ['PUT', '/password', { password, newPassword: 'another-good-password' }],
    ['PUT', '/second-factor', { password }],
    ['POST', '/second-factor/confirm', { code: '000000' }],
    ['POST', '/second-factor/remove', { password }],
    ['POST', '/recovery-codes', { password, code: '000000' }],
  ] as const
  for (const [method, path, body] of requests) {
    const answer = await ds.request(method, `/v3/account${path}`, { token, body })
    expect([path, answer.status, answer.json.code]).toEqual([path, 403, 'role-missing'])
  }
  expect(getData(await ds.request('GET', '/v3/account/sessions', { token }))).toEqual([])
  expect(getData(await ds.request('DELETE', '/v3/account/sessions', { token }))).toEqual({
    ended: 0,
  })
  expect((await session.call('GET', '/account')).status).toBe(200)
})

test('a user of the provider with its name, and as many sessions as allowed, ends none of its sessions, nor the reverse', async () => {
  proves('same-name-confused', 'logins-flood')
  const session = await open()
  await ds.driver.run({
    sql: `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1001)
      insert into browser_sessions (id, hash, subject, name, address, user_agent, created_at, last_used_at, expires_at)
      select 'of-a-user-' || n, 'of-a-user-' || n, subject, name, address, user_agent, created_at + n, last_used_at, expires_at
      from browser_sessions, numbers`,
    params: [],
  })
  ds.now += 1
  await open()
  expect((await session.call('GET', '/account')).status).toBe(200)
  const count = () =>
    ds.driver.run({
      sql: "select count(*) from browser_sessions where id like 'of-a-user-%'",
      params: [],
    })
  expect(await count()).toEqual([[1001]])
  await ds.services.db.batch([ds.services.browserSessions.deleteBeyond({ subject: name })])
  expect(await count()).toEqual([[1000]])
  expect((await session.call('GET', '/account')).status).toBe(200)
})

test('refused sign-ins of it are recorded', async () => {
  proves('refused-sign-ins-recorded')
  await signIn({ name, password: 'a-wrong-password' })
  const rows = await ds.driver.run({
    sql: "select id, fields from audit where operation = 'logInRefused'",
    params: [],
  })
  expect(rows).toEqual([['admin', 'password']])
})
