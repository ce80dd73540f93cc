/** The histories of configurations that were added and removed again and again go with their version, and not all at once. */
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { openBetterSqlite3 } from '../src/db/better-sqlite3.ts'
import { revisions, versions } from '../src/db/schema.ts'
import { applyMigrations } from '../src/self-hosted/migrations.ts'
import { startInProcess } from './harness/in-process.ts'
import { removedVersionSuite } from './harness/removed-versions.ts'

describe('in a database', () => {
  removedVersionSuite(async () => {
    const driver = openBetterSqlite3(':memory:')
    await applyMigrations(driver)
    return driver
  })
})

test('the histories of configurations go after their version, each in one statement', async () => {
  proves('removals-at-once')
  const ds = await startInProcess()
  try {
    const { db } = ds.services
    const id = '1.0.0'
    const flags = { recommended: false, mandatory: false, allowed: true, uris: [] }
    const times = { createdAt: 1, updatedAt: 1 }
    await db.insert(versions).values({ id, precedence: id, ...flags, revision: 1, ...times })
    await db.insert(revisions).select(sql`
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 30)
      select 'configuration', 'c' || n, 1, 1, 's', null, 'n', 'o', ${id}, 'CONTEXT_CONFIG', null, '{}', null, null from numbers`)
    const token = await ds.login()
    const left: number[] = []
    const { run } = ds.driver
    Object.assign(ds.driver, {
      run: async (statement: Parameters<typeof run>[0]) => {
        const rows = await run(statement)
        if (statement.sql.startsWith('delete from "revisions"'))
          left.push(await db.$count(revisions))
        return rows
      },
    })
    expect((await ds.request('DELETE', `/v3/versions/${id}`, { token })).status).toBe(200)
    expect(left).toEqual(Array.from({ length: 30 }, (_, at) => 29 - at))
    expect(await db.$count(versions)).toBe(0)
  } finally {
    await ds.stop()
  }
})
