/** The counts of devices on SQLite: they are made from devices that are there, and follow their changes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { openBetterSqlite3 } from '../src/db/better-sqlite3.ts'
import { migrations } from '../src/resources.ts'
import { applyMigrations } from '../src/self-hosted/migrations.ts'
import { createDeviceChanges, readCounts, readFaultCounts } from './harness/counted-devices.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-counts-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const file = () => join(folder, 'ds.sqlite')

test.each([1, 2, 3])('counts say what the devices are after 400 changes, seed %i', async (seed) => {
  proves('counted-devices')
  const driver = openBetterSqlite3(file())
  await applyMigrations(driver)
  let most = 0
  for (const change of createDeviceChanges(seed, 400)) {
    await driver.run(change)
    const { counted, devices } = await readCounts(driver)
    expect(counted).toEqual(devices)
    const faults = await readFaultCounts(driver)
    expect(faults.counted).toEqual(faults.devices)
    most = Math.max(most, counted.length)
  }
  expect(most).toBeGreaterThan(8)
  await driver.run({ sql: 'delete from devices', params: [] })
  expect(await readCounts(driver)).toEqual({ counted: [], devices: [] })
  expect(await readFaultCounts(driver)).toEqual({ counted: [], devices: [] })
  await driver.close()
})

test.each([
  ['counts', 18, readCounts],
  ['counts of faults', 32, readFaultCounts],
  ['counts of faults by who reports them', 36, readFaultCounts],
])('devices that registered before the %s are in them', async (_, earlier, read) => {
  const before = new Sqlite(file())
  const files = readMigrationFiles({ migrationsFolder: fileURLToPath(migrations) })
  for (const sql of files.slice(0, earlier).flatMap((one) => one.sql)) before.exec(sql)
  for (const { sql, params } of createDeviceChanges(4, 200)) before.prepare(sql).run(...params)
  for (const sql of files.slice(earlier).flatMap((one) => one.sql)) before.exec(sql)
  before.close()
  const driver = openBetterSqlite3(file())
  const { counted, devices } = await read(driver)
  expect(counted.length).toBeGreaterThan(5)
  expect(counted).toEqual(devices)
  await driver.close()
})
