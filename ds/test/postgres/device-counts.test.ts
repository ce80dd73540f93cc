/** The counts of devices on PostgreSQL: they follow changes on several connections at once, and merge their rows. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { proves } from '../../../test/bed/proves.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { parseDatabaseAddress } from '../../src/rules/database-address.ts'
import { applyMigrations } from '../../src/self-hosted/migrations.ts'
import { createDeviceChanges, readCounts, readFaultCounts } from '../harness/counted-devices.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server?.remove())

async function open() {
  const address = parseDatabaseAddress(await server.createDatabase())
  if (address.kind === 'file') throw new Error('Cannot open a file')
  const driver = openPostgres(address.address)
  await applyMigrations(driver)
  return driver
}

test('counts say what the devices are after 4,800 changes on eight connections, one of them in transactions', async () => {
  proves('counted-devices')
  const driver = await open()
  const clients = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  await Promise.all([
    ...clients.map(async (owner, at) => {
      for (const change of createDeviceChanges(at, 600, owner)) await driver.run(change)
    }),
    (async () => {
      const changes = createDeviceChanges(8, 600, 'h')
      for (let at = 0; at < changes.length; at += 50) await driver.batch(changes.slice(at, at + 50))
    })(),
  ])
  const { counted, devices } = await readCounts(driver)
  expect(counted.length).toBeGreaterThan(8)
  expect(counted).toEqual(devices)
  const faults = await readFaultCounts(driver)
  expect(faults.counted.length).toBeGreaterThan(8)
  expect(faults.counted).toEqual(faults.devices)
  for (const [table, most] of [
    ['device_count_changes', 2500],
    ['device_fault_changes', 3500],
  ] as const) {
    const [[rows]] = (await driver.run({ sql: `select count(*) from ${table}`, params: [] })) as [
      [string],
    ]
    expect(Number(rows)).toBeLessThan(most)
  }
  await driver.close()
})

test('a transaction that is rolled back takes its counts with it', async () => {
  const driver = await open()
  const [first, ...changes] = createDeviceChanges(9, 1200)
  if (!first) throw new Error('Cannot begin: there are no changes')
  for (const change of changes.slice(0, 100)) await driver.run(change)
  const before = await readCounts(driver)
  const failing = { sql: 'select 1 / 0', params: [] }
  await expect(driver.batch([...changes, failing])).rejects.toThrow('22012')
  expect(await readCounts(driver)).toEqual(before)
  expect(before.counted).toEqual(before.devices)
  await driver.close()
})
