/** Long reads of the drivers over a file: in a thread of their own, of what is stored. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openBetterSqlite3 } from './better-sqlite3.ts'
import type { Statement } from './database.ts'
import type { FileDriver } from './file-driver.ts'
import { openNodeSqlite } from './node-sqlite.ts'

describe.each([
  { name: 'better-sqlite3', open: openBetterSqlite3 },
  { name: 'node:sqlite', open: openNodeSqlite },
])('$name', ({ open }) => {
  let folder: string
  let driver: FileDriver
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardwire-read-'))
    driver = open(join(folder, 'test.sqlite'))
    await driver.run({ sql: 'create table things (id integer primary key, name text)', params: [] })
  })
  afterEach(async () => {
    await driver.close()
    await rm(folder, { recursive: true, force: true })
  })

  const read = (sql: string, ...params: readonly unknown[]) => driver.read?.({ sql, params })
  const insert = (name: string): Statement => ({
    sql: 'insert into things (name) values (?)',
    params: [name],
  })
  /** Counts for a tenth of a second or more, where a write takes a few milliseconds. */
  const longRead =
    'with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500000) select count(*) from n'

  test('read sees what was stored before', async () => {
    expect(await read('select name from things')).toEqual([])
    await driver.run(insert('one'))
    expect(await read('select name from things where name = ?', 'one')).toEqual([['one']])
  })

  test('read holds up no write, however long it takes', async () => {
    const ended: string[] = []
    const slow = read(longRead)?.then((rows) => ended.push(`read ${rows[0]?.[0]}`))
    await driver.run(insert('one')).then(() => ended.push('run'))
    await driver.batch([insert('two')]).then(() => ended.push('batch'))
    await slow
    expect(ended).toEqual(['run', 'batch', 'read 1500000'])
  })

  test('read rejects with the text of the error, and goes on', async () => {
    await expect(read('select * from nowhere')).rejects.toThrow('no such table: nowhere')
    await expect(read("insert into things (name) values ('x') returning id")).rejects.toThrow(
      'attempt to write a readonly database',
    )
    expect(await read('select 1')).toEqual([[1]])
  })

  test('reads that have not ended are rejected when the database is closed', async () => {
    const slow = read(longRead)
    const closed = driver.close()
    await expect(slow).rejects.toThrow('Cannot read: the thread that reads has ended')
    await closed
    driver = open(join(folder, 'test.sqlite'))
  })

  test('a database that was read and is closed is one file, which has everything', async () => {
    await driver.run(insert('one'))
    expect(await read('select name from things')).toEqual([['one']])
    await driver.close()
    expect(await readdir(folder)).toEqual(['test.sqlite'])
    driver = open(join(folder, 'test.sqlite'))
    expect(await driver.run({ sql: 'select name from things', params: [] })).toEqual([['one']])
  })
})
