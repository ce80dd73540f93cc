/** Constraints are read from the errors that real drivers throw, single and in batches. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyMigrations } from '../self-hosted/migrations.ts'
import { openBetterSqlite3 } from './better-sqlite3.ts'
import { type ConstraintViolation, findViolation, mapConstraintError } from './constraint-error.ts'
import { createDatabase, type Database } from './database.ts'
import type { FileDriver } from './file-driver.ts'
import { openNodeSqlite } from './node-sqlite.ts'
import { consumers, labels, organizations, signingKeys, versions } from './schema.ts'

const times = { createdAt: 1, updatedAt: 1 }
const version = {
  id: '1.0.0',
  precedence: '1.0.0',
  recommended: false,
  mandatory: false,
  allowed: true,
  uris: [],
  revision: 1,
  ...times,
}
const signingKey = {
  id: 'one',
  use: 'application' as const,
  sequence: 1,
  algorithm: 'ES256' as const,
  publicKey: {},
  privateKey: '',
  signsFrom: 1,
  createdAt: 1,
}
const label = { id: 'till', name: 'Till', orgId: 'acme', ...times }

const unique = (table: string, ...columns: string[]): ConstraintViolation => ({
  kind: 'unique',
  table,
  columns,
})

const refused = [
  {
    why: 'a primary key',
    write: (db: Database) => db.insert(organizations).values({ id: 'acme', name: 'A', ...times }),
    expected: unique('organizations', 'id'),
  },
  {
    why: 'a primary key of two columns',
    write: (db: Database) =>
      db.insert(consumers).values({ kind: 'application', id: 'till', createdAt: 2 }),
    expected: unique('consumers', 'kind', 'id'),
  },
  {
    why: 'a unique column',
    write: (db: Database) => db.insert(versions).values({ ...version, id: '1.0.0+b' }),
    expected: unique('versions', 'precedence'),
  },
  {
    why: 'two columns that are unique together',
    write: (db: Database) => db.insert(signingKeys).values({ ...signingKey, id: 'two' }),
    expected: unique('signing_keys', 'use', 'sequence'),
  },
  {
    why: 'a reference to nothing',
    write: (db: Database) => db.insert(labels).values({ ...label, id: 'x', orgId: 'nobody' }),
    expected: { kind: 'reference' },
  },
  {
    why: 'a reference to what is deleted',
    write: (db: Database) => db.delete(organizations),
    expected: { kind: 'reference' },
  },
  {
    why: 'a unique column, for a value that reads like another refusal',
    write: (db: Database) =>
      db.insert(labels).values({
        ...label,
        name: 'FOREIGN KEY constraint failed, UNIQUE constraint failed: versions.id',
      }),
    expected: unique('labels', 'id'),
  },
]

describe.each([
  { driver: 'better-sqlite3', open: openBetterSqlite3 },
  { driver: 'node:sqlite', open: openNodeSqlite },
])('findViolation with $driver', ({ open }) => {
  let folder: string
  let driver: FileDriver
  let db: Database
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardwire-violation-'))
    driver = open(join(folder, 'test.sqlite'))
    await applyMigrations(driver)
    db = createDatabase(driver)
    await db.insert(organizations).values({ id: 'acme', name: 'Acme', ...times })
    await db.insert(labels).values(label)
    await db.insert(consumers).values({ kind: 'application', id: 'till', createdAt: 1 })
    await db.insert(versions).values(version)
    await db.insert(signingKeys).values(signingKey)
  })
  afterAll(async () => {
    driver.close()
    await rm(folder, { recursive: true, force: true })
  })

  test.each(refused)('names $why, for a single statement', async ({ write, expected }) => {
    expect(findViolation(await failureOf(write(db)))).toEqual(expected)
  })

  test.each(refused)('names $why, for a batch', async ({ write, expected }) => {
    const harmless = db.update(organizations).set({ name: 'Acme' })

    expect(findViolation(await failureOf(db.batch([harmless, write(db)])))).toEqual(expected)
  })

  test('is undefined for a column that may not be null', async () => {
    const write = driver.run({ sql: 'insert into organizations (id) values (?)', params: ['x'] })

    expect(findViolation(await failureOf(write))).toBeUndefined()
  })

  test('is undefined for a failure of another kind whose values read like a refusal', async () => {
    const write = db.insert(organizations).values({
      id: 'x',
      name: 'UNIQUE constraint failed: labels.id',
      createdAt: Number.NaN,
      updatedAt: 1,
    })

    expect(findViolation(await failureOf(write))).toBeUndefined()
  })
})

describe('findViolation', () => {
  test.each([
    {
      text: 'D1_ERROR: UNIQUE constraint failed: a.id: SQLITE_CONSTRAINT',
      expected: unique('a', 'id'),
    },
    {
      text: 'D1_ERROR: UNIQUE constraint failed: a.kind, a.id: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_UNIQUE)',
      expected: unique('a', 'kind', 'id'),
    },
    {
      text: 'D1_ERROR: FOREIGN KEY constraint failed: SQLITE_CONSTRAINT',
      expected: { kind: 'reference' },
    },
    { text: 'D1_ERROR: no such table: a: SQLITE_ERROR', expected: undefined },
  ])('reads the text $text', ({ text, expected }) => {
    expect(findViolation(new Error(text))).toEqual(expected)
    expect(findViolation(new Error('failed', { cause: new Error(text) }))).toEqual(expected)
  })

  test.each([
    undefined,
    null,
    'UNIQUE constraint failed: a.id',
    { message: 'UNIQUE constraint failed: a.id' },
  ])('is undefined for %j, which is no error', (thrown) => {
    expect(findViolation(thrown)).toBeUndefined()
  })
})

describe('mapConstraintError', () => {
  const taken = new Error('UNIQUE constraint failed: labels.id')
  const refusal = new Error('the label is taken')

  test('returns the result of the write', async () => {
    expect(await mapConstraintError(Promise.resolve(7), () => refusal)).toBe(7)
  })

  test('throws the mapped error instead, which may be a promise', async () => {
    await expect(mapConstraintError(Promise.reject(taken), async () => refusal)).rejects.toBe(
      refusal,
    )
  })

  test('passes the violated constraint to the mapping', async () => {
    const write = mapConstraintError(Promise.reject(taken), ({ kind }) => new Error(kind))

    await expect(write).rejects.toThrow('unique')
  })

  test('throws the error itself when the mapping returns none', async () => {
    await expect(mapConstraintError(Promise.reject(taken), () => undefined)).rejects.toBe(taken)
  })

  test('throws any other error without the mapping', async () => {
    const other = new Error('disk I/O error')

    await expect(mapConstraintError(Promise.reject(other), () => refusal)).rejects.toBe(other)
  })
})

async function failureOf(write: PromiseLike<unknown>): Promise<unknown> {
  return write.then(
    () => undefined,
    (error: unknown) => error,
  )
}
