/** The readers of this machine as a sandbox reports them; the last report is kept while a new sandbox starts. */

import { type Clock, systemClock } from '../../system/clock.ts'
import type { Log } from '../../system/log.ts'
import { createReaderReports } from './reader-reports.ts'
import type { Readers } from './readers.ts'
import { keepSandboxRunning } from './restart-sandbox.ts'
import { defaultTimeouts, type Timeouts } from './sandbox-process.ts'

export interface SupervisorOptions {
  /** The program of the sandbox and its arguments. */
  readonly command: readonly string[]
  readonly log: Pick<Log, 'warn' | 'error'>
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly clock?: Clock
  readonly timeouts?: Partial<Timeouts>
  /** How long a new reader may be left out until it is known whether it has a key pad, in milliseconds. */
  readonly holdBackMs?: number
}

export function superviseReaders(options: SupervisorOptions): Readers {
  const { clock = systemClock } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  let cancelHeartbeat = () => {}
  const reports = createReaderReports({
    query: (reader) => sandbox.current()?.queryFeatures(reader) ?? Promise.resolve('not-sent'),
    clock,
    log: options.log,
    holdBackMs: options.holdBackMs,
  })
  const { onState, onEnd, onStartError } = reports
  const sandbox = keepSandboxRunning({
    ...options,
    ...{ clock, timeouts, onState, onEnd, onStartError },
  })

  /** Checks the sandbox at intervals for those who wait for changes and do not read. Without them it stays idle. */
  const checkAtIntervals = () => {
    sandbox.current()?.checkAlive()
    cancelHeartbeat = clock.after(timeouts.heartbeatMs, checkAtIntervals)
  }

  return {
    snapshot() {
      sandbox.current()?.checkAlive()
      return reports.current()
    },
    ready(timeoutMs) {
      sandbox.current()?.checkAlive()
      return reports.ready(timeoutMs)
    },
    subscribe(listener) {
      const unsubscribe = reports.subscribe(listener)
      if (reports.listenerCount() === 1) checkAtIntervals()
      return () => {
        unsubscribe()
        if (reports.listenerCount() === 0) cancelHeartbeat()
      }
    },
    sandboxPid: () => sandbox.current()?.pid ?? 0,
    async stop() {
      cancelHeartbeat()
      reports.stop()
      await sandbox.stop()
    },
  }
}
