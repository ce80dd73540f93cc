/** The readers of this machine as a sandbox reports them; the last report is kept while a new sandbox starts. */

import { type Clock, systemClock } from '../../system/clock.ts'
import type { ConnectedReader, ReaderState } from '../../system/ipc/sandbox-messages.ts'
import type { Log } from '../../system/log.ts'
import { createPinpadCache, type PinpadCache } from './pinpad-cache.ts'
import { createReaderIds } from './reader-id.ts'
import type { Reader, Readers } from './readers.ts'
import { keepSandboxRunning } from './restart-sandbox.ts'
import { defaultTimeouts, type Timeouts } from './sandbox-process.ts'
import { createSnapshots } from './snapshots.ts'

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

/** How long the last report stays published after its sandbox ended, in milliseconds: the next one needs 100. */
const graceMs = 1000

export function superviseReaders(options: SupervisorOptions): Readers {
  const { command, env, log, clock = systemClock } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const snapshots = createSnapshots(log)
  /** Resolved when the running sandbox has reported, or when there is nothing to wait for. */
  let firstReport = Promise.withResolvers<void>()
  let reported = false
  let state: ReaderState | undefined
  let stopped = false
  let cancelGrace: (() => void) | undefined
  let cancelHeartbeat = () => {}

  const pinpads = createPinpadCache({
    clock,
    holdBackMs: options.holdBackMs,
    query: (reader) => sandbox.current()?.queryFeatures(reader) ?? Promise.resolve('not-sent'),
    onChange: () => publishState(),
  })

  /** Publishes the last report; a reader is left out until its pinpad is known or no longer waited for. */
  const publishState = () => {
    if (!state || stopped) return
    if (state.kind === 'down') {
      snapshots.publish({ kind: 'down', code: state.code, reason: state.reason }, [])
    } else {
      const readers = toReaders(state.readers, pinpads)
      const isComplete = readers.length === state.readers.length
      // The first report of a sandbox is published whole: a part of it would look as if readers were removed.
      if (isComplete || snapshots.current().pcsc.kind === 'up') {
        snapshots.publish({ kind: 'up' }, readers)
      }
      if (!isComplete) return
    }
    markReported()
  }

  const publishDown = (code: string, reason: string) => {
    state = undefined
    pinpads.setReaders([])
    snapshots.publish({ kind: 'down', code, reason }, [])
    markReported()
  }

  const markReported = () => {
    cancelGrace?.()
    cancelGrace = undefined
    reported = true
    firstReport.resolve()
  }

  const sandbox = keepSandboxRunning({
    command,
    ...(env && { env }),
    clock,
    timeouts,
    log,
    onState(next) {
      state = next
      pinpads.setReaders(next.kind === 'up' ? next.readers.map(({ name }) => name) : [])
      publishState()
    },
    onEnd(end) {
      state = undefined
      if (reported) firstReport = Promise.withResolvers()
      reported = false
      // Counted from the first of several sandboxes that end without a report.
      cancelGrace ??= clock.after(graceMs, () => {
        const code = end === 'stuck' || end === 'no-reply' ? 'SANDBOX_STUCK' : 'SANDBOX_ENDED'
        publishDown(code, reasons[code])
      })
    },
    onStartError: (reason) =>
      publishDown('SANDBOX_NOT_SPAWNED', `The sandbox cannot be started: ${reason}`),
  })

  /** Checks the sandbox at intervals for those who wait for changes and do not read. Without them it stays idle. */
  const checkAtIntervals = () => {
    sandbox.current()?.checkAlive()
    cancelHeartbeat = clock.after(timeouts.heartbeatMs, checkAtIntervals)
  }

  return {
    snapshot() {
      sandbox.current()?.checkAlive()
      return snapshots.current()
    },
    async ready(timeoutMs) {
      sandbox.current()?.checkAlive()
      const timeout = Promise.withResolvers<void>()
      const cancel = clock.after(timeoutMs, timeout.resolve)
      await Promise.race([firstReport.promise, timeout.promise])
      cancel()
    },
    subscribe(listener) {
      const unsubscribe = snapshots.subscribe(listener)
      if (snapshots.listenerCount() === 1) checkAtIntervals()
      return () => {
        unsubscribe()
        if (snapshots.listenerCount() === 0) cancelHeartbeat()
      }
    },
    sandboxPid: () => sandbox.current()?.pid ?? 0,
    async stop() {
      stopped = true
      cancelGrace?.()
      cancelHeartbeat()
      pinpads.stop()
      firstReport.resolve()
      await sandbox.stop()
    },
  }
}

/** The readers whose pinpad is known, with their ids. */
function toReaders(found: readonly ConnectedReader[], pinpads: PinpadCache): readonly Reader[] {
  const ids = createReaderIds(found.map(({ name }) => name))
  return found.flatMap(({ name, atr }) => {
    const pinpad = pinpads.get(name)
    const id = ids.get(name)
    if (pinpad === undefined || id === undefined) return []
    return [{ id, name, pinpad, ...(atr !== undefined && { card: { atr } }) }]
  })
}

const reasons = {
  SANDBOX_STUCK:
    'The card service or a driver does not answer; the sandbox is started again and again',
  SANDBOX_ENDED: 'The sandbox ended; it is started again',
}
