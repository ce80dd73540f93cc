/** The audit in a real database: entries with the change they record, and triggers that keep them. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrations } from '../resources.ts'
import { applyMigrations } from '../self-hosted/migrations.ts'
import { createAudit, exists, isDistinctFrom, localSource, selectChangedFields } from './audit.ts'
import { createDatabase, type Database } from './database.ts'
import type { FileDriver } from './file-driver.ts'
import { openNodeSqlite } from './node-sqlite.ts'
import { audit, versions } from './schema.ts'

let folder: string
let driver: FileDriver
let db: Database
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-audit-'))
  driver = openNodeSqlite(join(folder, 'test.sqlite'))
  await applyMigrations(driver)
  db = createDatabase(driver)
})
afterEach(async () => {
  driver.close()
  await rm(folder, { recursive: true, force: true })
})

const row = {
  id: '1.0.0',
  precedence: '1.0.0',
  revision: 1,
  createdAt: 1,
  updatedAt: 1,
  recommended: false,
  mandatory: true,
  allowed: true,
  uris: [{ os: 'UNIX', uri: 'https://a.example/x' }],
} as const
const mine = eq(versions.id, row.id)
const entries = () => createAudit({ db, clock: () => 7 }, 'test', localSource)

test('migrations end with the triggers, which drizzle-kit leaves out', async () => {
  const triggers = await readFile(new URL('audit-triggers.sql', import.meta.url), 'utf8')
  const migration = await readFile(new URL(`${migrations}/0000_initial.sql`), 'utf8')
  expect(migration.endsWith(`--> statement-breakpoint\n${triggers}`)).toBe(true)
})

test('entry holds its fields', async () => {
  await entries().createEntry('version', row.id, ['a', 'b']).toStatement()
  expect(await db.select().from(audit)).toEqual([
    {
      sequence: 1,
      at: 7,
      subject: 'local',
      issuer: null,
      name: 'local',
      operation: 'test',
      kind: 'version',
      id: row.id,
      fields: 'a b',
      address: null,
      requestId: null,
    },
  ])
})

test('createUndoEntry names the operation that reverted its change', async () => {
  await entries().createUndoEntry('version', row.id, ['a']).write()
  expect(await db.select().from(audit)).toMatchObject([{ operation: 'test:undone' }])
})

test('entry is left out when the row of its change does not exist', async () => {
  await entries().createEntry('version', row.id, []).toStatement(exists(versions, mine))
  expect(await db.$count(audit)).toBe(0)
  await db.insert(versions).values(row)
  await entries().createEntry('version', row.id, []).toStatement(exists(versions, mine))
  expect(await db.$count(audit)).toBe(1)
})

test('entry is rolled back when its change fails', async () => {
  await db.insert(versions).values(row)
  const entry = entries().createEntry('version', row.id, [])
  await expect(
    db.batch([entry.toStatement(), db.insert(versions).values(row)]),
  ).rejects.toBeInstanceOf(Error)
  expect(await db.$count(audit)).toBe(0)
})

test.each([
  { to: 'nothing else', change: {}, fields: '' },
  { to: 'another flag', change: { mandatory: false }, fields: 'mandatory ' },
  { to: 'other installers', change: { uris: [] }, fields: 'uris ' },
  {
    to: 'everything else',
    change: { recommended: true, mandatory: false, uris: [] },
    fields: 'recommended mandatory uris ',
  },
])('selectChangedFields of a row that is set to $to', async ({ change, fields }) => {
  await db.insert(versions).values(row)
  expect(await fieldsOf({ ...row, ...change })).toBe(fields)
})

test('selectChangedFields of a missing row names all fields', async () => {
  expect(await fieldsOf(row)).toBe('recommended mandatory uris')
})

async function fieldsOf(next: typeof versions.$inferInsert): Promise<unknown> {
  const fields = selectChangedFields(versions, mine, {
    recommended: isDistinctFrom(versions.recommended, next.recommended),
    mandatory: isDistinctFrom(versions.mandatory, next.mandatory),
    uris: isDistinctFrom(versions.uris, next.uris),
  })
  await entries().createEntry('version', row.id, fields).toStatement()
  const [entry] = await db.select().from(audit)
  return entry?.fields
}
