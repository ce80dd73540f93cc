/** Copies everything that a SQLite database has into an empty PostgreSQL database, and compares the two. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { openBetterSqlite3 } from '../db/better-sqlite3.ts'
import type { Row } from '../db/database.ts'
import { toPostgresValue } from '../db/dialect.ts'
import type { RunText } from '../db/postgres.ts'
import * as schema from '../db/schema.ts'
import { formatDatabaseAddress, parseDatabaseAddress } from '../rules/database-address.ts'
import { applyMigrations } from '../self-hosted/migrations.ts'
import { connect } from '../self-hosted/open-database.ts'
import { StartError, withStartError } from '../self-hosted/start-error.ts'

/** What was copied of a table. */
export interface CopiedTable {
  readonly name: string
  readonly rows: number
  /** The sum of the SHA-256 of each row, in 256 bits, hex: the same on both sides, whatever the order of the rows. */
  readonly digest: string
}

/** How much is sent or read in one statement at most: a log of a device has 1.4 MB. */
const statementSize = { rows: 500, bytes: 16 * 1024 * 1024 }

interface Table {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

/** Copies all or nothing; throws a StartError when the target has something, or a table differs afterwards. */
export async function copyDatabase(from: string, to: string): Promise<readonly CopiedTable[]> {
  const [source, target] = [parseDatabaseAddress(from), parseDatabaseAddress(to)]
  if (source.kind !== 'file') throw new StartError('Cannot copy: --from must be a SQLite file')
  if (target.kind !== 'postgres')
    throw new StartError('Cannot copy: --to must be postgres://user:password@host/database')
  const file = resolve(source.file)
  if (!existsSync(file)) throw new StartError(`Cannot find the database "${file}"`)
  await withStartError(`migrate "${file}"`, () => migrate(file))
  const name = formatDatabaseAddress(target)
  return withStartError(`copy to "${name}"`, async () => {
    const driver = await connect(target.address)
    const database = new Sqlite(file, { readonly: true })
    try {
      await applyMigrations(driver)
      // One moment of the source, whatever is written meanwhile.
      database.exec('begin')
      return await driver.transaction(async (run) => {
        await requireEmpty(name, run)
        return copyTables(database, run)
      })
    } finally {
      database.close()
      await driver.close()
    }
  })
}

/** To the tables of this version. */
async function migrate(file: string): Promise<void> {
  const driver = openBetterSqlite3(file)
  await applyMigrations(driver)
  driver.close()
}

async function requireEmpty(target: string, run: RunText): Promise<void> {
  for (const { name } of listTables()) {
    const rows = await run(`select 1 from "${name}" limit 1`, [])
    if (rows.length === 0) continue
    throw new StartError(`Cannot copy to "${target}": it is not empty, "${name}" has rows`)
  }
}

async function copyTables(source: Sqlite.Database, run: RunText): Promise<readonly CopiedTable[]> {
  const tables = listTables()
  const copied: CopiedTable[] = []
  for (const table of tables) {
    const rowsPerStatement = countRowsPerStatement(source, table)
    await insertRows(table, { rows: readSource(source, table), rowsPerStatement }, run)
    const [before, after] = [
      await describeRows(table.name, readSource(source, table)),
      await describeRows(table.name, readTarget(table, rowsPerStatement, run)),
    ]
    if (before.rows !== after.rows || before.digest !== after.digest)
      throw new StartError(
        `Cannot copy "${table.name}": the copy differs, with ${after.rows} of ${before.rows} rows`,
      )
    copied.push(after)
  }
  await run("select setval('refusals_id', (select max(id) from refusals))", [])
  return copied
}

/** In an order in which every row finds the one that it refers to. */
function listTables(): readonly Table[] {
  const tables: readonly SQLiteTable[] = Object.values(schema).filter((table) =>
    is(table, SQLiteTable),
  )
  const configs = tables.map(getTableConfig)
  const sorted: (typeof configs)[number][] = []
  const add = (config: (typeof configs)[number]) => {
    if (sorted.includes(config)) return
    for (const { reference } of config.foreignKeys) add(getTableConfigOf(reference().foreignTable))
    sorted.push(config)
  }
  const getTableConfigOf = (table: SQLiteTable) => {
    const found = configs[tables.indexOf(table)]
    if (!found) throw new Error('Cannot find a table that another one refers to')
    return found
  }
  for (const config of configs) add(config)
  return sorted.map(({ name, columns }) => ({
    name,
    columns: columns
      // The database makes the others from them.
      .filter(({ generated }) => generated === undefined)
      .map((column) => ({ name: column.name, type: toType(column.columnType) })),
  }))
}

/** The type of PostgreSQL for a column, by its kind in drizzle. JSON is text. */
const toType = (kind: string): string =>
  kind === 'SQLiteBoolean' ? 'boolean' : kind === 'SQLiteInteger' ? 'bigint' : 'text'

const listColumns = ({ columns }: Table): string =>
  columns.map(({ name }) => `"${name}"`).join(', ')

/** As many as have room when all of them are as large as the largest. */
function countRowsPerStatement(source: Sqlite.Database, table: Table): number {
  const sizes = table.columns.map(({ name }) => `coalesce(octet_length("${name}"), 0)`).join(' + ')
  const largest = source.prepare(`select max(${sizes}) from "${table.name}"`).pluck().get()
  const rows = Math.floor(statementSize.bytes / Math.max(Number(largest), 1))
  return Math.min(Math.max(rows, 1), statementSize.rows)
}

/** In the order in which they were stored, which `rowid` keeps; a table without one has another order. */
function* readSource(source: Sqlite.Database, table: Table): Generator<Row> {
  const find = 'select wr from pragma_table_list where name = ?'
  const isWithoutRowid = source.prepare(find).pluck().get(table.name) === 1
  const rows = source
    .prepare(
      `select ${listColumns(table)} from "${table.name}" ${isWithoutRowid ? '' : 'order by rowid'}`,
    )
    .raw()
    .iterate() as IterableIterator<Row>
  for (const row of rows) yield row.map(toPostgresValue)
}

async function* readTarget(table: Table, rowsPerStatement: number, run: RunText) {
  await run(`declare copied cursor for select ${listColumns(table)} from "${table.name}"`)
  for (;;) {
    const rows = await run(`fetch ${rowsPerStatement} from copied`, [])
    yield* rows
    if (rows.length < rowsPerStatement) break
  }
  await run('close copied')
}

async function insertRows(
  table: Table,
  { rows, rowsPerStatement }: { readonly rows: Iterable<Row>; readonly rowsPerStatement: number },
  run: RunText,
): Promise<void> {
  const parameters = table.columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ')
  const insert = `insert into "${table.name}" (${listColumns(table)}) select * from unnest(${parameters})`
  const send = (part: readonly Row[]) =>
    run(
      insert,
      table.columns.map((_, at) => part.map((row) => row[at])),
    )
  let part: Row[] = []
  for (const row of rows) {
    part.push(row)
    if (part.length < rowsPerStatement) continue
    await send(part)
    part = []
  }
  if (part.length > 0) await send(part)
}

async function describeRows(
  name: string,
  rows: Iterable<Row> | AsyncIterable<Row>,
): Promise<CopiedTable> {
  let sum = 0n
  let count = 0
  for await (const row of rows) {
    const digest = createHash('sha256').update(JSON.stringify(row)).digest('hex')
    sum = BigInt.asUintN(256, sum + BigInt(`0x${digest}`))
    count += 1
  }
  return { name, rows: count, digest: sum.toString(16).padStart(64, '0') }
}
