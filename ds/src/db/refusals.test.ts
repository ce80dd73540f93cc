/** The bounds of the refused registrations, in a real database. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refusalBounds } from '@cardwire/protocol'
import { eq, inArray } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { applyMigrations } from '../self-hosted/migrations.ts'
import { createDatabase, type Database } from './database.ts'
import type { FileDriver } from './file-driver.ts'
import { openNodeSqlite } from './node-sqlite.ts'
import { storeRefusal } from './refusals.ts'
import { refusals } from './schema.ts'

let folder: string
let driver: FileDriver
let db: Database
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-refusals-'))
  driver = openNodeSqlite(join(folder, 'test.sqlite'))
  await applyMigrations(driver)
  db = createDatabase(driver)
})
afterEach(async () => {
  driver.close()
  await rm(folder, { recursive: true, force: true })
})

const dayMs = 86_400_000
const store = (address: string, fingerprint: string, now: number) =>
  storeRefusal(
    db,
    { address, fingerprint, reason: 'api-key-refused', detail: 'no', requestId: 'id' },
    now,
  )

test('an address has its newest refusals stored, whatever device it names', async () => {
  proves('rejections-flood')
  await store('b', 'other', 0)
  const { rowsPerAddress } = refusalBounds
  for (let n = 0; n < rowsPerAddress + 5; n += 1) await store('a', `device ${n}`, n)
  const rows = await db
    .select()
    .from(refusals)
    .where(eq(refusals.address, 'a'))
    .orderBy(refusals.id)
  expect(rows.map(({ fingerprint }) => fingerprint)).toEqual(
    Array.from({ length: rowsPerAddress }, (_, n) => `device ${n + 5}`),
  )
  expect(await db.$count(refusals)).toBe(rowsPerAddress + 1)
})

test('all addresses together have the newest refusals stored', async () => {
  proves('rejections-flood')
  const { rows } = refusalBounds
  for (let n = 0; n < rows + 3; n += 1) await store(`address ${n}`, '', n)
  const [oldest] = await db.select().from(refusals).orderBy(refusals.lastAt).limit(1)
  expect([await db.$count(refusals), oldest?.address]).toEqual([rows, 'address 3'])
})

test('a refusal is deleted when it has not come again for the time that is kept', async () => {
  proves('rejections-flood')
  await store('a', 'gone', 0)
  await store('a', 'repeated', 0)
  await store('a', 'repeated', 2 * dayMs)
  await store('a', 'new', (refusalBounds.days + 1) * dayMs)
  const rows = await db.select().from(refusals)
  expect(rows.map(({ fingerprint, count }) => [fingerprint, count])).toEqual([
    ['repeated', 2],
    ['new', 1],
  ])
})

test('refusals of a time when the clock was ahead go before those of now', async () => {
  proves('rejections-flood')
  const { rowsPerAddress } = refusalBounds
  for (let n = 0; n < rowsPerAddress; n += 1) await store('a', `ahead ${n}`, 20 * dayMs + n)
  await store('a', 'now', 0)
  await store('a', 'soon', 1)
  const isNow = inArray(refusals.fingerprint, ['now', 'soon'])
  expect([await db.$count(refusals), await db.$count(refusals, isNow)]).toEqual([rowsPerAddress, 2])
})
