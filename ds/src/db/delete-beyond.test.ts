/** Which rows of a bounded table go, in a real database. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { applyMigrations } from '../self-hosted/migrations.ts'
import { createDatabase, type Database } from './database.ts'
import { deleteBeyond } from './delete-beyond.ts'
import type { FileDriver } from './file-driver.ts'
import { openNodeSqlite } from './node-sqlite.ts'
import { loginDelays } from './schema.ts'

let folder: string
let driver: FileDriver
let db: Database
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-bounds-'))
  driver = openNodeSqlite(join(folder, 'test.sqlite'))
  await applyMigrations(driver)
  db = createDatabase(driver)
})
afterEach(async () => {
  driver.close()
  await rm(folder, { recursive: true, force: true })
})

/** What is left of rows with these times of one address, oldest first; those of another one stay. */
async function bound(times: readonly number[], latest: number | undefined) {
  const toRow = (time: number) => ({
    account: `at ${time}`,
    address: 'a',
    failures: 1,
    notBefore: time,
  })
  await db.insert(loginDelays).values([...times.map(toRow), { ...toRow(0), address: 'b' }])
  const where = eq(loginDelays.address, 'a')
  await deleteBeyond(db, loginDelays, loginDelays.notBefore, {
    keep: 3,
    ...(latest !== undefined && { latest }),
    where,
  })
  const rows = await db.select().from(loginDelays).where(where).orderBy(loginDelays.notBefore)
  expect(await db.$count(loginDelays)).toBe(rows.length + 1)
  return rows.map(({ notBefore }) => notBefore)
}

test.each([
  { times: [1, 2, 3], latest: 9, left: [1, 2, 3], title: 'none where there are few enough' },
  { times: [1, 2, 3, 4, 5], latest: 9, left: [3, 4, 5], title: 'the oldest' },
  { times: [1, 2, 11], latest: 9, left: [1, 2, 11], title: 'none of those to come alone' },
  { times: [1, 11, 12, 13], latest: 9, left: [1], title: 'first those of a clock that was ahead' },
  { times: [1, 2, 3, 4, 11], latest: 9, left: [2, 3, 4], title: 'those, and then the oldest' },
  { times: [1, 11, 12, 13], latest: undefined, left: [11, 12, 13], title: 'the oldest of all' },
])('of $times with $latest as the latest there go $title', async ({ times, latest, left }) => {
  proves('login-delays-flood')
  expect(await bound(times, latest)).toEqual(left)
})
