/** Counters of module use: kept in the state database, sent in batches, deleted when the service has counted them. */
import type { Database } from 'bun:sqlite'
import { type CounterBatch, counterBounds, noLabel, type UseCase } from '@cardwire/protocol/counter'
import { type CountedUse, type CountKey, prepareStatements } from './counter-statements.ts'

export interface Use {
  /** `sub` of the page's token; undefined when pages need no token. */
  readonly label: string | undefined
  readonly module: string
  readonly useCase: UseCase
  /** The billing tag of the page. */
  readonly tag: string | undefined
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
  const statements = prepareStatements(database)

  /** Moves the oldest counts into a new batch; false: there are none. */
  function createBatch(): boolean {
    const found = statements.selectOldest.all(counterBounds.entries)
    if (found.length === 0) return false
    const entries = found.map(({ tag, count: all, ...rest }) => ({
      ...rest,
      ...(tag !== '' && { tag }),
      count: Math.min(all, maxEntryCount),
    }))
    statements.insertBatch.run({ id: crypto.randomUUID(), entries: JSON.stringify(entries) })
    for (const { tag, ...entry } of entries) statements.subtract.run({ ...entry, tag: tag ?? '' })
    statements.deleteEmpty.run()
    return true
  }

  return {
    add: database.transaction((use: Use) => {
      const key = toKey(use, clock())
      const isNew = statements.selectKey.get(key) === null
      const untagged = isNew && key.tag !== '' && (statements.countRows.get()?.n ?? 0) >= maxRows
      statements.increment.run(untagged ? { ...key, tag: '' } : key)
    }).immediate,
    batches: database.transaction(() => {
      let sealed = statements.selectBatches.all()
      while (sealed.length < counterBounds.batches && createBatch())
        sealed = statements.selectBatches.all()
      return fitIntoRequest(sealed)
    }).immediate,
    acknowledge(ids) {
      if (ids.length > 0) statements.deleteBatches.run({ ids: JSON.stringify(ids) })
    },
    list: (label) => statements.selectUses.all({ label: label ?? null, most: maxListed }),
  }
}

const toKey = ({ label, module, useCase, tag = '' }: Use, now: number): CountKey => ({
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
