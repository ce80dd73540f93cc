/** Opens the database that DS_DATABASE names, on Node and Deno. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Driver } from '../db/database.ts'
import type { FileDriver } from '../db/file-driver.ts'
import { createIntegrityCheck, type IntegrityCheck } from '../db/health-check.ts'
import {
  type DatabaseAddress,
  formatDatabaseAddress,
  type PostgresAddress,
} from '../rules/database-address.ts'
import { StartError, withStartError } from './start-error.ts'

export interface OpenDatabase {
  readonly driver: Driver
  /** For people: what is opened, and the setting that names it. Never a password. */
  readonly name: string
  /** Absent with PostgreSQL: its server looks after the files. */
  readonly checkIntegrity?: IntegrityCheck
  close(): Promise<void> | void
}

/** Throws a StartError when it cannot be used. */
export async function openDatabase(
  address: DatabaseAddress,
  openFile: (file: string) => FileDriver,
): Promise<OpenDatabase> {
  const name = nameDatabase(address)
  if (address.kind === 'postgres') {
    const driver = await withStartError(`open ${name}`, () => connect(address.address))
    return { driver, name, close: driver.close }
  }
  const driver = await withStartError(`open ${name}`, () => openFile(resolve(address.file)))
  const { run, read = run, close } = driver
  const damage = await withStartError(`check ${name}`, createIntegrityCheck(run))
  // Later there are others to serve meanwhile.
  if (damage === undefined)
    return { driver, name, checkIntegrity: createIntegrityCheck(read), close }
  throw new StartError(
    `Cannot use ${name}: its file is damaged (${damage}), restore it from a backup`,
  )
}

/** The words for a database in a message. */
export const nameDatabase = (address: DatabaseAddress): string =>
  `the database "${address.kind === 'file' ? resolve(address.file) : formatDatabaseAddress(address)}" (DS_DATABASE)`

/** A driver that has reached the server. */
export async function connect(address: PostgresAddress) {
  // Not needed, and not in memory, with SQLite.
  const { openPostgres } = await import('../db/postgres.ts')
  const file = address.rootCertificateFile
  const driver = openPostgres(address, file && (await readFile(file, 'utf8')))
  await driver.run({ sql: 'select 1', params: [] })
  return driver
}
