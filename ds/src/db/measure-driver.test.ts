/** What the metrics learn of a database: each statement's time, and the failures that are the database's. */
import { expect, test } from 'vitest'
import { measureDriver } from './measure-driver.ts'

const statement = { sql: 'select 1', params: [] }

function measure(error?: Error) {
  const act = async () => {
    if (error) throw error
    return []
  }
  const seen: unknown[] = []
  const driver = measureDriver(
    { run: act, batch: act, read: act },
    {
      observeDatabase: (seconds) => seen.push(['time', seconds >= 0]),
      countStorageFault: (kind) => seen.push(kind),
    },
  )
  return { driver, seen }
}

test('a statement and a batch are timed, and a read of any length is not', async () => {
  const { driver, seen } = measure()
  await driver.run(statement)
  await driver.batch([statement, statement])
  await driver.read?.(statement)
  expect(seen).toEqual([
    ['time', true],
    ['time', true],
  ])
})

test.each([
  ['database or disk is full', 'full'],
  ['EROFS: read-only file system', 'read-only'],
  ['database disk image is malformed', 'damaged'],
  ['database is locked', 'busy'],
  ['unable to open database file', 'unreachable'],
])('a failure by "%s" is counted as %s', async (message, kind) => {
  const { driver, seen } = measure(new Error(message))
  await expect(driver.run(statement)).rejects.toThrow(message)
  await expect(driver.read?.(statement)).rejects.toThrow(message)
  expect(seen).toEqual([kind, ['time', true], kind])
})

test('a violated constraint is no fault of the database', async () => {
  const { driver, seen } = measure(new Error('UNIQUE constraint failed: devices.id'))
  await expect(driver.run(statement)).rejects.toThrow('UNIQUE')
  expect(seen).toEqual([['time', true]])
})
