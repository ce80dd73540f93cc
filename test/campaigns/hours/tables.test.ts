/** The tables of the service that the campaign knows. */
import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../bed/repository.ts'
import { hasRule, listTables } from './tables.ts'

test('each table of the migrations has a rule for its rows', () => {
  const database = new Database()
  const folder = join(root, 'drizzle')
  for (const name of readdirSync(folder)
    .filter((each) => each.endsWith('.sql'))
    .toSorted())
    database.exec(readFileSync(join(folder, name), 'utf8'))
  const tables = listTables(database)
  database.close()
  expect(tables.length).toBeGreaterThan(25)
  expect(tables.filter((table) => !hasRule(table))).toEqual([])
})
