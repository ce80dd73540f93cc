/** Keeps one sandbox process running: starts the next one when it ends, after longer and longer delays while they fail. */

import { errorText } from '../../system/error-text.ts'
import type { Log } from '../../system/log.ts'
import {
  type SandboxEnd,
  type SandboxOptions,
  type SandboxProcess,
  startSandbox,
} from './sandbox-process.ts'

/** When the next sandbox starts, in milliseconds after the last ended: at once at first, then doubled up to the maximum. */
const restartMs = { first: 100, max: 5000 }
/** The end of a sandbox that ran longer than this, in milliseconds, is the first failure of a new series. */
const stableMs = 10_000

export interface RestartingSandbox {
  /** Undefined while none runs. */
  current(): SandboxProcess | undefined
  /** Ends the sandbox; no other one is started. */
  stop(): Promise<void>
}

export interface RestartOptions extends Omit<SandboxOptions, 'onEnd'> {
  readonly log: Pick<Log, 'warn' | 'error'>
  /** Called when a sandbox ended by itself, before the next one is started. */
  readonly onEnd: (end: SandboxEnd) => void
  /** Called each time that a sandbox cannot be started. */
  readonly onStartError: (reason: string) => void
}

export function keepSandboxRunning(options: RestartOptions): RestartingSandbox {
  const { command, clock, log } = options
  let sandbox: SandboxProcess | undefined
  let stopped = false
  let failures = 0
  let lastStartError: string | undefined
  let cancelRestart = () => {}

  const start = () => {
    const startedAt = clock.now()
    try {
      sandbox = startSandbox({
        ...options,
        onEnd: (end) => handleEnd(end, clock.now() - startedAt),
      })
      lastStartError = undefined
    } catch (error) {
      const reason = errorText(error)
      if (reason !== lastStartError) {
        log.error('sandbox not spawned', { pid: 0, command: command[0], reason })
      }
      lastStartError = reason
      sandbox = undefined
      options.onStartError(reason)
      scheduleRestart()
    }
  }

  const handleEnd = (end: SandboxEnd, livedMs: number) => {
    const pid = sandbox?.pid
    sandbox = undefined
    if (stopped) return
    log.warn('sandbox ended', { pid, end, livedMs: Math.round(livedMs) })
    if (livedMs > stableMs) failures = 0
    options.onEnd(end)
    scheduleRestart()
  }

  const scheduleRestart = () => {
    cancelRestart = clock.after(findDelayMs(failures), start)
    failures += 1
  }

  start()

  return {
    current: () => sandbox,
    async stop() {
      stopped = true
      cancelRestart()
      await sandbox?.stop()
    },
  }
}

/** Before the next start, after so many failures of the series. */
const findDelayMs = (failures: number): number =>
  failures === 0 ? 0 : Math.min(restartMs.first * 2 ** (failures - 1), restartMs.max)
