/** Watches the card service for as long as the thread lives: connects, follows, and after a failure connects again. */
import { meaningOf, PcscError, quietly } from '../pcsc/codes.ts'
import type { Pcsc } from '../pcsc/pcsc.ts'
import { follow, type Watcher } from './follow.ts'

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
