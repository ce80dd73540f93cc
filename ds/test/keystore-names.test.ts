/** Names of keystore files that differ in their case: some file systems have one file for both. */
import { expect, onTestFinished, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { createVersion } from './harness/arrange.ts'
import { startInProcess } from './harness/in-process.ts'

test('a keystore that a configuration names in other letters is not removed', async () => {
  proves('used-installers-kept')
  const ds = await startInProcess()
  onTestFinished(() => ds.stop())
  const token = await ds.login()
  const { id } = await createVersion(ds, token)
  const body = new Blob(['x']).stream()
  await ds.services.keystores.store({
    ...{ key: 'shop.p12', size: 1, body },
    commit: async () => undefined,
  })
  await ds.driver.run({
    sql: `insert into configurations (id, version_id, type, config, revision, created_at, updated_at)
      values ('one', ?, 'SSL_KEYSTORE', '{"uri":"file:///Shop.P12"}', 1, 1, 1)`,
    params: [id],
  })
  const { status, json } = await ds.request('DELETE', '/v3/keystores/shop.p12', { token })
  expect([status, json.code]).toEqual([409, 'keystore-in-use'])
})
