/** The changes of the readers, numbered and kept for a while, for whoever follows them. */
import type { Reader, ReaderEvent } from '@cardwire/client/protocol'
import type { Cards } from '../cards/cards.ts'
import type { Readers } from '../readers/readers.ts'
import { changesBetween } from './changes.ts'
import { presenter } from './present.ts'

/** Changes that are kept for whoever resumes. */
const mostKept = 200

export interface ReaderFeed {
  /** What to begin with: the changes behind `after` when they are still known, else all that is. */
  begin(after: number | undefined): readonly ReaderEvent[]
  follow(listener: (events: readonly ReaderEvent[]) => void): () => void
}

export function readerFeed(readers: Readers, cards: Cards): ReaderFeed {
  const present = presenter(cards)
  const listeners = new Set<(events: readonly ReaderEvent[]) => void>()
  const kept: ReaderEvent[] = []
  let { sequence } = readers.snapshot()
  let seen: readonly Reader[] = readers.snapshot().readers.map(present)
  // Behind this number every change is in `kept`.
  let complete = sequence

  readers.subscribe((snapshot) => {
    const now = snapshot.readers.map(present)
    const changes = changesBetween(seen, now, snapshot.sequence)
    seen = now
    sequence = snapshot.sequence
    kept.push(...changes)
    for (const dropped of kept.splice(0, Math.max(0, kept.length - mostKept)))
      complete = dropped.sequence
    for (const listener of listeners) listener(changes)
  })

  return {
    begin(after) {
      if (after !== undefined && after >= complete && after <= sequence) {
        return kept.filter((event) => event.sequence > after)
      }
      return [{ type: 'snapshot', sequence, readers: [...seen] }]
    },
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
