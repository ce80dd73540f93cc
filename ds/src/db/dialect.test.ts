/** Statements for SQLite as PostgreSQL reads them. */
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createDatabase } from './database.ts'
import { toPostgresText, toPostgresValue } from './dialect.ts'
import { quotas } from './schema.ts'

test.each([
  ['select ?, ? where ? > 1', 'select $1, $2 where $3 > 1'],
  [`select '?', "a?b", ? from t`, `select '?', "a?b", $1 from t`],
  ["select 'it''s ?', ?", "select 'it''s ?', $1"],
  [
    'insert into "t" values (?) on conflict ("t"."a", "t"."b") do nothing',
    'insert into "t" values ($1) on conflict ("a", "b") do nothing',
  ],
])('toPostgresText numbers the parameters of %s', (text, expected) => {
  expect(toPostgresText(text)).toBe(expected)
})

test('toPostgresText reads a conflict as drizzle writes it', () => {
  const db = createDatabase({ run: async () => [], batch: async () => [] })
  const { sql: text } = db
    .insert(quotas)
    .values({ subject: 'a', day: 1, used: 1 })
    .onConflictDoUpdate({
      target: [quotas.subject, quotas.day],
      set: { used: sql`${quotas.used} + 1` },
    })
    .toSQL()

  expect(toPostgresText(text)).toBe(
    'insert into "quotas" ("subject", "day", "used") values ($1, $2, $3)' +
      ' on conflict ("subject", "day") do update set "used" = "quotas"."used" + 1',
  )
})

test.each([
  ['a\0b\0', 'a\ufffdb\ufffd'],
  ['a', 'a'],
  [1, 1],
  [null, null],
])('toPostgresValue makes of %j what PostgreSQL can store', (value, expected) => {
  proves('postgres-text')
  expect(toPostgresValue(value)).toBe(expected)
})
