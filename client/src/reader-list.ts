/** The readers that a page knows, kept up to date by events that may arrive twice or from several sources. */

import type { CardService, Reader, ReaderEvent } from '@cardwire/protocol/reader'
import type { ReaderChange } from './core-service.ts'
import { createCallError } from './error.ts'
import { maxItems } from './max-items.ts'
import type * as page from './reader.ts'

export interface ReaderList {
  /** Returns what the event changes; undefined when it was known already. Throws for one reader too many. */
  apply(event: ReaderEvent): ReaderChange | undefined
  /** undefined before the first snapshot. */
  readers(): readonly Reader[] | undefined
  /** undefined before the first snapshot, and where the connector does not say it. */
  cardService(): CardService | undefined
  /** The events that turn the known list into this one. */
  diff(current: readonly Reader[]): ReaderEvent[]
  /** The sequence number after which a stream resumes; undefined: it has to begin with a snapshot. */
  resumeAfter(): number | undefined
  /** Marks that all events up to the last sequence number are here. */
  markComplete(): void
}

export function createReaderList(): ReaderList {
  let readers: readonly Reader[] | undefined
  let cardService: CardService | undefined
  let completeUpTo = 0
  let lastSequence = 0

  return {
    readers: () => readers,
    cardService: () => cardService,
    resumeAfter: () => (readers && completeUpTo >= 0 ? completeUpTo : undefined),
    markComplete() {
      completeUpTo = lastSequence
    },
    apply(event) {
      if (event.type === 'snapshot') {
        readers = event.readers
        cardService = event.cardService
        lastSequence = event.sequence
        completeUpTo = lastSequence
        return toSnapshot(readers, cardService)
      }
      if (!readers) return undefined
      lastSequence = Math.max(lastSequence, event.sequence)
      // Several events share one number: more of them may follow.
      completeUpTo = Math.max(completeUpTo, lastSequence - 1)
      const { type, reader } = event
      const previous = readers.find(({ id }) => id === reader.id)
      if (type === 'reader-removed' ? !previous : isSame(previous, reader)) return undefined
      const others = readers.filter(({ id }) => id !== reader.id)
      if (type !== 'reader-removed' && others.length >= maxItems.readers) {
        const description = `Cannot follow the readers: there are more than ${maxItems.readers}`
        throw createCallError('answer-malformed', description)
      }
      readers = type === 'reader-removed' ? others : [...others, reader]
      return { type, reader, readers }
    },
    diff(current) {
      const previous = readers ?? []
      const previousById = new Map(previous.map((reader) => [reader.id, reader]))
      const ids = new Set(current.map(({ id }) => id))
      const createEvent = (
        type: Exclude<ReaderEvent['type'], 'snapshot'>,
        reader: Reader,
      ): ReaderEvent => ({ type, sequence: lastSequence, reader })
      const removed = previous.filter(({ id }) => !ids.has(id))
      return [
        ...removed.map((reader) => createEvent('reader-removed', reader)),
        ...current.flatMap((reader) => {
          const known = previousById.get(reader.id)
          if (!known) return [createEvent('reader-added', reader)]
          if (isSame(known, reader)) return []
          return [createEvent(reader.card ? 'card-inserted' : 'card-removed', reader)]
        }),
      ]
    },
  }
}

export const toSnapshot = (
  readers: readonly page.Reader[],
  cardService: page.CardService | undefined,
): ReaderChange => ({ type: 'snapshot', readers, ...(cardService && { cardService }) })

const isSame = (one: Reader | undefined, other: Reader): boolean =>
  one?.card?.atr === other.card?.atr && one?.id === other.id
