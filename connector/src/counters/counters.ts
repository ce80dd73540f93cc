/** How often the modules were used: counted on disk, sent in batches, forgotten when the service has counted them. */
import type { Database } from 'bun:sqlite'
import { type CounterBatch, counterBounds, type UseCase } from '@cardwire/client/protocol'

/** One use. */
export interface Use {
  /** `sub` of the token that the page had; undefined where none is needed. */
  readonly label: string | undefined
  readonly module: string
  readonly useCase: UseCase
  /** What the page would have it billed on. */
  readonly tag: string | undefined
}

export interface Counted {
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
  /** It is on disk when this returns. */
  add(use: Use): void
  /** What the service has not counted yet, oldest first. What was given once stays as it is until it is acknowledged. */
  batches(): CounterBatch[]
  /** The service has counted these. */
  acknowledge(ids: readonly string[]): void
  /** What the service has not counted yet, newest day first: of one label, or of all. */
  list(label?: string): readonly Counted[]
}

/** Stands for the label of whoever needs no token; no label has this id. */
export const nobody = '-'

/** Characters, as the service takes them. */
const longest = { label: 200, module: 64, tag: 64 } as const
/** Rows; beyond them tags are left out, which pages choose as they like. */
const mostRows = 10_000
/** Bytes of all batches together: a request of the service holds 1 MiB, with everything else in it. */
const mostBytes = 512 * 1024
/** Rows of a listing. */
const mostListed = 1000
const mostAtOnce = 1_000_000

/** `clock` gives milliseconds since 1970 as the service counts them. */
export function openCounters(database: Database, clock: () => number): Counters {
  const same =
    'label = $label AND module = $module AND use_case = $useCase AND tag = $tag AND day = $day'
  const isKnown = database.query<unknown, Key>(`SELECT 1 FROM counts WHERE ${same}`)
  const rows = database.query<{ n: number }, []>('SELECT count(*) AS n FROM counts')
  const count = database.query<unknown, Key>(
    `INSERT INTO counts (label, module, use_case, tag, day, count) VALUES ($label, $module, $useCase, $tag, $day, 1)
     ON CONFLICT DO UPDATE SET count = count + 1`,
  )
  const oldest = database.query<Counted, [number]>(
    'SELECT label, module, use_case AS useCase, tag, day, count FROM counts ORDER BY day, label, module, use_case, tag LIMIT ?',
  )
  const take = database.query<unknown, Key & { count: number }>(
    `UPDATE counts SET count = count - $count WHERE ${same}`,
  )
  const dropEmpty = database.query('DELETE FROM counts WHERE count = 0')
  const waiting = database.query<{ id: string; entries: string }, []>(
    'SELECT id, entries FROM counter_batches ORDER BY number',
  )
  const seal = database.query('INSERT INTO counter_batches (id, entries) VALUES ($id, $entries)')
  const forget = database.query(
    'DELETE FROM counter_batches WHERE id IN (SELECT value FROM json_each($ids))',
  )
  const listed = database.query<Counted, { label: string | null; most: number }>(`
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

  /** The oldest counts become a batch; false when there are none. */
  function fill(): boolean {
    const found = oldest.all(counterBounds.entries)
    if (found.length === 0) return false
    const entries = found.map(({ tag, count: all, ...rest }) => ({
      ...rest,
      ...(tag !== '' && { tag }),
      count: Math.min(all, mostAtOnce),
    }))
    seal.run({ id: crypto.randomUUID(), entries: JSON.stringify(entries) })
    for (const { tag, ...entry } of entries) take.run({ ...entry, tag: tag ?? '' })
    dropEmpty.run()
    return true
  }

  return {
    add: database.transaction((use: Use) => {
      const key = keyOf(use, clock())
      const isNew = isKnown.get(key) === null
      const untagged = isNew && key.tag !== '' && (rows.get()?.n ?? 0) >= mostRows
      count.run(untagged ? { ...key, tag: '' } : key)
    }).immediate,
    batches: database.transaction(() => {
      let sealed = waiting.all()
      while (sealed.length < counterBounds.batches && fill()) sealed = waiting.all()
      return fitting(sealed)
    }).immediate,
    acknowledge(ids) {
      if (ids.length > 0) forget.run({ ids: JSON.stringify(ids) })
    },
    list: (label) => listed.all({ label: label ?? null, most: mostListed }),
  }
}

type Key = Record<'label' | 'module' | 'useCase' | 'tag' | 'day', string>

const keyOf = ({ label, module, useCase, tag = '' }: Use, now: number): Key => ({
  label: label?.slice(0, longest.label) || nobody,
  module: module.slice(0, longest.module),
  useCase,
  tag: tag.trim().slice(0, longest.tag),
  day: new Date(now).toISOString().slice(0, 10),
})

/** The oldest, as many as a request holds; the first fits whatever is in it. */
function fitting(sealed: readonly { id: string; entries: string }[]): CounterBatch[] {
  let bytes = 0
  return sealed
    .slice(0, counterBounds.batches)
    .filter(({ entries }) => {
      bytes += Buffer.byteLength(entries)
      return bytes <= mostBytes
    })
    .map(({ id, entries }) => ({ id, entries: JSON.parse(entries) }))
}
