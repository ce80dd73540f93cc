/** How long consents last: which origins hold one now, and the moment when one ends. */
import type { Log } from '../system/log.ts'
import type { ConsentStore, GivenConsent } from './store.ts'

export interface LastingConsents {
  /** As `ConsentStore.add`. */
  add(given: GivenConsent, word: Uint8Array): void
  /** Whether this origin holds a live consent. */
  holds(origin: string): boolean
  find(id: string): GivenConsent | undefined
  /** The live one of this origin that ends last. */
  lastOf(origin: string): GivenConsent | undefined
  /** Calls back whenever the last consent of an origin ends, by time or by another process, about a second later at most. */
  onEnd(listener: (origin: string) => void): () => void
  stop(): void
}

/** How often is looked while somebody listens, in milliseconds: one number that SQLite has in memory. */
const lookMs = 1000
/** And while nobody does: what expires is ended for good, so that a clock that is set back brings nothing to life. */
const quietLookMs = 3_600_000

export function lastingConsents(
  store: ConsentStore,
  clock: () => number,
  log: Pick<Log, 'error'>,
): LastingConsents {
  const listeners = new Set<(origin: string) => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let seen = store.writtenElsewhere()
  let holders = origins()

  function origins(): Set<string> {
    return new Set(store.all().map(({ origin }) => origin))
  }

  function look(): void {
    const before = holders
    try {
      const now = clock()
      const written = store.writtenElsewhere()
      const expired = (store.nextEnd() ?? Number.POSITIVE_INFINITY) <= now
      if (!expired && written === seen) return
      if (expired) store.endExpired(now)
      holders = origins()
      seen = written
    } catch (error) {
      // What has expired is over without a note, and a disk that is full now may have room at the next look.
      log.error('end of consents not noted', { reason: String(error) })
    }
    for (const origin of before) {
      if (!holders.has(origin)) for (const listener of listeners) listener(origin)
    }
  }
  look()

  /** The clock is asked at every turn: no timer lasts 365 days, nor knows that the machine slept. */
  function wait(): void {
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        look()
        wait()
      },
      listeners.size > 0 ? lookMs : quietLookMs,
    )
    timer.unref()
  }
  wait()

  const live = (given: GivenConsent | undefined) => {
    if (given === undefined) return undefined
    if (clock() < given.expiresAt) return given
    look()
    return undefined
  }
  return {
    add(given, word) {
      store.add(given, word)
      holders.add(given.origin)
    },
    holds: (origin) => live(store.lastOf(origin)) !== undefined,
    find: (id) => live(store.find(id)),
    lastOf: (origin) => live(store.lastOf(origin)),
    onEnd(listener) {
      // What has ended by now is no news.
      if (listeners.size === 0) look()
      listeners.add(listener)
      if (listeners.size === 1) wait()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) wait()
      }
    },
    stop: () => clearTimeout(timer),
  }
}
