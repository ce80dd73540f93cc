/** What every driver over a file keeps to, and the database above it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asc, eq } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openBetterSqlite3 } from './better-sqlite3.ts'
import { createDatabase, type Database } from './database.ts'
import type { FileDriver } from './file-driver.ts'
import { openNodeSqlite } from './node-sqlite.ts'

const shops = sqliteTable('shops', { id: text().primaryKey(), name: text().notNull() })
const tills = sqliteTable('tills', {
  id: integer().primaryKey(),
  shop: text()
    .notNull()
    .references(() => shops.id),
  open: integer({ mode: 'boolean' }),
  settings: text({ mode: 'json' }).$type<{ readonly size: number }>(),
})

const drivers = [
  { name: 'better-sqlite3', open: openBetterSqlite3 },
  { name: 'node:sqlite', open: openNodeSqlite },
]

let folder: string
let driver: FileDriver
let db: Database
const run = (sql: string, ...params: unknown[]) => driver.run({ sql, params })

/** Gives each test a new file with two shops. */
function useShops(open: (file: string) => FileDriver): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardwire-database-'))
    driver = open(join(folder, 'test.sqlite'))
    db = createDatabase(driver)
    await run('create table shops (id text primary key not null, name text not null)')
    await run(
      'create table tills (id integer primary key, shop text not null references shops (id), open integer, settings text)',
    )
    await run("insert into shops values ('a', 'Acme'), ('b', 'Bolt')")
  })
  afterEach(async () => {
    driver.close()
    await rm(folder, { recursive: true, force: true })
  })
}

describe.each(drivers)('run of $name', ({ open }) => {
  useShops(open)

  test('returns rows as arrays, in the order of the columns in the query', async () => {
    expect(await run('select name, id from shops order by id')).toEqual([
      ['Acme', 'a'],
      ['Bolt', 'b'],
    ])
  })

  test('keeps columns of one name apart', async () => {
    expect(await run('select 1 as id, 2 as id')).toEqual([[1, 2]])
  })

  test.each([
    ['a select that finds nothing', 'select * from shops where 0'],
    ['an insert', "insert into shops values ('c', 'Coop')"],
    ['an update', "update shops set name = 'x'"],
    ['a statement that makes a table', 'create table other (id text)'],
  ])('returns no rows for %s', async (_, sql) => {
    expect(await run(sql)).toEqual([])
  })

  test('returns the rows of a write', async () => {
    expect(await run("insert into shops values ('c', 'Coop') returning name, id")).toEqual([
      ['Coop', 'c'],
    ])
  })

  test('stores null, numbers, text and bytes', async () => {
    const rows = await run('select ?, ?, ?, hex(?)', null, 1.5, "it's", Uint8Array.of(1, 255))

    expect(rows).toEqual([[null, 1.5, "it's", '01FF']])
  })

  test('stores milliseconds since 1970 exactly', async () => {
    expect(await run('select ?', 1_790_000_000_123)).toEqual([[1_790_000_000_123]])
  })

  test('runs one statement again with other values', async () => {
    expect(await run('select name from shops where id = ?', 'a')).toEqual([['Acme']])
    expect(await run('select name from shops where id = ?', 'b')).toEqual([['Bolt']])
  })

  test('runs more different statements than it caches', async () => {
    for (let at = 0; at < 600; at++) await run(`select ${at}`)

    expect(await run('select 599')).toEqual([[599]])
  })

  test('works after a statement that failed', async () => {
    const insert = 'insert into shops values (?, ?)'
    await expect(run(insert, 'a', 'Again')).rejects.toThrow('UNIQUE constraint failed: shops.id')
    await run(insert, 'c', 'Coop')

    expect(await run('select count(*) from shops')).toEqual([[3]])
  })

  test('refuses a reference to nothing', async () => {
    await expect(run('insert into tills (shop) values (?)', 'nowhere')).rejects.toThrow(
      'FOREIGN KEY constraint failed',
    )
  })
})

