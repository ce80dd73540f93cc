/** The campaign with few kills, and each of its invariants with a fault that it has to notice. */
import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { createRandom } from '../../simulation/random.ts'
import { attempt } from './attempt.ts'
import { killService } from './kill-service.ts'
import { createResults, type Invariant } from './results.ts'

describe('service that is killed under load', () => {
  test('keeps what it acknowledged, counts each batch once, and starts again', async () => {
    const results = createResults('ds')
    await killService({ kills: 3, random: createRandom(1), results })
    expect(results.violations()).toEqual([])
  })

  const change = (sql: string) => (database: string) => {
    const connection = new DatabaseSync(database)
    connection.exec(sql)
    connection.close()
  }
  const halveLog = (database: string) =>
    truncateSync(`${database}-wal`, statSync(`${database}-wal`).size / 2)
  const overwritePage = (database: string) => {
    change('pragma wal_checkpoint(truncate)')(database)
    const file = openSync(database, 'r+')
    const half = Math.floor(statSync(database).size / 8192) * 4096
    writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, half)
    closeSync(file)
  }
  test.each<[string, readonly Invariant[], (database: string) => void]>([
    ["half of SQLite's log is lost", ['acknowledged-kept'], halveLog],
    [
      'a name was never sent',
      ['acknowledged-kept'],
      change("update organizations set name = '9999'"),
    ],
    ['a batch counts twice', ['counted-once'], change('update counters set count = count + 1')],
    ['a page is overwritten', ['database-whole', 'starts-again'], overwritePage],
  ])('is reported when %s', async (_, broken, breakFiles) => {
    const results = createResults('ds')
    await killService({ kills: 1, random: createRandom(2), results, breakFiles })
    for (const invariant of broken)
      expect(results.violations().join('\n')).toContain(`${invariant}: `)
  })
})

test('a request without an end, and one that fails by itself, are reported', async () => {
  const results = createResults('requests')
  const { promise } = Promise.withResolvers<never>()
  await attempt(results, 'silent', 10, () => promise)
  await attempt(results, 'broken', 1000, async () => {
    throw new Error('Cannot parse the reply')
  })
  await attempt(results, 'refused', 1000, () => fetch('http://127.0.0.1:9'))
  expect(results.violations()).toEqual([
    'answered-in-time: silent has no end after 10 ms',
    'no-defect: broken: Cannot parse the reply',
  ])
})
