/** What is published of the reports of sandboxes: the last one stays for a moment after its sandbox has ended. */
import type { Clock } from '../../system/clock.ts'
import type { ConnectedReader, ReaderState } from '../../system/ipc/sandbox-messages.ts'
import type { Log } from '../../system/log.ts'
import { createFirstReport } from './first-report.ts'
import { createPinpadCache, type PinpadCache, type QueryFeatures } from './pinpad-cache.ts'
import { createReaderIds } from './reader-id.ts'
import type { Reader } from './readers.ts'
import type { SandboxEnd } from './sandbox-process.ts'
import { createSnapshots, type Snapshots } from './snapshots.ts'

export interface ReaderReports extends Omit<Snapshots, 'publish'> {
  onState(state: ReaderState): void
  /** A sandbox has ended by itself. */
  onEnd(end: SandboxEnd): void
  /** A sandbox cannot be started. */
  onStartError(reason: string): void
  /** Resolves when the running sandbox has reported, or after this many milliseconds. */
  ready(timeoutMs: number): Promise<void>
  /** Publishes no further report. */
  stop(): void
}

/** How long the last report stays published after its sandbox ended, in milliseconds: the next one needs 100, and on a busy machine more than 1000. */
const graceMs = 3000

export interface ReportOptions {
  readonly query: QueryFeatures
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
  readonly holdBackMs: number | undefined
}

export function createReaderReports(options: ReportOptions): ReaderReports {
  const { clock, log } = options
  const { publish, ...snapshots } = createSnapshots(log)
  const firstReport = createFirstReport(clock)
  const pinpads = createPinpadCache({ ...options, onChange: () => publishState() })
  let state: ReaderState | undefined
  let cancelGrace: (() => void) | undefined

  const markReported = () => {
    cancelGrace?.()
    cancelGrace = undefined
    firstReport.resolve()
  }
  /** Publishes the last report; a reader is left out until its pinpad is known or no longer waited for. */
  const publishState = () => {
    if (!state) return
    if (state.kind === 'down') {
      publish({ kind: 'down', code: state.code, reason: state.reason }, [])
    } else {
      const readers = toReaders(state.readers, pinpads)
      const isComplete = readers.length === state.readers.length
      // The first report of a sandbox is published whole: a part of it would look as if readers were removed.
      if (isComplete || snapshots.current().pcsc.kind === 'up') publish({ kind: 'up' }, readers)
      if (!isComplete) return
    }
    markReported()
  }
  const publishDown = (code: string, reason: string) => {
    state = undefined
    pinpads.setReaders([])
    publish({ kind: 'down', code, reason }, [])
    markReported()
  }

  return {
    ...snapshots,
    onState(next) {
      state = next
      pinpads.setReaders(next.kind === 'up' ? next.readers.map(({ name }) => name) : [])
      publishState()
    },
    onEnd(end) {
      state = undefined
      firstReport.restart()
      // Counted from the first of several sandboxes that end without a report.
      cancelGrace ??= clock.after(graceMs, () => publishDown(...describeEnd(end)))
    },
    onStartError: (reason) =>
      publishDown('SANDBOX_NOT_SPAWNED', `The sandbox cannot be started: ${reason}`),
    ready: firstReport.wait,
    stop() {
      state = undefined
      cancelGrace?.()
      pinpads.stop()
      firstReport.resolve()
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

/** The code and the reason of an end that is published. */
const describeEnd = (end: SandboxEnd): readonly [code: string, reason: string] =>
  end === 'stuck' || end === 'no-reply'
    ? [
        'SANDBOX_STUCK',
        'The smart card service or a driver is not responding; the sandbox keeps restarting',
      ]
    : ['SANDBOX_ENDED', 'The sandbox ended; it is started again']
