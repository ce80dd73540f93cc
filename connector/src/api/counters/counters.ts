/** Counters of module use: kept in the state database, sent in batches, deleted when the service has counted them. */
import type { Database } from 'bun:sqlite'
import { type CounterBatch, counterBounds, noLabel, type UseCase } from '@cardwire/client/protocol'

export interface Use {
  /** `sub` of the page's token; undefined when pages need no token. */
  readonly label: string | undefined
  readonly module: string
  readonly useCase: UseCase
  /** The billing tag of the page. */
  readonly tag: string | undefined
}

export interface CountedUse {
  readonly label: string
  readonly module: string
  readonly useCase: UseCase
  /** '': none. */
  readonly tag: string
  /** UTC, as 2026-11-21. */
  readonly day: string
  readonly count: number
}

export interface Counters {
  /** Stored on disk when this returns. */
  add(use: Use): void
  /** The batches that the service has not counted yet, oldest first. A batch never changes until it is acknowledged. */
  batches(): CounterBatch[]
  /** Deletes these batches: the service has counted them. */
  acknowledge(ids: readonly string[]): void
  /** Uses that the service has not counted yet, newest day first: of one label, or of all. */
  list(label?: string): readonly CountedUse[]
}

/** Characters that the service accepts. */
const maxLength = { label: 200, module: 64, tag: 64 } as const
/** Rows of the table. Beyond that, new rows have no tag, for pages may send any number of tags. */
const maxRows = 10_000
/** Bytes of all batches of a request: the service accepts 1 MiB for everything in it. */
const maxRequestBytes = 512 * 1024
/** Rows of a listing. */
const maxListed = 1000
const maxEntryCount = 1_000_000

/** `clock` gives milliseconds since 1970 on the clock of the service. */
export function openCounters(database: Database, clock: () => number): Counters {
  const matchesKey =
    'label = $label AND module = $module AND use_case = $useCase AND tag = $tag AND day = $day'
  const selectKey = database.query<unknown, Key>(`SELECT 1 FROM counts WHERE ${matchesKey}`)
  const countRows = database.query<{ n: number }, []>('SELECT count(*) AS n FROM counts')
  const increment = database.query<unknown, Key>(
    `INSERT INTO counts (label, module, use_case, tag, day, count) VALUES ($label, $module, $useCase, $tag, $day, 1)
     ON CONFLICT DO UPDATE SET count = count + 1`,
  )
  const selectOldest = database.query<CountedUse, [number]>(
    'SELECT label, module, use_case AS useCase, tag, day, count FROM counts ORDER BY day, label, module, use_case, tag LIMIT ?',
  )
  const subtract = database.query<unknown, Key & { count: number }>(
    `UPDATE counts SET count = count - $count WHERE ${matchesKey}`,
  )
  const deleteEmpty = database.query('DELETE FROM counts WHERE count = 0')
  const selectBatches = database.query<{ id: string; entries: string }, []>(
    'SELECT id, entries FROM counter_batches ORDER BY number',
  )
  const insertBatch = database.query(
    'INSERT INTO counter_batches (id, entries) VALUES ($id, $entries)',
  )
  const deleteBatches = database.query(
    'DELETE FROM counter_batches WHERE id IN (SELECT value FROM json_each($ids))',
  )
  const selectUses = database.query<CountedUse, { label: string | null; most: number }>(`
    SELECT label, module, useCase, tag, day, sum(count) AS count FROM (
      SELECT label, module, use_case AS useCase, tag, day, count FROM counts
      UNION ALL
      SELECT value ->> 'label', value ->> 'module', value ->> 'useCase', coalesce(value ->> 'tag', ''),
        value ->> 'day', value ->> 'count'
      FROM counter_batches, json_each(entries)
    )
    WHERE $label IS NULL OR label = $label
    GROUP BY label, module, useCase, tag, day
    ORDER BY day DESC, label, module, useCase, tag LIMIT $most`)

  /** Moves the oldest counts into a new batch; false: there are none. */
  function createBatch(): boolean {
    const found = selectOldest.all(counterBounds.entries)
    if (found.length === 0) return false
    const entries = found.map(({ tag, count: all, ...rest }) => ({
      ...rest,
      ...(tag !== '' && { tag }),
      count: Math.min(all, maxEntryCount),
    }))
    insertBatch.run({ id: crypto.randomUUID(), entries: JSON.stringify(entries) })
    for (const { tag, ...entry } of entries) subtract.run({ ...entry, tag: tag ?? '' })
    deleteEmpty.run()
    return true
  }

  return {
    add: database.transaction((use: Use) => {
      const key = toKey(use, clock())
      const isNew = selectKey.get(key) === null
      const untagged = isNew && key.tag !== '' && (countRows.get()?.n ?? 0) >= maxRows
      increment.run(untagged ? { ...key, tag: '' } : key)
    }).immediate,
    batches: database.transaction(() => {
      let sealed = selectBatches.all()
      while (sealed.length < counterBounds.batches && createBatch()) sealed = selectBatches.all()
      return fitIntoRequest(sealed)
    }).immediate,
    acknowledge(ids) {
      if (ids.length > 0) deleteBatches.run({ ids: JSON.stringify(ids) })
    },
    list: (label) => selectUses.all({ label: label ?? null, most: maxListed }),
  }
}

type Key = Record<'label' | 'module' | 'useCase' | 'tag' | 'day', string>

const toKey = ({ label, module, useCase, tag = '' }: Use, now: number): Key => ({
  label: label?.slice(0, maxLength.label) || noLabel,
  module: module.slice(0, maxLength.module),
  useCase,
  tag: tag.trim().slice(0, maxLength.tag),
  day: new Date(now).toISOString().slice(0, 10),
})

/** The oldest batches that fit into a request; a single batch always fits. */
function fitIntoRequest(sealed: readonly { id: string; entries: string }[]): CounterBatch[] {
  let bytes = 0
  return sealed
    .slice(0, counterBounds.batches)
    .filter(({ entries }) => {
      bytes += Buffer.byteLength(entries)
      return bytes <= maxRequestBytes
    })
    .map(({ id, entries }) => ({ id, entries: JSON.parse(entries) }))
}
