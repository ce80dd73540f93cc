/** The service as time passes: tokens expire, keys rotate, overlaps end, delays double. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { administrator, passwordGrant, tokenPath } from '../../test/bed/administrator.ts'
import { proves } from '../../test/bed/proves.ts'
import { createAccounts } from '../src/auth/identity/accounts.ts'
import { createAudit, localSource } from '../src/db/audit.ts'
import type { Passwords } from '../src/ports.ts'
import type { Services } from '../src/services.ts'
import { cheapPasswords } from './harness/cheap-passwords.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

const second = 1000
const hour = 3600 * second
const overlap = 24 * hour

let ds: InProcess

beforeEach(async () => {
  ds = await startInProcess()
})
afterEach(() => ds.stop())

const createLabel = async () => {
  const token = await ds.login()
  const { json: organization } = await ds.request('PUT', '/v3/organizations', {
    token,
    body: { name: 'Org' },
  })
  const { json } = await ds.request('PUT', '/v3/labels', {
    token,
    body: { name: 'Label', orgId: organization.data.id },
  })
  return json.data
}
const exchange = (apikey: string) =>
  ds.request('GET', '/v3/tokens/application', { headers: { apikey } })
const kidOf = (jwt: string) =>
  JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()).kid
const published = async () =>
  (await ds.request('GET', '/.well-known/jwks.json')).json.keys.map(
    (key: { kid: string }) => key.kid,
  )

test('administrator token is refused once it has expired', async () => {
  proves('invalid-tokens-refused')
  const token = await ds.login()
  ds.now += 300 * second
  expect((await ds.request('GET', '/v3/organizations', { token })).status).toBe(200)
  // Thirty seconds are allowed for clocks that differ.
  ds.now += 31 * second
  const expired = await ds.request('GET', '/v3/organizations', { token })
  expect([expired.status, expired.json.code]).toEqual([401, 'token-refused'])
  expect(expired.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
})

test('application token is refused after its twenty minutes', async () => {
  proves('application-token-expires')
  const label = await createLabel()
  const token = (await exchange(label.apiKey)).json.data
  ds.now += 1200 * second
  expect((await ds.request('GET', '/v3/versions', { token })).status).toBe(200)
  ds.now += 31 * second
  expect((await ds.request('GET', '/v3/versions', { token })).status).toBe(401)
})

test('session ends ten hours after its login, however often it is refreshed', async () => {
  const path = '/auth/realms/cardwire/protocol/openid-connect/token'
  let { json } = await ds.request('POST', path, { form: passwordGrant })
  const refresh = () =>
    ds.request('POST', path, {
      form: {
        client_id: 'cardwire',
        grant_type: 'refresh_token',
        refresh_token: json.refresh_token,
      },
    })
  for (let minutes = 0; minutes < 600 - 29; minutes += 29) {
    ds.now += 29 * 60 * second
    const answer = await refresh()
    expect(answer.status).toBe(200)
    json = answer.json
  }
  expect(json.refresh_expires_in).toBeLessThan(1800)
  ds.now += json.refresh_expires_in * second
  expect((await refresh()).json.error).toBe('invalid_grant')
})

test('refresh token is refused after thirty minutes without use', async () => {
  const path = '/auth/realms/cardwire/protocol/openid-connect/token'
  const { json } = await ds.request('POST', path, { form: passwordGrant })
  ds.now += 1801 * second
  const form = {
    client_id: 'cardwire',
    grant_type: 'refresh_token',
    refresh_token: json.refresh_token,
  }
  expect((await ds.request('POST', path, { form })).json.error).toBe('invalid_grant')
})

test('replaced API key works until its overlap ends, and no longer', async () => {
  const label = await createLabel()
  const token = await ds.login()
  const body = { overlap: 600 }
  const { json } = await ds.request('POST', `/v3/labels/${label.id}/key`, { token, body })
  ds.now += 599 * second
  expect((await exchange(label.apiKey)).status).toBe(200)
  ds.now += second
  expect((await exchange(label.apiKey)).status).toBe(401)
  expect((await exchange(json.data.apiKey)).status).toBe(200)
})

test('rotated signing key is published, then signs, and the old one stays published as long again', async () => {
  const label = await createLabel()
  const token = await ds.login()
  const old = kidOf((await exchange(label.apiKey)).json.data)
  const rotated = await ds.request('POST', '/v3/signing-keys', {
    token,
    body: { use: 'application' },
  })
  const next = rotated.json.data.id
  expect(Date.parse(rotated.json.data.signsFrom)).toBe(ds.now + overlap)
  const signer = async () => kidOf((await exchange(label.apiKey)).json.data)

  expect([await published(), await signer()]).toEqual([[old, next], old])
  ds.now += overlap - second
  expect([await published(), await signer()]).toEqual([[old, next], old])
  const last = (await exchange(label.apiKey)).json.data
  ds.now += second
  expect([await published(), await signer()]).toEqual([[old, next], next])
  // What the old key signed a second ago is still good.
  expect((await ds.request('GET', '/v3/versions', { token: last })).status).toBe(200)
  ds.now += overlap - second
  expect(await published()).toEqual([old, next])
  ds.now += second
  expect(await published()).toEqual([next])
})

const unlimited = (services: Services) => ({
  ...services,
  limits: {
    registrationSetting: 'DS_REGISTRATION_LIMIT',
    consume: async () => undefined,
    refund: async () => undefined,
  },
})

test('delay of the next login doubles with each failure, up to a quarter of an hour, and a success resets it', async () => {
  proves('password-guessing')
  await ds.stop()
  ds = await startInProcess({}, unlimited)
  const path = '/auth/realms/cardwire/protocol/openid-connect/token'
  const from = '198.51.100.7'
  const login = (password: string) =>
    ds.request('POST', path, { form: { ...passwordGrant, password }, from })
  const waits = []
  for (let failure = 1; failure <= 14; failure += 1) {
    expect((await login('wrong')).status).toBe(400)
    const early = await login(administrator.password)
    if (failure <= 2) {
      // Two mistakes are free; the right password in between has just forgotten them.
      expect(early.status).toBe(200)
      if (failure === 2) for (let again = 0; again < 2; again += 1) await login('wrong')
      continue
    }
    expect(early.status).toBe(429)
    const wait = Number(early.headers.get('retry-after'))
    waits.push(wait)
    ds.now += wait * second
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  expect((await login(administrator.password)).status).toBe(200)
  expect((await login('wrong')).status).toBe(400)
  expect((await login(administrator.password)).status).toBe(200)
})

test('wrong logins that a node counted whose clock is a second ahead delay the next one elsewhere', async () => {
  proves('nodes-race')
  const from = '198.51.100.9'
  const login = (password: string) =>
    ds.request('POST', tokenPath, { form: { ...passwordGrant, password }, from })
  ds.now += second
  for (let failure = 1; failure <= 4; failure += 1) await login('wrong')
  ds.now -= second
  expect((await login(administrator.password)).status).toBe(429)
})

test('four wrong logins while the clock is ahead delay no login once it is right', async () => {
  proves('service-clock-jump')
  await ds.stop()
  ds = await startInProcess({}, unlimited)
  const path = '/auth/realms/cardwire/protocol/openid-connect/token'
  const from = '198.51.100.8'
  const login = (password: string) =>
    ds.request('POST', path, { form: { ...passwordGrant, password }, from })
  ds.now += 402 * 24 * hour
  for (let failure = 1; failure <= 4; failure += 1) await login('wrong')
  ds.now -= 402 * 24 * hour
  // The failures still count, and delay the next login by seconds.
  expect((await login('wrong')).status).toBe(400)
  const delayed = await login(administrator.password)
  expect([delayed.status, Number(delayed.headers.get('retry-after'))]).toEqual([429, 2])
  ds.now += 2 * second
  expect((await login(administrator.password)).status).toBe(200)
})

test('DS_TOKEN_LIMIT bounds the tokens of one key in a minute, not those of another', async () => {
  await ds.stop()
  ds = await startInProcess({ DS_TOKEN_LIMIT: '3' })
  const label = await createLabel()
  const token = await ds.login()
  const body = { name: 'Other', orgId: 'org' }
  const other = (await ds.request('PUT', '/v3/labels', { token, body })).json.data
  const statuses = []
  for (let n = 0; n < 5; n += 1) statuses.push((await exchange(label.apiKey)).status)
  expect(statuses).toEqual([200, 200, 200, 429, 429])
  expect(Number((await exchange(label.apiKey)).headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await exchange(other.apiKey)).status).toBe(200)
})

test('DS_TOKEN_ALG RS256 signs application tokens with RSA', async () => {
  await ds.stop()
  ds = await startInProcess({ DS_TOKEN_ALG: 'RS256' })
  const label = await createLabel()
  const jwt = (await exchange(label.apiKey)).json.data
  const { json } = await ds.request('GET', '/.well-known/jwks.json')
  expect(json.keys).toMatchObject([{ kty: 'RSA', alg: 'RS256', kid: kidOf(jwt) }])
  expect((await ds.request('GET', '/v3/versions', { token: jwt })).status).toBe(200)
})

test('password that is changed while a login compares the old one opens no session', async () => {
  const path = '/auth/realms/cardwire/protocol/openid-connect/token'
  await ds.stop()
  const verify: Passwords['verify'] = async (password, stored) => {
    const matched = await cheapPasswords.verify(password, stored)
    const audit = createAudit(ds.services, 'changePassword', localSource)
    await createAccounts(ds.services).changePassword(audit, administrator.name, 'another-password')
    return matched
  }
  ds = await startInProcess({}, undefined, { passwords: { ...cheapPasswords, verify } })
  const answer = await ds.request('POST', path, { form: passwordGrant })
  expect([answer.status, answer.json.error]).toEqual([400, 'invalid_grant'])
})

test('wrong logins slow down an address to one login a second, and never lock the right password', async () => {
  proves('administrator-locked-out')
  const from = '198.51.100.7'
  const login = (form = {}) =>
    ds.request('POST', tokenPath, { form: { ...passwordGrant, ...form }, from })
  for (let n = 0; n <= 20; n += 1)
    await login({ username: `nobody-${n}`, password: 'a-wrong-password' })
  expect((await login()).status).toBe(200)
  const limited = await login()
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1'])
  ds.now += second
  expect((await login()).status).toBe(200)
})

test('after 20 failures of an address in a minute, one password in a second is hashed', async () => {
  proves('password-guessing')
  await ds.stop()
  let hashes = 0
  const verify: Passwords['verify'] = (password, stored) => {
    hashes += 1
    return cheapPasswords.verify(password, stored)
  }
  ds = await startInProcess({}, undefined, { passwords: { ...cheapPasswords, verify } })
  const from = '198.51.100.10'
  const fail = (username: string) =>
    ds.request('POST', tokenPath, { form: { ...passwordGrant, username, password: 'wrong' }, from })
  for (let n = 0; n < 50; n += 1) await fail(`nobody-${n}`)
  expect(hashes).toBe(22)
  for (let seconds = 1; seconds <= 3; seconds += 1) {
    ds.now += second
    for (let n = 0; n < 5; n += 1) await fail(`nobody-${seconds}-${n}`)
  }
  expect(hashes).toBe(25)
})

test('right logins are not counted: a hundred from one address succeed', async () => {
  proves('administrator-locked-out')
  for (let n = 0; n < 100; n += 1)
    expect((await ds.request('POST', tokenPath, { form: passwordGrant })).status).toBe(200)
})
