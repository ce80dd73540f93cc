/** Counters over a real state database: uses, batches and lists. */
import type { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CounterBatch, SyncRequest } from '@cardwire/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Counters, openCounters, type Use } from '../../src/api/counters/counters.ts'
import { openStateDatabase } from '../../src/system/state/database.ts'

let runtime: string
let database: Database
let counters: Counters
let now = Date.UTC(2026, 10, 21, 23, 59)

const open = () => {
  database = openStateDatabase(runtime, { error: () => undefined })
  counters = openCounters(database, () => now)
}
beforeEach(() => {
  runtime = mkdtempSync(join(tmpdir(), 'cardwire-counters-'))
  now = Date.UTC(2026, 10, 21, 23, 59)
  open()
})
afterEach(() => {
  database.close()
  rmSync(runtime, { recursive: true, force: true })
})

const use = (change: Partial<Use> = {}): Use => ({
  label: 'shop',
  module: 'eid',
  useCase: 'signature',
  tag: undefined,
  ...change,
})
const add = (times: number, change?: Partial<Use>) => {
  for (let n = 0; n < times; n += 1) counters.add(use(change))
}
/** Fills the table quickly: distinct tags on a day long ago. */
const fill = (rows: number, label = 'crowd') =>
  database.run(
    `INSERT INTO counts WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     SELECT ?, 'eid', 'signature', printf('%064d', i), '2026-11-01', 1 FROM n`,
    [rows, label],
  )

test('uses are added up by label, module, use case, tag and day', () => {
  add(2)
  add(1, { tag: 'till 4' })
  add(1, { useCase: 'authentication' })
  add(1, { label: 'bank' })
  add(1, { module: 'wallet' })
  now += 120_000
  add(3)
  const [batch, ...more] = counters.batches()
  expect(more).toEqual([])
  const eid = { label: 'shop', module: 'eid', useCase: 'signature', day: '2026-11-21' }
  expect(batch?.entries).toHaveLength(6)
  expect(batch?.entries).toEqual(
    expect.arrayContaining([
      { ...eid, count: 2 },
      { ...eid, count: 1, tag: 'till 4' },
      { ...eid, count: 1, useCase: 'authentication' },
      { ...eid, count: 1, label: 'bank' },
      { ...eid, count: 1, module: 'wallet' },
      { ...eid, count: 3, day: '2026-11-22' },
    ]),
  )
})

test('a use without a token is counted without a label', () => {
  add(1, { label: undefined })
  expect(counters.batches()[0]?.entries[0]).toMatchObject({ label: '-', count: 1 })
})

test('texts of pages are cut to the lengths that the service accepts', () => {
  add(1, { label: 'l'.repeat(300), module: 'm'.repeat(100), tag: `  ${'t'.repeat(100)}` })
  add(1, { tag: '   ' })
  for (const batch of counters.batches()) CounterBatch.parse(batch)
  expect(counters.list()).toHaveLength(2)
})

describe('a batch that was given', () => {
  test('stays as it was, whatever is counted meanwhile and however often it is read', () => {
    add(2)
    const [first] = counters.batches()
    add(5)
    const [again, second, ...more] = counters.batches()
    expect(again).toEqual(first)
    expect(second?.entries).toEqual([expect.objectContaining({ count: 5 })])
    expect(more).toEqual([])
    database.close()
    open()
    expect(counters.batches()).toEqual([first, second])
  })

  test('is gone once it is acknowledged, and no other is', () => {
    add(2)
    const [first] = counters.batches()
    add(1, { label: 'bank' })
    const [, second] = counters.batches()
    counters.acknowledge([first?.id ?? '', crypto.randomUUID()])
    expect(counters.batches()).toEqual([second])
    counters.acknowledge([second?.id ?? ''])
    counters.acknowledge([])
    expect(counters.batches()).toEqual([])
    expect(counters.list()).toEqual([])
  })
})

describe('a crowd of counts', () => {
  test('goes out in requests that the service takes, and all of it in the end', () => {
    fill(9000)
    const seen = new Set<string>()
    let total = 0
    for (let round = 0; round < 100; round += 1) {
      const batches = counters.batches()
      if (batches.length === 0) break
      const request = { version: '4.0.0', platform: 'UNIX' as const, batches }
      SyncRequest.parse(request)
      expect(JSON.stringify(request).length).toBeLessThan(1024 * 1024)
      for (const { id, entries } of batches) {
        expect(seen.has(id)).toBe(false)
        seen.add(id)
        total += entries.reduce((sum, { count }) => sum + count, 0)
      }
      counters.acknowledge(batches.map(({ id }) => id))
    }
    expect(total).toBe(9000)
  })

  test('of the largest texts there are fits, the oldest first', () => {
    fill(4000, '\u0001'.repeat(200))
    const batches = counters.batches()
    expect(JSON.stringify(batches).length).toBeLessThan(1024 * 1024)
    expect(batches.length).toBeGreaterThan(0)
    const [first, ...rest] = batches
    counters.acknowledge([first?.id ?? ''])
    expect(counters.batches().slice(0, rest.length)).toEqual(rest)
  })

  test('of more than a million in a day is sent in parts', () => {
    add(1)
    database.run('UPDATE counts SET count = 2500000')
    const counts = counters.batches().map(({ entries }) => entries[0]?.count)
    expect(counts).toEqual([1_000_000, 1_000_000, 500_000])
    for (const batch of counters.batches()) CounterBatch.parse(batch)
  })

  test('of tags that a page draws by chance ends without tags, and loses no use', () => {
    fill(10_000)
    add(3, { tag: 'one more' })
    expect(counters.list('shop')).toEqual([
      expect.objectContaining({ label: 'shop', tag: '', count: 3 }),
    ])
  })
})

test('list has what is in batches and what is not, newest day first, and no more than a thousand', () => {
  add(2)
  counters.batches()
  add(1)
  now += 86_400_000
  add(1, { tag: 'till 4' })
  add(1, { label: 'bank' })
  const shop = { label: 'shop', module: 'eid', useCase: 'signature' }
  expect(counters.list('shop')).toEqual([
    { ...shop, tag: 'till 4', day: '2026-11-22', count: 1 },
    { ...shop, tag: '', day: '2026-11-21', count: 3 },
  ])
  fill(1500)
  expect(counters.list()).toHaveLength(1000)
  expect(counters.list()[0]?.label).toBe('bank')
})
