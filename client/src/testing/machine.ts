/** The simulated machine: its readers and cards, its card service, and what its user has decided. */
import type { Reader, ReaderEvent } from '@cardwire/protocol/reader'
import { createProblem } from './table-problem.ts'
import type { TestCard, TestReader } from './test-types.ts'

/** The body of an event without its number. */
type Change = ReaderEvent extends infer E
  ? E extends unknown
    ? Omit<E, 'sequence'>
    : never
  : never

export interface Machine {
  readers(): readonly Reader[]
  /** Throws the problem of a connector that does not know this reader. */
  findReader(id: string): Reader
  /** Throws the problem of a connector that finds no card there. */
  findCard(readerId: string): TestCard
  addReader(reader: TestReader): Reader
  removeReader(id: string): void
  setCard(readerId: string, card: TestCard | undefined): Reader
  /** Why the card service is down; undefined: it works. */
  cardServiceReason(): string | undefined
  setCardService(reason: string | undefined): void
  /** The events after this number; without one a snapshot. */
  eventsAfter(sequence: number | undefined): readonly ReaderEvent[]
  /** Calls `listener` after each change; the function that it returns ends that. */
  subscribe(listener: (event: ReaderEvent) => void): () => void
}

export function createMachine(): Machine {
  let readers: readonly Reader[] = []
  let reason: string | undefined
  let added = 0
  const cards = new Map<string, TestCard>()
  const events: ReaderEvent[] = []
  const listeners = new Set<(event: ReaderEvent) => void>()

  const emit = (change: Change): void => {
    const event: ReaderEvent = { ...change, sequence: events.length + 1 }
    events.push(event)
    for (const listener of [...listeners]) listener(event)
  }
  const visibleReaders = (): readonly Reader[] => (reason === undefined ? readers : [])
  const createSnapshot = (): Change => ({
    type: 'snapshot',
    readers: [...visibleReaders()],
    cardService: reason === undefined ? { state: 'up' } : { state: 'down', reason },
  })
  const findReader = (id: string): Reader => {
    const found = readers.find((reader) => reader.id === id)
    if (!found) throw createProblem('reader-unknown')
    return found
  }
  /** Nobody sees a change of the readers while the card service is down. */
  const emitReader = (type: Exclude<Change['type'], 'snapshot'>, reader: Reader): void => {
    if (reason === undefined) emit({ type, reader })
  }

  return {
    readers: visibleReaders,
    findReader,
    findCard(readerId) {
      const card = cards.get(readerId)
      if (card) return card
      throw createProblem('card-absent')
    },
    addReader({ id, name, pinpad = false, card }) {
      added += 1
      const reader: Reader = {
        id: id ?? added.toString(16).padStart(16, '0'),
        name: name ?? `Test reader ${added}`,
        pinpad,
        ...(card && { card: toCard(card) }),
      }
      if (readers.some((other) => other.id === reader.id)) {
        throw new TypeError(`Cannot add reader "${reader.id}": there is one with this id`)
      }
      readers = [...readers, reader]
      if (card) cards.set(reader.id, card)
      emitReader('reader-added', reader)
      return reader
    },
    removeReader(id) {
      const reader = findReader(id)
      readers = readers.filter((other) => other !== reader)
      cards.delete(id)
      emitReader('reader-removed', reader)
    },
    setCard(readerId, card) {
      const { card: previous, ...empty } = findReader(readerId)
      const reader: Reader = { ...empty, ...(card && { card: toCard(card) }) }
      if (card) cards.set(readerId, card)
      else cards.delete(readerId)
      readers = readers.map((other) => (other.id === readerId ? reader : other))
      if (card || previous) emitReader(card ? 'card-inserted' : 'card-removed', reader)
      return reader
    },
    cardServiceReason: () => reason,
    setCardService(next) {
      if (next === reason) return
      reason = next
      emit(createSnapshot())
    },
    eventsAfter: (sequence) =>
      sequence === undefined || sequence > events.length
        ? [{ ...createSnapshot(), sequence: events.length }]
        : events.slice(sequence),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const toCard = ({
  atr,
  description = [],
  modules = [],
}: TestCard): NonNullable<Reader['card']> => ({
  atr,
  description: [...description],
  modules: [...modules],
  ...(modules[0] !== undefined && { module: modules[0] }),
})
