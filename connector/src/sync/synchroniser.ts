/** Keeps connector and service in step: one synchronisation at a time, once per cycle, and one line for each change. */
import type { Log } from '../system/log.ts'
import type { Exchange } from './exchange.ts'
import type { Faults } from './faults.ts'
import type { Later } from './later.ts'
import type { Schedule } from './schedule.ts'
import { ServiceRefusal } from './service.ts'
import { isSame, type Standing, standingAfter } from './standing.ts'

export interface Synchroniser {
  /** The first one is due within a minute. */
  begin(): void
  standing(): Standing
  /** When the next one is due, milliseconds since 1970. */
  nextAt(): number | undefined
  /** Synchronises now; whoever asks meanwhile waits for the same one. Never throws. */
  now(): Promise<Standing>
  /** Synchronises soon, as often as a service can bear that pages ask for it. */
  soon(): void
  /** Called after every good one. */
  onGood(listener: () => void): void
  stop(): void
}

export interface SynchroniserParts {
  readonly exchange: Pick<Exchange, 'once' | 'policy' | 'kept'>
  readonly schedule: Schedule
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly later: Later
  readonly faults: Pick<Faults, 'set' | 'clear'>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
}

/** Between two that pages ask for, in milliseconds. */
const pageGapMs = 5_000

/** A service that says no cycle: eight hours, as the specification of the service has it. */
const defaultCycleS = 28_800

export function createSynchroniser(parts: SynchroniserParts): Synchroniser {
  const { exchange, schedule, clock, later, faults, log } = parts
  const listeners = new Set<() => void>()
  let standing: Standing = { kind: 'waiting' }
  let running: Promise<Standing> | undefined
  let due: { readonly at: number; readonly cancel: () => void } | undefined
  let stopped = false
  /** Before this nobody is asked because a page would like it. */
  let notBefore = Number.NEGATIVE_INFINITY

  function plan(ms: number): void {
    due?.cancel()
    if (!stopped) due = { at: clock() + ms, cancel: later(ms, () => void now()) }
  }

  function tell(next: Standing): void {
    if (!isSame(standing, next)) {
      if (next.kind === 'good') log.info('synchronised')
      else log.warn('not synchronised', { ...next })
    }
    standing = next
  }

  async function attempt(): Promise<Standing> {
    notBefore = clock() + pageGapMs
    try {
      await exchange.once()
      // It was in what has just gone out.
      faults.clear('reply-refused')
      tell({ kind: 'good', at: clock() })
      plan(schedule.afterGood(exchange.kept()?.cycle ?? defaultCycleS))
    } catch (error) {
      const after = standingAfter(error)
      tell(after)
      if ('code' in after && after.code === 'reply-refused') faults.set(after.code, after.reason)
      const refusal = error instanceof ServiceRefusal ? error : undefined
      // An administrator has decided: once per cycle is enough to hear that it was taken back.
      if (refusal?.code === 'device-blocked') {
        plan(schedule.afterGood(exchange.kept()?.cycle ?? defaultCycleS))
      } else {
        const waitMs = schedule.afterBad(refusal?.retryAfterS)
        if (refusal?.retryAfterS !== undefined) notBefore = clock() + waitMs
        plan(waitMs)
      }
    }
    if (standing.kind === 'good') for (const listener of listeners) listener()
    return standing
  }

  function now(): Promise<Standing> {
    running ??= attempt().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    begin: () => plan(schedule.first(exchange.policy() !== undefined)),
    standing: () => standing,
    nextAt: () => due?.at,
    now,
    soon() {
      const at = Math.max(clock(), notBefore)
      if (running === undefined && (due === undefined || due.at > at)) plan(at - clock())
    },
    onGood: (listener) => void listeners.add(listener),
    stop() {
      stopped = true
      due?.cancel()
    },
  }
}
