import { readFileSync } from 'node:fs'
import { desc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { applyMigrations } from '../self-hosted/migrations.ts'
import { openBetterSqlite3 } from './better-sqlite3.ts'
import { createDatabase, type Driver } from './database.ts'
import { forgetRemovedConfigurations, keepRemoval, keepRevision } from './revisions.ts'
import { configurations, revisions, versions } from './schema.ts'

const author = { subject: 's', issuer: null, name: 'n', operation: 'putConfiguration' }
const id = '1b4e28ba-2fa1-41d2-883f-0016d3cca427'
const identity = { kind: 'configuration', id, type: 'CONTEXT_CONFIG', versionId: '1.0.0' } as const

const runFile = async (driver: Driver, name: string) => {
  const text = readFileSync(new URL(`../../../drizzle/${name}`, import.meta.url), 'utf8')
  for (const sql of text.split('--> statement-breakpoint')) await driver.run({ sql, params: [] })
}

async function arrange(revisionsKept = 50) {
  const driver = openBetterSqlite3(':memory:')
  await applyMigrations(driver)
  const db = createDatabase(driver)
  const flags = { recommended: false, mandatory: false, allowed: true, uris: [] }
  const times = { createdAt: 1, updatedAt: 1, revision: 1 }
  await db.insert(versions).values({ id: '1.0.0', precedence: '1.0.0', ...flags, ...times })
  await db.insert(configurations).values({ ...identity, config: { cors: [] }, ...times })
  const services = { db, clock: () => 5, settings: { revisionsKept } }
  const read = () => db.select().from(revisions).orderBy(desc(revisions.revision))
  /** Saves this revision of the configuration; it has the secret of the one before, or another. */
  const save = async (revision: number, secret: string | null = null, keepsSecret = false) => {
    const content = { value: { cors: [] }, secret, keepsSecret }
    const statements = keepRevision(services, configurations, { ...identity, ...content }, author)
    await db.batch([
      db.update(configurations).set({ revision, secret }).where(eq(configurations.id, id)),
      ...statements,
    ])
  }
  return { driver, db, services, read, save }
}

test('a revision is kept once, however often its statement runs', async () => {
  proves('history-kept')
  const { read, save } = await arrange()
  await save(1)
  await save(1)
  await save(2)
  expect((await read()).map(({ revision, at, name }) => [revision, at, name])).toEqual([
    [2, 5, 'n'],
    [1, 5, 'n'],
  ])
})

test('only the newest revisions stay', async () => {
  proves('history-kept')
  const { read, save } = await arrange(2)
  for (const revision of [1, 2, 3, 4]) await save(revision)
  expect((await read()).map(({ revision }) => revision)).toEqual([4, 3])
})

test('a password is named by the revision that set it', async () => {
  proves('history-leaks')
  const { read, save } = await arrange()
  await save(1, 'sealed')
  await save(2, 'sealed', true)
  await save(3, 'another')
  await save(4, 'another', true)
  expect((await read()).map(({ secretFrom }) => secretFrom)).toEqual([3, 3, 1, 1])
})

test('a removal is kept where there was something, and is gone', async () => {
  proves('history-kept')
  const { db, services, read, save } = await arrange()
  await save(1)
  await db.batch([db.select().from(versions), ...keepRemoval(services, identity, author)])
  expect(await read()).toHaveLength(1)
  for (let time = 0; time < 2; time += 1)
    await db.batch([
      db.delete(configurations).where(eq(configurations.id, id)),
      ...keepRemoval(services, identity, author),
    ])
  expect((await read()).map(({ revision, value }) => [revision, value])).toEqual([
    [2, null],
    [1, { cors: [] }],
  ])
})

test('the histories of removed configurations go one at a time when their version is gone', async () => {
  proves('removals-at-once')
  const { driver, db, read } = await arrange()
  const row = { at: 1, subject: 's', name: 'n', operation: 'o', value: { cors: [] } }
  const others = ['a', 'b', 'c'].map((each) => ({ ...identity, ...row, id: each }))
  await db
    .insert(revisions)
    .values([
      ...others.flatMap((one) => [1, 2].map((revision) => ({ ...one, revision }))),
      { ...identity, ...row, versionId: '2.0.0', id: 'd', revision: 1 },
    ])
  const counts: number[] = []
  const run = async (...[statement]: Parameters<Driver['run']>) => {
    const rows = await driver.run(statement)
    if (statement.sql.startsWith('delete')) counts.push((await read()).length)
    return rows
  }
  const forget = () => forgetRemovedConfigurations(createDatabase({ ...driver, run }))
  await forget()
  expect(counts).toEqual([6])
  await db.delete(configurations)
  await db.delete(versions)
  await forget()
  expect(counts).toEqual([6, 4, 2, 0])
})

test('what there is when the service is updated is the first revision of its history', async () => {
  proves('history-kept')
  const { driver, db, read } = await arrange()
  const run = (sql: string) => driver.run({ sql, params: [] })
  await run('drop table revisions')
  await run(
    `insert into audit values (1, 2, 'her-subject', 'her-issuer', 'her', 'patchConfiguration', 'configuration', '${id}', '', null, null)`,
  )
  await runFile(driver, '0012_revisions.sql')
  // As a later migration adds it.
  await run('alter table revisions add column group_id text')
  expect(await read()).toEqual([
    {
      ...{ kind: 'configuration', id, revision: 1, at: 1 },
      ...{ subject: 'her-subject', issuer: 'her-issuer', name: 'her' },
      ...{ operation: 'patchConfiguration', versionId: '1.0.0', type: 'CONTEXT_CONFIG' },
      ...{ groupId: null, value: { cors: [] }, secret: null, secretFrom: null },
    },
    {
      ...{ kind: 'version', id: '1.0.0', revision: 1, at: 1 },
      ...{ subject: 'local', issuer: null, name: 'local', operation: 'putVersion' },
      ...{ versionId: null, type: null, groupId: null, secret: null, secretFrom: null },
      value: { recommended: false, mandatory: false, allowed: true, uris: [] },
    },
  ])
  expect(await db.$count(revisions)).toBe(2)
})
