/** The driver of PostgreSQL keeps to what those of SQLite do, and to what several nodes need. */
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { proves } from '../../../test/bed/proves.ts'
import { openPostgres, type PostgresDriver } from '../../src/db/postgres.ts'
import { findStorageFault } from '../../src/db/storage-fault.ts'
import { parseDatabaseAddress } from '../../src/rules/database-address.ts'
import { applyMigrations } from '../../src/self-hosted/migrations.ts'

let server: PostgresServer
let address: string
let driver: PostgresDriver
const run = (sql: string, ...params: unknown[]) => driver.run({ sql, params })

const open = (text: string): PostgresDriver => {
  const parsed = parseDatabaseAddress(text)
  if (parsed.kind === 'file') throw new Error(`${text} is a file`)
  return openPostgres(parsed.address)
}

beforeAll(async () => {
  server = await startPostgres()
  address = await server.createDatabase()
  driver = open(address)
  await applyMigrations(driver)
})
afterAll(async () => {
  await driver?.close()
  await server?.remove()
})

describe('a statement', () => {
  test('finds a connection while lists of administrators have all of theirs', async () => {
    proves('postgres-long-lists')
    const { read = driver.run } = driver
    const list = { sql: 'select 1 from quotas', params: [] }
    const lists = await driver.transaction(async (inTransaction) => {
      await inTransaction('lock table quotas in access exclusive mode')
      const waiting = Array.from({ length: 10 }, () => read(list).catch(() => []))
      expect(await run("select 'first'")).toEqual([['first']])
      return waiting
    })
    await Promise.all(lists)
  })

  test('returns rows as arrays, in the order of the columns in the query', async () => {
    expect(await run('select 1 as id, 2 as id, ? as name', 'x')).toEqual([[1, 2, 'x']])
  })

  test('returns no rows for a write', async () => {
    expect(await run("insert into quotas values ('nothing', 1, 1)")).toEqual([])
  })

  test('stores null, times, text and truth as drizzle reads them', async () => {
    const rows = await run(
      'select ?, ?::bigint, ?, ?::boolean, true, sum(n) from (values (1::bigint), (2)) as t(n)',
      ...[null, 1_790_000_000_123, "it's", 1],
    )

    expect(rows).toEqual([[null, 1_790_000_000_123, "it's", 1, 1, 3]])
  })

  test('runs more different statements than it caches', async () => {
    for (let at = 0; at < 600; at++) await run(`select ${at}`)

    expect(await run('select 599')).toEqual([[599]])
  })

  test('that fails leaves the connection usable, and its error has no value of it', async () => {
    await expect(run('select ?::bigint', 'a secret')).rejects.toThrow(
      /^a value does not fit \(22P02\)$/,
    )
    await expect(run('select nothing')).rejects.toThrow(/\(42703\)$/)
    for (let at = 0; at < 12; at++) expect(await run('select 1')).toEqual([[1]])
  })
})

