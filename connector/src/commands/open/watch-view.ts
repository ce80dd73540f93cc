/** Watches what the local page shows: readers as they change, and everything else every two seconds. */
import type { View } from '../../../page/view.ts'
import type { Cards } from '../../api/cards/cards.ts'
import { createReaderView } from '../../api/reader-view.ts'
import type { Snapshot } from '../../sandbox/readers/readers.ts'
import type { SlowView } from './read-view.ts'

/** In milliseconds. */
const pollMs = 2000

export interface WatchedReaders {
  snapshot(): Snapshot
  subscribe(listener: (snapshot: Snapshot) => void): () => void
}

export interface ViewWatch {
  /** Calls back now and with each change, until the signal. */
  watch(show: (view: View) => void, signal: AbortSignal): void
  /** Reads everything anew, at once. Never throws. */
  refresh(): Promise<void>
}

export function createViewWatch(
  readers: WatchedReaders,
  cards: Cards,
  readSlow: () => Promise<SlowView>,
  reportFailure: (error: unknown) => void,
): ViewWatch {
  const toReader = createReaderView(cards)
  const shows = new Map<(view: View) => void, string>()
  let slow: SlowView | undefined
  let isPolling = false

  const showChanges = () => {
    if (slow === undefined) return
    const view = { ...slow, ...toReaders(readers.snapshot(), toReader) }
    const text = JSON.stringify(view)
    for (const [show, before] of shows) {
      if (before === text) continue
      shows.set(show, text)
      show(view)
    }
  }
  const refresh = async () => {
    try {
      slow = await readSlow()
    } catch (error) {
      return reportFailure(error)
    }
    showChanges()
  }
  const poll = async () => {
    if (isPolling) return
    isPolling = true
    while (shows.size > 0) {
      await refresh()
      await Bun.sleep(pollMs)
    }
    isPolling = false
  }
  readers.subscribe(showChanges)
  return {
    refresh,
    watch(show, signal) {
      shows.set(show, '')
      signal.addEventListener('abort', () => shows.delete(show), { once: true })
      showChanges()
      void poll()
    },
  }
}

function toReaders(
  { pcsc, readers }: Snapshot,
  toReader: ReturnType<typeof createReaderView>,
): Pick<View, 'cardService' | 'readers'> {
  return {
    cardService: pcsc.kind,
    readers: readers.map(toReader).map(({ id, name, pinpad, card }) => ({
      id,
      name,
      pinpad,
      ...(card && { card: { atr: card.atr, description: card.description.join('; ') } }),
    })),
  }
}
