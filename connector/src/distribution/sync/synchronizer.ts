/** Runs the synchronizations of this connector: one at a time, once per cycle, with one log line for each change of status. */
import type { Log } from '../../system/log.ts'
import { DsError } from '../client/ds-response.ts'
import type { Faults } from './faults.ts'
import { findEarliestStart, isPausedByService, noPause, startPause } from './request-pause.ts'
import type { Schedule } from './schedule.ts'
import type { SyncSession } from './session.ts'
import { isSameStatus, type SyncStatus, toSyncStatus } from './sync-status.ts'
import type { StartTimer } from './wall-clock-timer.ts'

export interface Synchronizer {
  /** Starts the cycle: the first synchronization is due within a minute. */
  start(): void
  status(): SyncStatus
  /** When the next one is due, milliseconds since 1970. */
  nextAt(): number | undefined
  /** Synchronizes now; concurrent calls share one attempt. Never throws. */
  synchronize(): Promise<SyncStatus>
  /** The same, but what has begun already counts as the one before: what was changed since may not be in it. Never throws. */
  synchronizeAnew(): Promise<SyncStatus>
  /** The same as `synchronize`, except before a Retry-After of the service: then the status of the last attempt. Never throws. */
  synchronizeUnlessPaused(): Promise<SyncStatus>
  /** Synchronizes soon, with a minimum gap: pages may call this as often as they like. */
  requestSync(): void
  /** The listener is called after every successful synchronization. */
  onSuccess(listener: () => void): void
  /** The listener is called after every synchronization, also after one that failed. */
  onAttempt(listener: () => void): void
  stop(): void
}

export interface SynchronizerOptions {
  readonly session: Pick<SyncSession, 'syncOnce' | 'policy' | 'state'>
  readonly schedule: Schedule
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly startTimer: StartTimer
  readonly faults: Pick<Faults, 'set' | 'clear'>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
}

/** Milliseconds between two synchronizations that pages request. */
const pageGapMs = 5_000

/** The default of the specification for a service that sends no cycle: eight hours. */
const defaultCycleS = 28_800

export function createSynchronizer(options: SynchronizerOptions): Synchronizer {
  const { session, schedule, clock, startTimer, faults, log } = options
  const listeners = new Set<() => void>()
  const attemptListeners = new Set<() => void>()
  let status: SyncStatus = { kind: 'waiting' }
  let pendingSync: Promise<SyncStatus> | undefined
  /** A page has asked for one while another was running. */
  let isRequested = false
  let next: { readonly at: number; readonly cancel: () => void } | undefined
  let stopped = false
  let pause = noPause

  function scheduleNext(ms: number): void {
    next?.cancel()
    if (!stopped) next = { at: clock() + ms, cancel: startTimer(ms, () => void synchronize()) }
  }

  function setStatus(changed: SyncStatus): void {
    if (!isSameStatus(status, changed)) {
      if (changed.kind === 'good') log.info('synced')
      else log.warn('not synced', { ...changed })
    }
    status = changed
  }

  async function attempt(): Promise<SyncStatus> {
    pause = startPause(clock(), pageGapMs, false)
    try {
      await session.syncOnce()
      succeed()
    } catch (error) {
      fail(error)
    }
    if (status.kind === 'good') for (const listener of listeners) listener()
    for (const listener of attemptListeners) listener()
    return status
  }

  function succeed(): void {
    // The synchronization that has just succeeded reported it.
    faults.clear('reply-refused')
    setStatus({ kind: 'good', at: clock() })
    scheduleNext(schedule.afterSuccess(session.state()?.cycle ?? defaultCycleS))
  }

  function fail(error: unknown): void {
    const failed = toSyncStatus(error)
    setStatus(failed)
    if ('code' in failed && failed.code === 'reply-refused') faults.set(failed.code, failed.reason)
    const { code, retryAfterS } = error instanceof DsError ? error : {}
    // An administrator blocked this device: once per cycle is enough to learn that it was unblocked.
    if (code === 'device-blocked') {
      scheduleNext(schedule.afterSuccess(session.state()?.cycle ?? defaultCycleS))
      return
    }
    const waitMs = schedule.afterFailure(retryAfterS)
    if (retryAfterS !== undefined) pause = startPause(clock(), waitMs, true)
    scheduleNext(waitMs)
  }

  function synchronize(): Promise<SyncStatus> {
    pendingSync ??= attempt().finally(() => {
      pendingSync = undefined
      if (!isRequested) return
      isRequested = false
      requestSync()
    })
    return pendingSync
  }

  function requestSync(): void {
    if (pendingSync !== undefined) {
      isRequested = true
      return
    }
    const now = clock()
    const at = findEarliestStart(pause, now)
    if (next === undefined || next.at > at) scheduleNext(at - now)
  }

  return {
    start: () => scheduleNext(schedule.first(session.policy() !== undefined)),
    status: () => status,
    nextAt: () => next?.at,
    synchronize,
    synchronizeAnew: () => pendingSync?.then(synchronize) ?? synchronize(),
    synchronizeUnlessPaused: async () =>
      isPausedByService(pause, clock()) ? status : synchronize(),
    requestSync,
    onSuccess: (listener) => void listeners.add(listener),
    onAttempt: (listener) => void attemptListeners.add(listener),
    stop() {
      stopped = true
      next?.cancel()
    },
  }
}
