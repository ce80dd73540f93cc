/** The service while another program has its database locked. */
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { startInProcess } from './harness/in-process.ts'

test('a database that another program has locked is a 503 that says so, and can be asked again', async () => {
  proves('database-busy')
  const ds = await startInProcess()
  const [row] = await ds.driver.run({ sql: 'pragma database_list', params: [] })
  const other = new Sqlite(String(row?.at(-1)))
  try {
    const token = await ds.login()
    await ds.driver.run({ sql: 'pragma busy_timeout = 0', params: [] })
    other.exec('begin immediate')
    const body = { name: 'Example' }
    const refused = await ds.request('PUT', '/v3/organizations', { token, body })
    expect([refused.status, refused.json.code, refused.json.description]).toEqual([
      503,
      'database-unavailable',
      'Cannot respond: the database is busy',
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    other.exec('rollback')
    expect((await ds.request('PUT', '/v3/organizations', { token, body })).status).toBe(201)
  } finally {
    other.close()
    await ds.stop()
  }
})
