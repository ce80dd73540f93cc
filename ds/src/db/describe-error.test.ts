/** What the log says of an error, and that no bound value is in it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { applyMigrations } from '../self-hosted/migrations.ts'
import { openBetterSqlite3 } from './better-sqlite3.ts'
import { createDatabase, type Database } from './database.ts'
import { describeError, formatError } from './describe-error.ts'
import type { FileDriver } from './file-driver.ts'
import { openNodeSqlite } from './node-sqlite.ts'
import { configurations } from './schema.ts'

const word = 'Hunter2-planted'

describe.each([
  { driver: 'better-sqlite3', open: openBetterSqlite3 },
  { driver: 'node:sqlite', open: openNodeSqlite },
])('describeError of a failed statement of $driver', ({ open }) => {
  let folder: string
  let driver: FileDriver
  let db: Database
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardwire-describe-'))
    driver = open(join(folder, 'test.sqlite'))
    await applyMigrations(driver)
    db = createDatabase(driver)
  })
  afterAll(async () => {
    driver.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Fails, because there is no such version. */
  const write = (secret: string) =>
    db.insert(configurations).values({
      id: 'one',
      versionId: '9.9.9',
      type: 'SSL_KEYSTORE',
      config: { uri: `file:///${secret}` },
      secret,
      createdAt: 1,
      updatedAt: 1,
    })

  test.each([
    ['a word', word],
    ['a line that looks like a step of the stack', `first\n    at ${word} (file.ts:1:1)`],
    ['a text with quotes', `'${word}'"`],
    ['a pattern of a replacement', `$& $' ${word}`],
  ])('never shows a bound value: %s', async (_, secret) => {
    proves('secrets-on-stderr')
    const single = await failureOf(write(secret))
    const batch = await failureOf(db.batch([write(secret)]))
    const wrapped = new Error('Cannot store', { cause: single })

    for (const error of [single, batch, wrapped]) {
      expect(JSON.stringify(describeError(error))).not.toContain(word)
      expect(formatError(error)).not.toContain(word)
    }
  })

  test('shows the statement, the constraint and where it happened', async () => {
    proves('secrets-in-log')
    const description = describeError(await failureOf(write(word)))

    expect(description.message).toBe('a statement failed')
    expect(description.statement).toContain('insert into "configurations"')
    expect(description.cause?.message).toContain('FOREIGN KEY constraint failed')
    expect(description.cause?.stack.join()).toContain('/src/db/')
  })

  test('shows the constraint when a batch failed', async () => {
    const description = describeError(await failureOf(db.batch([write(word)])))

    expect(description.message).toContain('FOREIGN KEY constraint failed')
  })
})

describe('describeError', () => {
  test('shows name, message, stack and causes of any error', () => {
    const cause = new RangeError('too far')
    const description = describeError(new TypeError('Cannot continue', { cause }))

    expect(description).toMatchObject({
      name: 'TypeError',
      message: 'Cannot continue',
      cause: { name: 'RangeError', message: 'too far' },
    })
    expect(description).not.toHaveProperty('statement')
    expect(description.stack[0]).toMatch(/^at .*describe-error\.test\.ts/)
  })

  test('shows a thrown value that is no error', () => {
    expect(describeError('gone')).toEqual({ name: 'string', message: 'gone', stack: [] })
  })

  test('shows an error without a stack', () => {
    const error = new Error('bare')
    delete error.stack

    expect(describeError(error)).toEqual({ name: 'Error', message: 'bare', stack: [] })
  })
})

async function failureOf(write: PromiseLike<unknown>): Promise<unknown> {
  return write.then(
    () => undefined,
    (error: unknown) => error,
  )
}
