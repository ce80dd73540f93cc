/** Waits for news of the service: one request that stays open, and a synchronization as soon as it is answered with news. */
import { WaitAnswer, waitBounds, waitForNews } from '@cardwire/protocol/sync'
import { errorText } from '../../system/error-text.ts'
import type { Log } from '../../system/log.ts'
import { DsError, readData } from '../client/ds-response.ts'
import type { Schedule } from './schedule.ts'
import type { SyncSession } from './session.ts'
import type { Synchronizer } from './synchronizer.ts'
import type { StartTimer } from './wall-clock-timer.ts'

export interface NewsWait {
  /** Ends the request that waits. */
  stop(): void
}

export interface NewsWaitOptions {
  readonly session: Pick<SyncSession, 'wait' | 'send'>
  readonly synchronizer: Pick<Synchronizer, 'onSuccess' | 'requestSync'>
  /** Only of this: it counts failures. */
  readonly schedule: Schedule
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly startTimer: StartTimer
  readonly log: Pick<Log, 'info'>
}

/** Milliseconds from the start of one request to the next, at least: whatever the service answers. */
const minGapMs = 10_000
/** How long an answer may be late, in milliseconds. */
const graceMs = 15_000
const maxAnswerBytes = 16 * 1024

/** These refusals have a signed statement in the reply to a synchronization, which says what to do. */
const decidedBySync: readonly string[] = ['device-blocked', 'device-unknown']

/** Begins with the first synchronization whose reply offers it. A service that does not is asked nothing. */
export function createNewsWait(options: NewsWaitOptions): NewsWait {
  const { session, synchronizer, schedule, clock, startTimer, log } = options
  type State =
    | { readonly kind: 'idle' }
    | { readonly kind: 'asking'; readonly request: AbortController }
    /** Until the next request, or until the synchronization that there is news for. */
    | { readonly kind: 'pausing'; readonly isForSync: boolean; readonly cancel: () => void }
  let state: State = { kind: 'idle' }
  let since = 0
  let askedAt = Number.NEGATIVE_INFINITY
  let isFailing = false
  let stopped = false

  function end(): void {
    if (state.kind === 'asking') state.request.abort()
    if (state.kind === 'pausing') state.cancel()
    state = { kind: 'idle' }
  }

  function pause(ms: number, isForSync: boolean, act: () => void): void {
    const cancel = startTimer(ms, () => {
      state = { kind: 'idle' }
      act()
    })
    state = { kind: 'pausing', isForSync, cancel }
  }

  /** Never sooner than allowed; on a clock that was set back since, the gap counts from now. */
  function askIn(ms: number): void {
    const sinceLast = Math.max(0, clock() - askedAt)
    const waitMs = Math.max(ms, Math.max(0, minGapMs - sinceLast))
    if (waitMs > 0) pause(waitMs, false, ask)
    else ask()
  }

  function ask(): void {
    const offer = session.wait()
    if (stopped || offer === undefined) return
    askedAt = clock()
    const request = new AbortController()
    state = { kind: 'asking', request }
    const held = {
      overallMs: Math.min(offer.holdS, waitBounds.afterS) * 1000 + graceMs,
      signal: request.signal,
    }
    const path = `${waitForNews.path}?since=${since}`
    session
      .send({ method: 'GET', path, maxBytes: maxAnswerBytes, held })
      .then((response) => readData(response, WaitAnswer))
      .then(
        (answer) => request.signal.aborted || follow(answer),
        (error) => request.signal.aborted || fail(error),
      )
  }

  function follow(answer: WaitAnswer): void {
    schedule.afterSuccess(0)
    if (isFailing) log.info('waits for news of the service again')
    isFailing = false
    const afterMs = Math.min(answer.afterS, waitBounds.afterS) * 1000
    since = answer.since ?? since
    // After it, `onSuccess` goes on.
    if (answer.sync) pause(afterMs, true, synchronizer.requestSync)
    else askIn(afterMs)
  }

  function fail(error: unknown): void {
    const { code, retryAfterS } = error instanceof DsError ? error : {}
    if (code !== undefined && decidedBySync.includes(code)) {
      state = { kind: 'idle' }
      synchronizer.requestSync()
      return
    }
    // One line: a proxy that ends every long request is no reason for one each time.
    if (!isFailing) log.info('cannot wait for news of the service', { reason: errorText(error) })
    isFailing = true
    askIn(schedule.afterFailure(retryAfterS))
  }

  synchronizer.onSuccess(() => {
    const offer = session.wait()
    if (stopped || offer === undefined) return end()
    since = offer.since
    // The synchronization was already there, or came from elsewhere; a pause after a failure continues.
    if (state.kind === 'pausing' && state.isForSync) end()
    if (state.kind === 'idle') askIn(0)
  })

  return {
    stop() {
      stopped = true
      end()
    },
  }
}
