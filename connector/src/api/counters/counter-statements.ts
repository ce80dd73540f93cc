/** The statements for the counters in the state database. */
import type { Database } from 'bun:sqlite'
import type { UseCase } from '@cardwire/protocol/counter'

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

/** What is counted as one. */
export type CountKey = Record<'label' | 'module' | 'useCase' | 'tag' | 'day', string>

export function prepareStatements(database: Database) {
  const matchesKey =
    'label = $label AND module = $module AND use_case = $useCase AND tag = $tag AND day = $day'
  return {
    selectKey: database.query<unknown, CountKey>(`SELECT 1 FROM counts WHERE ${matchesKey}`),
    countRows: database.query<{ n: number }, []>('SELECT count(*) AS n FROM counts'),
    increment: database.query<unknown, CountKey>(
      `INSERT INTO counts (label, module, use_case, tag, day, count) VALUES ($label, $module, $useCase, $tag, $day, 1)
       ON CONFLICT DO UPDATE SET count = count + 1`,
    ),
    selectOldest: database.query<CountedUse, [number]>(
      'SELECT label, module, use_case AS useCase, tag, day, count FROM counts ORDER BY day, label, module, use_case, tag LIMIT ?',
    ),
    subtract: database.query<unknown, CountKey & { count: number }>(
      `UPDATE counts SET count = count - $count WHERE ${matchesKey}`,
    ),
    deleteEmpty: database.query('DELETE FROM counts WHERE count = 0'),
    selectBatches: database.query<{ id: string; entries: string }, []>(
      'SELECT id, entries FROM counter_batches ORDER BY number',
    ),
    insertBatch: database.query('INSERT INTO counter_batches (id, entries) VALUES ($id, $entries)'),
    deleteBatches: database.query(
      'DELETE FROM counter_batches WHERE id IN (SELECT value FROM json_each($ids))',
    ),
    selectUses: database.query<CountedUse, { label: string | null; most: number }>(`
      SELECT label, module, useCase, tag, day, sum(count) AS count FROM (
        SELECT label, module, use_case AS useCase, tag, day, count FROM counts
        UNION ALL
        SELECT value ->> 'label', value ->> 'module', value ->> 'useCase', coalesce(value ->> 'tag', ''),
          value ->> 'day', value ->> 'count'
        FROM counter_batches, json_each(entries)
      )
      WHERE $label IS NULL OR label = $label
      GROUP BY label, module, useCase, tag, day
      ORDER BY day DESC, label, module, useCase, tag LIMIT $most`),
  }
}
