/** The readers as they change: one stream for all tabs of an origin, told by one of them to the others. */
import type { How } from './attempt.ts'
import type { ReaderChange } from './core-service.ts'
import { readerEvent } from './endpoints.ts'
import type { ReaderEvent } from './protocol/reader.ts'
import { type ReaderList, readerList } from './reader-list.ts'
import { followReaders } from './reader-stream.ts'
import type { Session } from './session.ts'
import { fitting, object, optional } from './shape.ts'

/** Ends quietly with its signal; rejects when the readers can no longer be followed. */
export async function* readerEvents(
  session: Session,
  how: How,
): AsyncGenerator<ReaderChange, void, void> {
  const left = new AbortController()
  const signal = how.signal ? AbortSignal.any([how.signal, left.signal]) : left.signal
  const list = readerList()
  const changes: ReaderChange[] = []
  let failure: { readonly error: unknown } | undefined
  let news = Promise.withResolvers<void>()

  share(session, { ...how, signal }, list, (event) => {
    const change = list.take(event)
    if (!change) return
    changes.push(change)
    news.resolve()
  }).catch((error) => {
    failure = { error }
    news.resolve()
  })
  try {
    while (!signal.aborted) {
      yield* changes.splice(0)
      if (changes.length > 0) continue
      if (failure) throw failure.error
      await news.promise
      news = Promise.withResolvers()
    }
  } finally {
    left.abort()
  }
}

/** What a tab that has just come asks the others. */
const question = 'what is there'
/** What a tab tells: a change, or everything to whoever knows nothing yet. */
const told = object({ change: optional(readerEvent), state: optional(readerEvent) })

/** Whoever has the lock reads the stream, and tells the others; when that tab goes the lock goes on, and the list with it. */
async function share(
  session: Session,
  how: How,
  list: ReaderList,
  take: (event: ReaderEvent) => void,
): Promise<never> {
  const { locks, channel } = session.ports
  if (!locks || !channel) return followReaders(session, how, list, take)
  const name = `cardwire-readers ${how.address}`
  const others = channel(name)
  let leads = false
  const listen = ({ data }: MessageEvent<unknown>): void => {
    if (data === question) {
      const readers = list.readers()
      if (!leads || !readers) return
      const state = { type: 'snapshot', sequence: list.after() ?? -1, readers }
      others.postMessage({ state })
      return
    }
    // Another tab may have loaded another version of this library.
    const { change, state } = fitting(told, data) ?? {}
    if (change && !leads) take(change)
    else if (state && !list.readers()) take(state)
  }
  others.addEventListener('message', listen)
  try {
    others.postMessage(question)
    return await locks.request(name, { ...(how.signal && { signal: how.signal }) }, () => {
      leads = true
      return followReaders(session, how, list, (event) => {
        take(event)
        others.postMessage({ change: event })
      })
    })
  } catch (error) {
    // A frame of another site may have no locks where it has no storage: then it shares with nobody.
    if (leads || how.signal?.aborted) throw error
    leads = true
    return await followReaders(session, how, list, take)
  } finally {
    others.close()
  }
}
