/** The simulated machine: its readers and cards, its card service, and what its user has decided. */

import type { AuthenticationToken } from '@cardwire/protocol/authentication'
import { Problem } from '@cardwire/protocol/problem'
import type { Reader, ReaderEvent } from '@cardwire/protocol/reader'
import type { CardCertificate } from '../core-service.ts'
import type { CardAddress, CardBiometric, CardPicture } from '../identity.ts'

/** A key of a simulated card. */
export interface TestKey {
  /** The ID to pass to `sign`, such as `9C`. */
  readonly id: string
  readonly purpose: CardCertificate['purpose']
  /** In DER; nothing reads it. */
  readonly certificate: Uint8Array
  /** Default: `CN=Test` and the ID. */
  readonly subject?: string
  /** Default: `CN=Test authority`. */
  readonly issuer?: string
  /** Default: `01`. */
  readonly serialNumber?: string
  /** The hash algorithms that it signs with; default: `sha256`. */
  readonly hashes?: readonly string[]
  /**
   * Hashes these bytes and signs them with `algorithm`, as WebCrypto's `sign` does. Without it, the key returns
   * `key-unsupported` to `authenticate`.
   */
  readonly authenticate?: (data: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>
  /** The algorithm for `authenticate`; default: `ES256`. */
  readonly algorithm?: AuthenticationToken['algorithm']
  /** Signs as the card would. Without it, the key returns `key-unsupported`. */
  readonly sign?: (signed: {
    readonly digest: Uint8Array
    readonly hash: string
    readonly format: 'raw' | 'der'
  }) => Uint8Array | Promise<Uint8Array>
}

/** The identity data of a simulated card. Members that you leave out are empty. */
export interface TestIdentity {
  readonly biometric?: Partial<CardBiometric>
  readonly address?: Partial<CardAddress>
  readonly picture?: Partial<CardPicture>
}

/** A CA certificate on a simulated card. */
export interface TestAuthority {
  readonly role: 'root' | 'intermediate'
  /** In DER; nothing reads it. */
  readonly certificate: Uint8Array
  readonly subject: string
  /** Default: the subject. */
  readonly issuer?: string
}

/** A card for a simulated reader. Only the ATR is required. */
export interface TestCard {
  /** Answer to reset, upper-case hex. */
  readonly atr: string
  /** The kinds of cards with this ATR; default: none. */
  readonly description?: readonly string[]
  /** The modules that handle the card; default: none. */
  readonly modules?: readonly string[]
  /** The keys that `client.card(reader)` finds. They need a module. */
  readonly keys?: readonly TestKey[]
  /** What the card says about its holder; default: nothing. */
  readonly identity?: TestIdentity
  /** The CA certificates of the keys' certificates; default: none. */
  readonly authorities?: readonly TestAuthority[]
  /** Answers the commands of `transaction`, with a status word at the end. Without it, the site has no grant for them. */
  readonly respond?: (command: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>
}

/** A simulated reader. Every field has a default. */
export interface TestReader {
  /** Default: the next number, as 16 hex digits. */
  readonly id?: string
  /** Default: "Test reader" and its number. */
  readonly name?: string
  /** Whether the reader has a keypad; default: false. */
  readonly pinpad?: boolean
  readonly card?: TestCard
}

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
    if (!found) throw new Problem('reader-unknown', `Cannot find reader "${id}"`)
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
      throw new Problem('card-absent', 'Cannot use the card: there is none in the reader')
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