describe('a batch', () => {
  beforeEach(() => run('delete from quotas'))
  const insert = (subject: string) => ({
    sql: 'insert into quotas values (?, 1, 1) returning subject',
    params: [subject],
  })

  test('returns the rows of each statement', async () => {
    const count = { sql: 'select count(*) from quotas', params: [] }
    expect(await driver.batch([insert('a'), count, insert('b')])).toEqual([[['a']], [[1]], [['b']]])
  })

  test('stores nothing when a statement fails, and rejects with the error of that one', async () => {
    await expect(driver.batch([insert('a'), insert('a'), insert('b')])).rejects.toThrow(
      'duplicate key value violates unique constraint "quotas_pkey" (23505)',
    )
    expect(await run('select count(*) from quotas')).toEqual([[0]])
  })

  test('that meets another one in a deadlock is tried again', async () => {
    await driver.batch([insert('a'), insert('b')])
    const add = (subject: string) => ({
      sql: 'update quotas set used = used + 1 where subject = ?',
      params: [subject],
    })
    const barrier = { sql: 'select pg_advisory_xact_lock_shared(1)', params: [] }
    const batches = await driver.transaction(async (inTransaction) => {
      await inTransaction('select pg_advisory_xact_lock(1)')
      const waiting = [
        driver.batch([add('a'), barrier, add('b')]),
        driver.batch([add('b'), barrier, add('a')]),
      ]
      // Each has the row that the other one wants next.
      await expect
        .poll(() =>
          run("select count(*) from pg_locks where locktype = 'advisory' and not granted"),
        )
        .toEqual([[2]])
      return waiting
    })
    await Promise.all(batches)
    expect(await run('select used from quotas')).toEqual([[3], [3]])
  })

  test('with an entry of the audit waits for the others that have one', async () => {
    const isFirst = { sql: 'select count(*) from quotas', params: [] }
    const entry = {
      sql: `insert into "audit" (sequence, at, subject, name, operation, kind, id, fields)
        values (null, 0, '', '', 'test', 'label', 'x', '')`,
      params: [],
    }
    const batch = (subject: string) =>
      driver.batch([isFirst, { sql: 'select pg_sleep(0.02)', params: [] }, insert(subject), entry])
    const results = await Promise.all(Array.from({ length: 8 }, (_, at) => batch(`s${at}`)))

    const counts = results.map(([rows]) => rows?.[0]?.[0])
    expect(counts.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    const numbers = await run('select sequence from audit order by sequence')
    expect(numbers.flat()).toEqual(numbers.map((_, at) => at + 1))
  })
})

describe('the audit', () => {
  test.each(['update audit set fields = ?', 'delete from audit where fields <> ?'])(
    'refuses: %s',
    async (sql) => {
      await expect(run(sql, 'x')).rejects.toThrow('an entry of the audit: it only grows (P0001)')
    },
  )

  test('refuses to be emptied', async () => {
    await expect(run('truncate audit')).rejects.toThrow('an entry of the audit: it only grows')
    await expect(run('truncate audit cascade')).rejects.toThrow('it only grows')
  })
})

describe('a database that cannot be used', () => {
  const failure = async (text: string) => {
    const other = open(text)
    const error = await other
      .run({ sql: 'select 1', params: [] })
      .catch((reason: unknown) => reason)
    await other.close()
    return error as Error
  }

  test.each([
    ['nobody listens', () => address.replace(/:\d+\//, ':1/'), 'the database cannot be reached'],
    [
      'another password',
      () => address.replace(server.password, 'another-password'),
      'the database refuses the login of the service',
    ],
    ['another name', () => `${address}_gone`, 'the database refuses the login of the service'],
  ])('%s: the error says so, without the password', async (_, text, fault) => {
    proves('database-password-logged')
    const error = await failure(text())

    expect(findStorageFault(error)).toBe(fault)
    expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/-password/)
  })

  test('the connections that the server ended are replaced', async () => {
    proves('postgres-outage')
    const admin = new pg.Client(address)
    await admin.connect()
    const end = () =>
      admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cardwire-ds'",
      )
    const slow = run('select pg_sleep(30)').catch((reason: unknown) => reason)
    await expect
      .poll(
        async () =>
          (
            await admin.query(
              "select 1 from pg_stat_activity where query like '%pg_sleep(30)%' and pid <> pg_backend_pid()",
            )
          ).rowCount,
      )
      .toBe(1)
    await end()

    expect(findStorageFault(await slow)).toBe('the database cannot be reached')
    await expect.poll(() => run('select 1').catch(String)).toEqual([[1]])
    await admin.end()
  })

  test('a transaction has no limit of time, whatever limits the database has', async () => {
    const other = await server.createDatabase()
    const name = new URL(other).pathname.slice(1)
    for (const limit of ['statement_timeout', 'idle_in_transaction_session_timeout'])
      await run(`alter database ${name} set ${limit} = '100ms'`)
    const limited = open(other)
    const rows = limited.transaction(async (inTransaction) => {
      // The rest of the transaction waits longer than the limits are.
      await inTransaction('select pg_sleep(0.3)', [])
      await run('select pg_sleep(0.3)')
      return inTransaction("select 'done'", [])
    })
    await expect(rows).resolves.toEqual([['done']])
    await limited.close()
  })

  test('a server that takes no more writes is left for the one that does', async () => {
    proves('postgres-outage')
    const other = await server.createDatabase()
    const moving = open(other)
    const write = () => moving.run({ sql: 'create table if not exists written ()', params: [] })
    await write()
    const admin = new pg.Client(address)
    await admin.connect()
    await admin.query('set default_transaction_read_only = off')
    // Connections that are open stay read-only, as those to a server that has become a standby; new ones write.
    await admin.query('alter system set default_transaction_read_only = on')
    await admin.query('select pg_reload_conf()')
    await expect.poll(() => write().catch(findStorageFault)).toBe('the database is read-only')
    const name = new URL(other).pathname.slice(1)
    await admin.query(`alter database ${name} set default_transaction_read_only = off`)

    await expect.poll(() => write().catch(findStorageFault)).toEqual([])
    await admin.query('alter system reset default_transaction_read_only')
    await admin.query('select pg_reload_conf()')
    await admin.end()
    await moving.close()
  })
})
