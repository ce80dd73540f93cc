/** A change of the own account that comes too late changes nothing, and ends no session. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { administrator } from '../../test/bed/administrator.ts'
import { proves } from '../../test/bed/proves.ts'
import type { Statement } from '../src/db/database.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

const { name, password } = administrator

let ds: InProcess
/** Runs before the statements that change the account are stored. */
let meanwhile: (() => Promise<unknown>) | undefined

const changesAccount = ({ sql }: Statement) => sql.startsWith('update "administrators"')

beforeEach(async () => {
  meanwhile = undefined
  ds = await startInProcess()
  const { driver } = ds
  const batch = driver.batch.bind(driver)
  Object.assign(driver, {
    batch: async (statements: readonly Statement[]) => {
      const act = meanwhile
      if (act && statements.some(changesAccount)) {
        meanwhile = undefined
        await act()
      }
      return batch(statements)
    },
  })
})
afterEach(() => ds.stop())

const change = (token: string) =>
  ds.request('PUT', '/v3/account/password', {
    token,
    body: { password, newPassword: 'another-password' },
  })
const isOpen = async (token: string) =>
  (await ds.request('GET', '/v3/versions', { token })).status === 200

test('a password that was changed meanwhile is not changed, and no session ends', async () => {
  proves('refused-change-ends-sessions')
  const [mine, other] = [await ds.login(), await ds.login()]
  meanwhile = () =>
    ds.driver.run({
      sql: `update administrators set password_hash = password_hash || ' ' where name = ?`,
      params: [name],
    })
  const refused = await change(mine)
  expect([refused.status, refused.json.code]).toEqual([409, 'changed-meanwhile'])
  expect([await isOpen(mine), await isOpen(other)]).toEqual([true, true])
})

test('a password that is changed ends the other sessions', async () => {
  proves('refused-change-ends-sessions')
  const [mine, other] = [await ds.login(), await ds.login()]
  const changed = await change(mine)
  expect([changed.status, changed.json.data]).toEqual([200, { ended: 1 }])
  expect([await isOpen(mine), await isOpen(other)]).toEqual([true, false])
})
