/** Watches the card service for as long as the thread lives: connects, follows, and after a failure connects again. */
import { meaningOf, PcscError, quietly } from '../pcsc/codes.ts'
import type { Context, Pcsc } from '../pcsc/pcsc.ts'
import { follow } from './follow.ts'
import type { Sight } from './messages.ts'

/** What a wait cannot see: a reader that came between the listing and its beginning. */
export interface Blind {
  /** Whose wait it is. */
  readonly context: Context
  /** The readers that were listed before it. */
  readonly names: readonly string[]
}

export interface Watcher {
  /** Called at every look, also when nothing has changed. */
  see(sight: Sight): void
  /** Calls follow that have to return at once. */
  busy(): void
  /** One call or sleep follows that lasts so many milliseconds at the most. */
  waits(forMs: number, blind?: Blind): void
  /** Sleeps this thread. */
  pause(ms: number): void
  /** Milliseconds on a clock that never goes back. */
  now(): number
}

/** How long to wait before asking again for a card service that is not there, in milliseconds: first, and at most. */
const backOffMs = { first: 50, most: 1000 }
/** A connection that held this long was a good one, and the next failure is a new story. */
const goodMs = 5000

export function watch(pcsc: Pcsc, watcher: Watcher): never {
  let backOff = backOffMs.first
  for (;;) {
    const from = watcher.now()
    try {
      watcher.busy()
      const context = pcsc.establish()
      try {
        follow(pcsc, context, watcher)
      } finally {
        watcher.busy()
        quietly(() => pcsc.release(context))
      }
    } catch (error) {
      if (!(error instanceof PcscError)) throw error
      if (watcher.now() - from > goodMs) backOff = backOffMs.first
      watcher.see({ kind: 'down', code: error.code, reason: meaningOf(error.code) })
      watcher.waits(backOff)
      watcher.pause(backOff)
      backOff = Math.min(backOff * 2, backOffMs.most)
    }
  }
}
