/** The end of a policy: whether it has come, and the lines of the log before and after it. */
import type { PolicyState, SyncState } from '@cardwire/protocol/connector-sync'
import type { ClockReadings } from '../../system/clock-watch.ts'
import type { Log } from '../../system/log.ts'
import { type PolicyTerm, toPolicyStatus } from '../sync/policy-term.ts'
import type { StartTimer } from '../sync/wall-clock-timer.ts'

export interface PolicyExpiry {
  isExpired(): boolean
  /** undefined: the policy has no end. */
  status(): SyncState['policy']
  /** Logs that the policy ends soon, has ended or holds again; the same once a day at most. */
  report(): void
  /** Reports now, and from then on. */
  start(): void
  stop(): void
}

interface PolicyExpiryOptions {
  readonly term: () => PolicyTerm | undefined
  readonly readings: () => ClockReadings
  /** Milliseconds that the clock of the service was ahead at the last synchronization. */
  readonly offsetMs: () => number
  readonly startTimer: StartTimer
  readonly log: Pick<Log, 'info' | 'warn'>
}

/** How often the end is looked for while no page asks for anything, in milliseconds: six hours. */
const checkMs = 21_600_000
/** How often the log says the same, in milliseconds. */
const repeatMs = 86_400_000

export function createPolicyExpiry({
  term,
  readings,
  offsetMs,
  startTimer,
  log,
}: PolicyExpiryOptions): PolicyExpiry {
  let reported: { readonly state: PolicyState; readonly at: number } = { state: 'good', at: 0 }
  let cancel = (): void => undefined

  function status(): SyncState['policy'] {
    const current = term()
    return current && toPolicyStatus(current, readings(), offsetMs())
  }

  function report(): void {
    const { state, until } = status() ?? { state: 'good', until: '' }
    const at = readings().now
    const isSame = state === reported.state
    if (isSame && (state === 'good' || Math.abs(at - reported.at) < repeatMs)) return
    const wasExpired = reported.state === 'expired'
    reported = { state, at }
    if (state === 'expired')
      log.warn('the policy has expired: pages are refused until a sync succeeds', {
        until,
      })
    else if (state === 'ending')
      log.warn('the policy ends soon: pages are refused then, unless a sync succeeds', {
        until,
      })
    else if (wasExpired) log.info('the policy holds again')
  }

  function keepReporting(): void {
    report()
    cancel = startTimer(checkMs, keepReporting)
  }

  return {
    isExpired() {
      report()
      return reported.state === 'expired'
    },
    status,
    report,
    start: keepReporting,
    stop: () => cancel(),
  }
}
