/** A service that requires a second factor: what an account without one may do. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { administrator } from '../../test/bed/administrator.ts'
import { proves } from '../../test/bed/proves.ts'
import { fillPath, getNeededRole, serviceAccess } from '../../test/bed/service-access.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { createCode } from './harness/account.ts'
import { getData } from './harness/arrange.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let ds: InProcess
let token: string
beforeEach(async () => {
  ds = await startInProcess({ DS_SECOND_FACTOR: 'required' })
  token = await ds.login()
})
afterEach(() => ds.stop())

const { password } = administrator
const send = (method: string, path: string, body?: Json) =>
  ds.request(method, path, { token, ...(body && { body }) })
const getFirstStep = async () => getData(await send('GET', '/v3/account')).firstStep
const setUp = async () => {
  const { secret } = getData(await send('PUT', '/v3/account/second-factor', { password }))
  const code = createCode(secret, 0, ds.now)
  return getData(await send('POST', '/v3/account/second-factor/confirm', { code }))
}

test('an account without one can only set it up, and then do everything', async () => {
  proves('second-factor-required')
  const answered = []
  for (const [method, path, access] of serviceAccess) {
    if (getNeededRole(access) === undefined) continue
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.1' }
    const { json } = await ds.request(method, fillPath(path), { token, headers })
    if (json?.code !== 'second-factor-setup-required') answered.push(`${method} ${path}`)
  }
  expect(answered).toEqual([
    'GET /v3/account',
    'PUT /v3/account/second-factor',
    'POST /v3/account/second-factor/confirm',
  ])
  expect(await getFirstStep()).toBe('second-factor-setup-required')
  expect((await setUp()).recoveryCodes).toHaveLength(10)
  expect(await getFirstStep()).toBeUndefined()
  expect((await send('GET', '/v3/versions')).status).toBe(200)
})

test('an account that turns it off has to set it up again, in the same session', async () => {
  proves('second-factor-required')
  await setUp()
  const removed = getData(await send('POST', '/v3/account/second-factor/remove', { password }))
  expect(removed.firstStep).toBe('second-factor-setup-required')
  expect((await send('GET', '/v3/versions')).json.code).toBe('second-factor-setup-required')
})

test('a password that someone else set is changed first', async () => {
  proves('second-factor-required', 'password-change-first')
  await ds.driver.run({ sql: 'update administrators set password_due = true', params: [] })
  expect(await getFirstStep()).toBe('password-change-required')
  const begun = await send('PUT', '/v3/account/second-factor', { password })
  expect(begun.json.code).toBe('password-change-required')
  const newPassword = 'a-password-of-the-owner'
  getData(await send('PUT', '/v3/account/password', { password, newPassword }))
  expect(await getFirstStep()).toBe('second-factor-setup-required')
})
