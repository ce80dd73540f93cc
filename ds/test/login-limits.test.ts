/** What the logins of strangers and of administrators leave in the database. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { administrator, passwordGrant, tokenPath } from '../../test/bed/administrator.ts'
import { proves } from '../../test/bed/proves.ts'
import { openBetterSqlite3 } from '../src/db/better-sqlite3.ts'
import type { Statement } from '../src/db/database.ts'
import type { FileDriver } from '../src/db/file-driver.ts'
import { applyMigrations } from '../src/self-hosted/migrations.ts'
import type { Services } from '../src/services.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

const minute = 60_000
const day = 86_400_000

let folder: string
let driver: FileDriver
let ds: InProcess
let recorded: Statement[] = []

const unlimited = (services: Services) => ({
  ...services,
  limits: {
    registrationSetting: 'DS_REGISTRATION_LIMIT',
    consume: async () => undefined,
    refund: async () => undefined,
  },
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-logins-'))
  driver = openBetterSqlite3(join(folder, 'ds.sqlite'))
  await applyMigrations(driver)
  ds = await startInProcess({}, unlimited, {
    driver: {
      run: (statement) => {
        recorded.push(statement)
        return driver.run(statement)
      },
      batch: (statements) => {
        recorded.push(...statements)
        return driver.batch(statements)
      },
    },
  })
  recorded = []
})
afterEach(async () => {
  await ds.stop()
  await driver.close()
  await rm(folder, { recursive: true, force: true })
})

const login = (form = {}, from = '198.51.100.7') =>
  ds.request('POST', tokenPath, { form: { ...passwordGrant, ...form }, from })
const wrong = (username: string, from?: string) =>
  login({ username, password: 'a-wrong-password' }, from)

const run = (sql: string, ...params: unknown[]) => driver.run({ sql, params })
const count = async (where: string) => Number((await run(`select count(*) from ${where}`))[0]?.[0])

/** Failures of as many names, one a millisecond; the last one is as old as `age`. */
const storeFailures = (rows: number, address: string, age = 0) =>
  run(
    `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
      insert into login_delays (account, address, failures, not_before)
      select 'stranger ' || n, ${address}, 3, ? - n from numbers`,
    rows,
    ds.now - age,
  )

test('an address has a thousand counted names at most, and a delay that lasts stays', async () => {
  proves('login-delays-flood')
  for (let failure = 0; failure < 3; failure += 1) await wrong('kept')
  await storeFailures(1500, `'198.51.100.7'`)
  await wrong('another')
  await wrong('one-more')
  expect(await count(`login_delays where address = '198.51.100.7'`)).toBeLessThanOrEqual(1001)
  expect((await wrong('kept')).status).toBe(429)
})

test('twenty thousand failures are counted at most, and the others go once a minute', async () => {
  proves('login-delays-flood')
  await wrong('first')
  await storeFailures(35_000, `'192.0.2.' || n`)
  await wrong('second')
  expect(await count('login_delays')).toBeGreaterThan(35_000)
  for (const rows of [25_001, 20_001]) {
    ds.now += minute
    await wrong(`after ${rows}`)
    expect(await count('login_delays')).toBeLessThanOrEqual(rows + 3)
  }
})

test('no name that was typed is stored, whether an account has it or not', async () => {
  proves('typed-password-recorded')
  const typed = 'correct horse battery staple 7'
  for (const name of [typed, typed, administrator.name]) {
    await wrong(name)
    ds.now += minute
  }
  const rows = await run('select account, failures from login_delays order by failures')
  expect(rows.map(([, failures]) => failures)).toEqual([1, 2])
  for (const [account] of rows) expect(account).toMatch(/^[\w-]{43}$/)
  expect((await login()).status).toBe(200)
  expect(await run('select failures from login_delays')).toEqual([[2]])
})

test('failures are forgotten after a day', async () => {
  proves('login-delays-flood')
  await storeFailures(50, `'192.0.2.' || n`, day)
  await wrong('somebody')
  expect(await count('login_delays')).toBe(1)
})

test('a login reads no table of logins from one end to the other', async () => {
  proves('login-delays-flood')
  await wrong('somebody')
  await login()
  const plans = await Promise.all(
    recorded
      .filter(({ sql }) => /"login_delays"/.test(sql))
      .map(({ sql, params }) => driver.run({ sql: `explain query plan ${sql}`, params })),
  )
  const steps = plans.flat().map((row) => String(row.at(-1)))
  expect(steps.length).toBeGreaterThan(0)
  expect(steps.filter((step) => /^SCAN login_delays$/.test(step))).toEqual([])
})

test('an account has a thousand sessions at most: the oldest ones end', async () => {
  proves('logins-flood')
  await run(
    `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1200)
      insert into sessions (id, administrator, generation, expires_at, created_at)
      select 'session ' || n, ?, 1, ?, ? - n from numbers`,
    administrator.name,
    ds.now + day,
    ds.now,
  )
  const { json } = await login()
  expect(await count('sessions')).toBe(1000)
  const { status } = await ds.request('GET', '/v3/versions', { token: json.access_token })
  expect(status).toBe(200)
})

test('an account logs in ten thousand times a day at most, and so writes no more entries into the audit', async () => {
  proves('logins-flood')
  expect((await login()).status).toBe(200)
  await run(`update quotas set used = 9999 where subject = 'logins of admin'`)
  expect((await login()).status).toBe(200)
  const entries = await count('audit')
  const refused = await login()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '86400'])
  expect(await count('audit')).toBe(entries)
  ds.now += day
  expect((await login()).status).toBe(200)
})

test('an account changes itself a thousand times a day at most, also one that only reads', async () => {
  proves('logins-flood')
  const { name, password } = { name: 'reader', password: 'a-password-of-a-reader' }
  await ds.request('POST', '/v3/administrators', {
    token: await ds.login(),
    body: { name, role: 'viewer', password },
  })
  const { json } = await login({ username: name, password })
  const passwords = [password, 'another-password-of-a-reader']
  const change = () => {
    const [from, to] = passwords
    passwords.reverse()
    return ds.request('PUT', '/v3/account/password', {
      token: json.access_token,
      body: { password: from, newPassword: to },
    })
  }
  expect((await change()).status).toBe(200)
  await run(`update quotas set used = 999 where subject = 'own changes of ${name}'`)
  expect((await change()).status).toBe(200)
  const entries = await count('audit')
  const refused = await change()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '86400'])
  const begun = await ds.request('PUT', '/v3/account/second-factor', {
    token: json.access_token,
    body: { password },
  })
  expect([begun.status, await count('audit')]).toEqual([429, entries])
  ds.now += day
  expect((await login({ username: name, password })).status).toBe(200)
})
