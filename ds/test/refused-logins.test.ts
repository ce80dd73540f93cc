/** What the log and the audit have about sign-ins that were refused. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { administrator, passwordGrant, tokenPath } from '../../test/bed/administrator.ts'
import { createLog } from '../../test/bed/log.ts'
import { proves } from '../../test/bed/proves.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let ds: InProcess
let lines: string[]
beforeEach(async () => {
  lines = []
  ds = await startInProcess({}, undefined, { log: createLog(lines) })
})
afterEach(() => ds.stop())

const fail = (username: string) =>
  ds.request('POST', tokenPath, {
    form: { ...passwordGrant, username, password: 'a-wrong-password' },
    from: '192.0.2.7',
  })

const readLines = () => lines.filter((line) => line.includes('login refused'))

test('the log names the account and never what no account is called', async () => {
  proves('refused-sign-ins-recorded', 'typed-password-recorded')
  expect((await fail(administrator.name)).status).toBe(400)
  const typed = 'my-password-in-the-wrong-field'
  expect((await fail(typed)).status).toBe(400)
  const [known = '', unknown = ''] = readLines()
  expect(JSON.parse(known.replace('warn login refused ', ''))).toEqual({
    address: '192.0.2.7',
    requestId: expect.any(String),
    field: 'password',
    account: 'admin',
  })
  expect(unknown).toContain('"address":"192.0.2.7"')
  expect(lines.join('\n')).not.toContain(typed)
})

test('an attempt before the next one is due is not in the audit: nothing was compared', async () => {
  proves('refused-sign-ins-flood')
  const statuses = []
  for (let count = 0; count < 10; count += 1) statuses.push((await fail('admin')).status)
  const compared = statuses.filter((status) => status === 400).length
  expect(compared).toBeGreaterThan(0)
  expect(statuses.at(-1)).toBe(429)
  const rows = await ds.driver.run({
    sql: "select count(*) from audit where operation = 'logInRefused'",
    params: [],
  })
  expect(rows).toEqual([[compared]])
})

test('a sign-in is refused as before when it cannot be recorded', async () => {
  await ds.driver.run({
    sql: "create trigger full before insert on audit when new.operation = 'logInRefused' begin select raise(abort, 'full'); end",
    params: [],
  })
  expect((await fail('admin')).json.error).toBe('invalid_grant')
  expect(lines.some((line) => line.startsWith('warn refused login not recorded'))).toBe(true)
})

test('something is stored for each name, so that the time of an answer tells none from the others', async () => {
  proves('user-names-probed', 'typed-password-recorded')
  const read = async () =>
    ds.driver.run({
      sql: "select subject, used from quotas where subject like 'refused logins%' order by subject",
      params: [],
    })
  await fail(administrator.name)
  await fail('nobody')
  await fail('my-password-in-the-wrong-field')
  expect(await read()).toEqual([
    ['refused logins of admin', 1],
    ['refused logins without an account', 2],
  ])
})