describe.each(drivers)('the file of $name', ({ open }) => {
  useShops(open)

  test.each([
    ['foreign_keys', 1],
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['busy_timeout', 5000],
  ])('opens the file with %s = %s', async (pragma, value) => {
    expect(await run(`pragma ${pragma}`)).toEqual([[value]])
  })

  test('stores statements of one moment in their order, and rejects only those that fail', async () => {
    const insert = (id: string) => ({
      sql: 'insert into shops values (?, ?) returning id',
      params: [id, id],
    })
    const both = [insert('d'), insert('a')]
    const results = await Promise.allSettled([
      driver.run(insert('c')),
      driver.run(insert('c')),
      driver.batch(both),
      driver.batch([insert('e'), insert('f')]),
      run('select count(*) from shops'),
      run("update shops set name = 'late' where id = 'c'"),
    ])
    expect(results.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
    ])
    expect(await run('select id, name from shops order by id')).toEqual([
      ...[
        ['a', 'Acme'],
        ['b', 'Bolt'],
        ['c', 'late'],
        ['e', 'e'],
        ['f', 'f'],
      ],
    ])
  })

  test('has stored a write when its promise resolves, for another connection too', async () => {
    const other = open(join(folder, 'test.sqlite'))
    await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        await run('insert into shops values (?, ?)', `shop ${at}`, '')
        const sql = 'select count(*) from shops where id = ?'
        expect(await other.run({ sql, params: [`shop ${at}`] })).toEqual([[1]])
      }),
    )
    other.close()
  })

  test('stores pending writes before it is closed', async () => {
    const written = run("insert into shops values ('z', 'Last')")
    driver.close()
    await written
    driver = open(join(folder, 'test.sqlite'))
    expect(await run("select name from shops where id = 'z'")).toEqual([['Last']])
  })

  test('shows another connection a write whose promise has resolved', async () => {
    await run("insert into shops values ('c', 'Coop')")
    const other = open(join(folder, 'test.sqlite'))
    const rows = await other.run({ sql: 'select count(*) from shops', params: [] })
    other.close()

    expect(rows).toEqual([[3]])
  })
})

describe.each(drivers)('batch of $name', ({ open }) => {
  useShops(open)
  const insert = (id: string) => ({ sql: 'insert into shops values (?, ?)', params: [id, id] })
  const all = { sql: 'select id from shops order by id', params: [] }

  test('returns the rows of each statement', async () => {
    expect(await driver.batch([insert('c'), all])).toEqual([[], [['a'], ['b'], ['c']]])
  })

  test('does nothing when its last statement fails', async () => {
    await expect(driver.batch([insert('c'), insert('d'), insert('a')])).rejects.toThrow('UNIQUE')

    expect(await driver.run(all)).toEqual([['a'], ['b']])
  })

  test('does nothing when a statement cannot be read', async () => {
    await expect(
      driver.batch([insert('c'), { sql: 'insert into nothing', params: [] }]),
    ).rejects.toThrow()

    expect(await driver.run(all)).toEqual([['a'], ['b']])
  })

  test('keeps the other writes of the same moment when it fails', async () => {
    const outcomes = await Promise.allSettled([
      driver.run(insert('c')),
      driver.batch([insert('x'), insert('a')]),
      driver.run(insert('d')),
      driver.batch([insert('e'), insert('f')]),
      driver.batch([insert('y'), insert('a')]),
      driver.run(insert('g')),
    ])

    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      false,
      true,
      true,
      false,
      true,
    ])
    expect((await driver.run(all)).flat()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  })

  test('works after one that failed', async () => {
    await expect(driver.batch([insert('a')])).rejects.toThrow()
    await driver.batch([insert('c')])

    expect(await driver.run(all)).toEqual([['a'], ['b'], ['c']])
  })
})

describe.each(drivers)('createDatabase over $name', ({ open }) => {
  useShops(open)

  test('returns what was stored, in the types of the columns', async () => {
    const row = { id: 1, shop: 'a', open: true, settings: { size: 3 } }
    const made = await db.insert(tills).values(row).returning()

    expect(made).toEqual([row])
    expect(await db.select().from(tills)).toEqual([row])
  })

  test('joins tables whose columns have the same name', async () => {
    await db.insert(tills).values({ id: 1, shop: 'b' })
    const rows = await db.select().from(tills).innerJoin(shops, eq(tills.shop, shops.id))

    expect(rows).toEqual([
      {
        tills: { id: 1, shop: 'b', open: null, settings: null },
        shops: { id: 'b', name: 'Bolt' },
      },
    ])
  })

  test('counts', async () => {
    expect(await db.$count(shops)).toBe(2)
    expect(await db.$count(shops, eq(shops.id, 'a'))).toBe(1)
  })

  test('returns one row, or undefined', async () => {
    const one = (id: string) => db.select().from(shops).where(eq(shops.id, id)).get()

    expect(await one('a')).toEqual({ id: 'a', name: 'Acme' })
    expect(await one('nowhere')).toBeUndefined()
  })

  test('returns the rows of each query of a batch', async () => {
    const results = await db.batch([
      db.insert(shops).values({ id: 'c', name: 'Coop' }).returning({ id: shops.id }),
      db.update(shops).set({ name: 'Acme AG' }).where(eq(shops.id, 'a')),
      db.select({ name: shops.name }).from(shops).orderBy(asc(shops.id)),
    ])

    expect(results[0]).toEqual([{ id: 'c' }])
    expect(results[2]).toEqual([{ name: 'Acme AG' }, { name: 'Bolt' }, { name: 'Coop' }])
  })

  test('stores nothing of a batch that fails', async () => {
    const batch = db.batch([
      db.delete(shops).where(eq(shops.id, 'b')),
      db.insert(shops).values({ id: 'a', name: 'Again' }),
    ])
    await expect(batch).rejects.toThrow('UNIQUE')

    expect(await db.$count(shops)).toBe(2)
  })
})
