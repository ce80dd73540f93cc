/** The campaign with few kills, and each of its invariants with a fault that it has to notice. */
import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { getAmount, isWholeRun } from '../../bed/amounts.ts'
import { readerNames } from '../../bed/pcscd.ts'
import { proves } from '../../bed/proves.ts'
import { createRandom } from '../../bed/random.ts'
import { attempt } from './attempt.ts'
import type { Connectors } from './connectors.ts'
import { killPcscd, killRegistry, killSandboxes } from './kill-connector-parts.ts'
import { checkFailures, killNodes } from './kill-nodes.ts'
import { killService } from './kill-service.ts'
import { createResults, type Invariant } from './results.ts'
import { createTruth, type Reader, type ReaderState } from './truth.ts'

const kills = getAmount('kills of each program under load')

describe('service that is killed under load', () => {
  test('keeps what it acknowledged, counts each batch once, and starts again', async () => {
    proves('service-killed')
    const results = createResults()
    await killService({ kills, random: createRandom(1), results })
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
  if (isWholeRun())
    test.each<[string, readonly Invariant[], (database: string) => void]>([
      ["half of SQLite's log is lost", ['acknowledged-kept'], halveLog],
      ['a batch counts twice', ['counted-once'], change('update counters set count = count + 1')],
      ['a page is overwritten', ['database-whole', 'starts-again'], overwritePage],
    ])('is reported when %s', async (_, broken, breakFiles) => {
      const results = createResults()
      await killService({ kills: 1, random: createRandom(2), results, breakFiles })
      for (const invariant of broken)
        expect(results.violations().join('\n')).toContain(`${invariant}: `)
    })
})

describe('node of several that is killed under load', () => {
  // Otherwise a node that is told to stop, below, and `ds/test/postgres/nodes.test.ts`.
  if (isWholeRun())
    test('takes nothing with it but the requests that it was handling', async () => {
      const results = createResults()
      await killNodes({ kills, random: createRandom(1), results })
      expect(results.violations()).toEqual([])
    })

  test('takes nothing with it when it is told to stop', async () => {
    const results = createResults()
    await killNodes({ kills, random: createRandom(2), results, signal: 'SIGTERM' })
    expect(results.violations()).toEqual([])
  })

  test.each([
    ['before the kill', 100, 199, false],
    ['at the kill', 150, 200, true],
    ['after the kill', 211, 300, false],
  ])('is no reason for a failure %s', (_, from, to, holds) => {
    const results = createResults()
    checkFailures([{ what: 'token', from, to }], [{ from: 200, to: 210 }], results)
    expect(results.violations()).toEqual(
      holds ? [] : ['fails-with-its-node: token failed, and no node ended'],
    )
  })
})

test('a request without an end, and one that fails by itself, are reported', async () => {
  const results = createResults()
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

describe('card service and processes of the connector that are killed under load from pages', () => {
  const targets = { sandbox: killSandboxes, registry: killRegistry, pcscd: killPcscd }
  test.each(Object.entries(targets))(
    'leave no request without an end, and no listing wrong: %s',
    async (_, kill) => {
      proves('processes-killed')
      const results = createResults()
      await kill({ kills, random: createRandom(1), results, connectorCount: 1 })
      expect(results.violations()).toEqual([])
    },
  )

  if (isWholeRun())
    test('are reported when a card that is there is never listed', async () => {
      const results = createResults()
      const breakTruth = ({ truth }: Connectors) => {
        for (const name of readerNames) truth.begin(name, 'card 3B00')()
      }
      const options = { kills: 1, connectorCount: 1, settleMs: 500 }
      await killSandboxes({ ...options, random: createRandom(1), results, breakTruth })
      expect(results.violations().join('\n')).toContain('settles: ')
    })
})

describe('listing', () => {
  const [name, other] = readerNames
  const card = { atr: '3B00' }
  /** A card was inserted from 1000 to 1100 ms, and removed from 5000 to 5100 ms. */
  const createPast = () => {
    let now = 0
    const truth = createTruth(readerNames, () => now)
    const change = (from: number, state: ReaderState) => {
      now = from
      const end = truth.begin(name, state)
      now = from + 100
      end()
    }
    change(1000, 'card 3B00')
    change(5000, 'empty')
    return truth
  }
  const [empty, inserted] = [
    [{ name }, { name: other }],
    [{ name, card }, { name: other }],
  ]
  test.each<[string, readonly Reader[], number, string | undefined]>([
    ['is empty as the card comes', empty, 1050, undefined],
    ['is late by less than two seconds', empty, 3000, undefined],
    ['is late by more', empty, 3200, '"Virtual PCD 00 00" is listed as empty, and is empty'],
    ['has the card before it comes', inserted, 900, 'listed as card 3B00'],
    ['has the card', inserted, 4000, undefined],
    ['has the card two seconds after it has gone', inserted, 7200, 'listed as card 3B00'],
    ['lacks a reader', [{ name, card }], 4000, `"${other}" is listed as absent`],
    ['has a reader twice', [...inserted, { name }], 4000, 'a reader is listed twice'],
    ['has a reader that is none', [...inserted, { name: 'Other' }], 4000, '"Other" is listed'],
  ])('that %s is judged by what was there', (_, listing, at, fault) => {
    const found = createPast().findFault(listing, at, at)
    if (fault === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(fault)
  })
})
