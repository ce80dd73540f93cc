/** The changes of the readers: all tabs of an origin share one stream, which one of them reads and passes on. */

import type { ReaderEvent } from '@cardwire/protocol/reader'
import { boolean, object, optional, safeParse } from '@cardwire/protocol/validators'
import type { ReaderChange } from './core-service.ts'
import { readerEvent } from './endpoints.ts'
import { createReaderList, type ReaderList, toSnapshot } from './reader-list.ts'
import { followReaders } from './reader-stream.ts'
import type { RequestTarget } from './request.ts'
import type { Session } from './session.ts'

/** Changes that wait while the page is busy with one; with more, it gets a snapshot in their place. */
const maxWaiting = 100

/** Ends without an error when its signal aborts; throws when the readers can no longer be followed. */
export async function* watchReaders(
  session: Session,
  target: RequestTarget,
  onStale?: (stale: boolean) => void,
): AsyncGenerator<ReaderChange, void, void> {
  const loop = new AbortController()
  const signal = target.signal ? AbortSignal.any([target.signal, loop.signal]) : loop.signal
  const list = createReaderList()
  const changes: ReaderChange[] = []
  let failure: { readonly error: unknown } | undefined
  let changed = Promise.withResolvers<void>()

  const onEvent = (event: ReaderEvent): void => {
    const change = list.apply(event)
    if (!change) return
    const waits = changes.push(change)
    if (waits > maxWaiting) changes.splice(0, waits, toSnapshot(change.readers, list.cardService()))
    changed.resolve()
  }
  shareStream(session, { ...target, signal }, list, onEvent, onStale).catch((error) => {
    failure = { error }
    changed.resolve()
  })
  try {
    while (!signal.aborted) {
      yield* changes.splice(0)
      if (changes.length > 0) continue
      if (failure) throw failure.error
      await changed.promise
      changed = Promise.withResolvers()
    }
  } finally {
    loop.abort()
  }
}

/** Sent by a tab that has just come, to get the state from the leading one. */
const stateRequest = 'state'
/** Sent by the leading tab: a change, the state for tabs that have none yet, or whether the list may be out of date. */
const tabMessage = object<{
  change?: ReaderEvent | undefined
  state?: ReaderEvent | undefined
  stale?: boolean | undefined
}>({ change: optional(readerEvent), state: optional(readerEvent), stale: optional(boolean) })

/** The tab that has the lock reads the stream and passes it on; when it goes, the next tab gets the lock and goes on with its list. */
async function shareStream(
  session: Session,
  target: RequestTarget,
  list: ReaderList,
  onEvent: (event: ReaderEvent) => void,
  onStaleChange: ((stale: boolean) => void) | undefined,
): Promise<never> {
  const { locks, openChannel } = session.ports
  const name = `cardwire-readers ${target.address}`
  const channel = locks && openChannel?.(name)
  let isLeader = false
  let isStale = false
  /** Also of the tab that led before: a list that it called stale may be up to date now. */
  const onStale = (stale: boolean): void => {
    if (stale === isStale) return
    isStale = stale
    if (isLeader) channel?.postMessage({ stale })
    onStaleChange?.(stale)
  }
  if (!channel) return followReaders(session, target, list, onEvent, onStale)
  const onMessage = ({ data }: MessageEvent<unknown>): void => {
    if (data === stateRequest) {
      const readers = list.readers()
      if (!isLeader || !readers) return
      const cardService = list.cardService()
      const sequence = list.resumeAfter() ?? -1
      const state = { type: 'snapshot', sequence, readers, ...(cardService && { cardService }) }
      channel.postMessage({ state, stale: isStale })
      return
    }
    // Another tab may have loaded another version of this library.
    const { change, state, stale } = safeParse(tabMessage, data) ?? {}
    if (stale !== undefined && !isLeader) onStale(stale)
    try {
      if (change && !isLeader) onEvent(change)
      else if (state && !list.readers()) onEvent(state)
    } catch {
      // One reader too many, which no tab sends that reads a stream of readers.
    }
  }
  channel.addEventListener('message', onMessage)
  try {
    channel.postMessage(stateRequest)
    return await locks.request(name, { ...(target.signal && { signal: target.signal }) }, () => {
      isLeader = true
      const share = (event: ReaderEvent): void => {
        onEvent(event)
        channel.postMessage({ change: event })
      }
      return followReaders(session, target, list, share, onStale)
    })
  } catch (error) {
    // A frame of another site may have no locks where it has no storage: then it has a stream of its own.
    if (isLeader || target.signal?.aborted) throw error
    isLeader = true
    return await followReaders(session, target, list, onEvent, onStale)
  } finally {
    channel.close()
  }
}
