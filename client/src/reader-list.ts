/** The readers as they are known here, brought up to date by events that may come twice or from several sources. */
import type { ReaderChange } from './core-service.ts'
import type { Reader, ReaderEvent } from './protocol/reader.ts'

export interface ReaderList {
  /** What an event changes; undefined: nothing that was not known. */
  take(event: ReaderEvent): ReaderChange | undefined
  /** undefined as long as there was no snapshot. */
  readers(): readonly Reader[] | undefined
  /** The events that would bring a known list to this one. */
  changesTo(now: readonly Reader[]): ReaderEvent[]
  /** The number behind which a stream goes on; undefined: it has to begin. */
  after(): number | undefined
  /** All events up to the last one are here. */
  settle(): void
}

export function readerList(): ReaderList {
  let known: readonly Reader[] | undefined
  let after = 0
  let last = 0

  return {
    readers: () => known,
    after: () => (known && after >= 0 ? after : undefined),
    settle() {
      after = last
    },
    take(event) {
      if (event.type === 'snapshot') {
        known = event.readers
        last = event.sequence
        after = last
        return { type: 'snapshot', readers: known }
      }
      if (!known) return undefined
      last = Math.max(last, event.sequence)
      // Several events have one number: this one may not be the last of them.
      after = Math.max(after, last - 1)
      const { type, reader } = event
      const before = known.find(({ id }) => id === reader.id)
      if (type === 'reader-removed' ? !before : same(before, reader)) return undefined
      known = [
        ...known.filter(({ id }) => id !== reader.id),
        ...(type === 'reader-removed' ? [] : [reader]),
      ]
      return { type, reader, readers: known }
    },
    changesTo(now) {
      const before = known ?? []
      const change = (
        type: Exclude<ReaderEvent['type'], 'snapshot'>,
        reader: Reader,
      ): ReaderEvent => ({ type, sequence: last, reader })
      const gone = before.filter(({ id }) => !now.some((reader) => reader.id === id))
      return [
        ...gone.map((reader) => change('reader-removed', reader)),
        ...now.flatMap((reader) => {
          const was = before.find(({ id }) => id === reader.id)
          if (!was) return [change('reader-added', reader)]
          if (same(was, reader)) return []
          return [change(reader.card ? 'card-inserted' : 'card-removed', reader)]
        }),
      ]
    },
  }
}

const same = (one: Reader | undefined, other: Reader): boolean =>
  one?.card?.atr === other.card?.atr && one?.id === other.id
