/** Logins that ended before anything was compared: they count as failed for neither the account nor the address. */
import { Problem } from '@cardwire/protocol'
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { administrator, passwordGrant, tokenPath } from '../../test/bed/administrator.ts'
import { proves } from '../../test/bed/proves.ts'
import { cheapPasswords } from './harness/cheap-passwords.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

/** What each hash fails with, while there is something. */
const faults = {
  'the queue of hashes is full': () =>
    new Problem(
      'service-busy',
      'Cannot check the password: too many sign-ins are waiting, try again later',
      {
        retryAfterS: 2,
      },
    ),
  'a hash fails': () => new Error('Cannot hash'),
}
let fault: (() => Error) | undefined
let isVerifying = true
/** A fault waits for it. */
let hold: Promise<void> | undefined
let verifying: PromiseWithResolvers<void>
let ds: InProcess

beforeEach(async () => {
  fault = undefined
  isVerifying = true
  hold = undefined
  verifying = Promise.withResolvers()
  ds = await startInProcess({}, undefined, {
    passwords: {
      async hash(password) {
        if (fault) throw fault()
        return cheapPasswords.hash(password)
      },
      async verify(password, hash) {
        if (fault && isVerifying) {
          const error = fault()
          verifying.resolve()
          await hold
          throw error
        }
        return cheapPasswords.verify(password, hash)
      },
    },
  })
})
afterEach(() => ds.stop())

const from = '198.51.100.7'
const { password } = administrator
const login = () => ds.request('POST', tokenPath, { form: passwordGrant, from })

const operations = {
  'a login': () => login(),
  'a change of the password': (token: string) =>
    ds.request('PUT', '/v3/account/password', {
      token,
      from,
      body: { password, newPassword: 'another password of an account' },
    }),
  'the beginning of a second factor': (token: string) =>
    ds.request('PUT', '/v3/account/second-factor', { token, from, body: { password } }),
  'the removal of a second factor': (token: string) =>
    ds.request('POST', '/v3/account/second-factor/remove', { token, from, body: { password } }),
}

const cases = Object.entries(operations).flatMap(([operation, ask]) =>
  Object.entries(faults).map(([title, create]) => [operation, title, ask, create] as const),
)

// More than the account has before it waits, and than the address has in a minute.
const attempts = 70

test.each(cases)('%s counts as no failed one when %s', async (_, __, ask, create) => {
  proves('busy-login-uncounted')
  const { json } = await login()
  fault = create
  const statuses = new Set<number>()
  for (let attempt = 0; attempt < attempts; attempt += 1)
    statuses.add((await ask(json.access_token)).status)
  expect(statuses).toEqual(new Set([create() instanceof Problem ? 503 : 500]))
  fault = undefined
  expect((await login()).status).toBe(200)
})

test('a right password whose new one cannot be hashed counts as no failed login', async () => {
  proves('busy-login-uncounted')
  const { json } = await login()
  fault = faults['the queue of hashes is full']
  isVerifying = false
  for (let attempt = 0; attempt < 4; attempt += 1)
    expect((await operations['a change of the password'](json.access_token)).status).toBe(503)
})

const loginWrongly = async () =>
  (
    await ds.request('POST', tokenPath, {
      form: { ...passwordGrant, password: 'a-wrong-password' },
      from,
    })
  ).status

test('failures before and during a login that compared nothing stay counted', async () => {
  proves('busy-login-uncounted')
  for (let failure = 0; failure < 3; failure += 1) expect(await loginWrongly()).toBe(400)
  ds.now += 1000
  fault = faults['the queue of hashes is full']
  const held = Promise.withResolvers<void>()
  hold = held.promise
  const busy = loginWrongly()
  await verifying.promise
  // The fourth failure, which the other one would have been. Its delay would end after 2 s.
  ds.now += 2000
  fault = undefined
  hold = undefined
  expect(await loginWrongly()).toBe(400)
  held.resolve()
  expect(await busy).toBe(503)
  ds.now += 3999
  expect(await loginWrongly()).toBe(429)
  ds.now += 1
  expect(await loginWrongly()).toBe(400)
  ds.now += 3999
  expect(await loginWrongly()).toBe(429)
  ds.now += 1
  expect(await loginWrongly()).toBe(400)
})

test('logins that compared nothing leave no row, so that they push out no failures of others', async () => {
  proves('busy-login-uncounted')
  for (let failure = 0; failure < 3; failure += 1) expect(await loginWrongly()).toBe(400)
  ds.now += 1000
  fault = faults['the queue of hashes is full']
  for (const username of ['one', 'another', administrator.name])
    expect(
      (await ds.request('POST', tokenPath, { form: { ...passwordGrant, username }, from })).status,
    ).toBe(503)
  expect(await run('select failures from login_delays')).toEqual([[3]])
})

const run = (statement: string) => ds.driver.run({ sql: statement, params: [] })
const failBefore = (table: string, event: string) =>
  run(`create trigger failing before ${event} on ${table} begin select raise(abort, 'full'); end`)
const dropFailing = () => run('drop trigger failing')

test.each([
  ['the session of a right login', 'sessions', 'insert', () => login()],
  [
    'what a right password changes',
    'administrators',
    'update',
    operations['the beginning of a second factor'],
  ],
] as const)('%s that cannot be stored counts as no failed login', async (_, table, event, ask) => {
  proves('busy-login-uncounted')
  const { json } = await login()
  await failBefore(table, event)
  const statuses = new Set<number>()
  for (let attempt = 0; attempt < attempts; attempt += 1)
    statuses.add((await ask(json.access_token)).status)
  expect(statuses).toEqual(new Set([500]))
  await dropFailing()
  expect((await login()).status).toBe(200)
})

test('a right password whose code cannot be accepted counts as no failed login', async () => {
  proves('busy-login-uncounted')
  const { json } = await login()
  const begun = await operations['the beginning of a second factor'](json.access_token)
  const secret = Secret.fromBase32(begun.json.data.secret)
  const createCode = () => TOTP.generate({ secret, timestamp: ds.now })
  const confirmed = await ds.request('POST', '/v3/account/second-factor/confirm', {
    token: json.access_token,
    from,
    body: { code: createCode() },
  })
  expect(confirmed.status).toBe(200)
  const loginWithCode = async () => {
    ds.now += 30_000
    const form = { ...passwordGrant, totp: createCode() }
    return (await ds.request('POST', tokenPath, { form, from })).status
  }
  await failBefore('administrators', 'update')
  for (let attempt = 0; attempt < 12; attempt += 1) expect(await loginWithCode()).toBe(500)
  await dropFailing()
  expect(await loginWithCode()).toBe(200)
})

test('a right password for a change that the account refuses counts as no failed login', async () => {
  proves('busy-login-uncounted')
  const { json } = await login()
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const removed = await operations['the removal of a second factor'](json.access_token)
    expect([removed.status, removed.json.code]).toEqual([404, 'second-factor-unknown'])
  }
  expect((await login()).status).toBe(200)
})
