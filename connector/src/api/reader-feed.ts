/** The events of the readers: numbered, with the recent ones kept for clients that resume. */
import type { CardService, Reader, ReaderEvent } from '@cardwire/protocol/reader'
import { diffReaders } from '../sandbox/readers/diff-readers.ts'
import type { PcscState, Readers } from '../sandbox/readers/readers.ts'
import type { Cards } from './cards/cards.ts'
import { createReaderView } from './reader-view.ts'

/** Events that are kept for clients that resume. */
const maxEvents = 200

export interface ReaderFeed {
  /** The events after number `after` when all of them are kept, else a snapshot. */
  getEventsSince(after: number | undefined): readonly ReaderEvent[]
  /** Calls back when there are further events. */
  subscribe(listener: () => void): () => void
}

export function createReaderFeed(readers: Readers, cards: Cards): ReaderFeed {
  const toView = createReaderView(cards)
  const listeners = new Set<() => void>()
  const recentEvents: ReaderEvent[] = []
  let { sequence } = readers.snapshot()
  let lastReaders: readonly Reader[] = readers.snapshot().readers.map(toView)
  let cardService = toCardService(readers.snapshot().pcsc)
  const createSnapshot = (): ReaderEvent => ({
    type: 'snapshot',
    sequence,
    readers: [...lastReaders],
    cardService,
  })
  // Every change after this number is in `recentEvents`.
  let oldestResumable = sequence

  readers.subscribe((snapshot) => {
    const now = snapshot.readers.map(toView)
    const lastViews = lastReaders
    const changes: ReaderEvent[] = diffReaders(lastReaders, now, snapshot.sequence)
    lastReaders = now
    sequence = snapshot.sequence
    const before = cardService
    cardService = toCardService(snapshot.pcsc)
    // Clients of before the state was sent take it as what it is beside: all readers.
    if (!Bun.deepEquals(before, cardService) || isRefined(lastViews, now))
      changes.push(createSnapshot())
    recentEvents.push(...changes)
    for (const dropped of recentEvents.splice(0, Math.max(0, recentEvents.length - maxEvents)))
      oldestResumable = dropped.sequence
    for (const listener of listeners) listener()
  })

  return {
    getEventsSince(after) {
      if (after !== undefined && after >= oldestResumable && after <= sequence) {
        return recentEvents.filter((event) => event.sequence > after)
      }
      return [createSnapshot()]
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Whether more is known about a card that was there before. */
const isRefined = (before: readonly Reader[], after: readonly Reader[]): boolean =>
  after.some(({ id, card }) => {
    const was = before.find((reader) => reader.id === id)?.card
    return was?.atr === card?.atr && !Bun.deepEquals(was?.modules, card?.modules)
  })

const toCardService = (pcsc: PcscState): CardService =>
  pcsc.kind === 'up' ? { state: 'up' } : { state: 'down', reason: pcsc.reason }
