/** Checks the files of the installation at start and after each policy, and reports what was altered. */
import type { Clock } from '../../system/clock.ts'
import type { Log } from '../../system/log.ts'
import { withTimeout } from '../../system/timeout.ts'
import type { Policy } from '../client/verify-reply.ts'
import type { Faults } from '../sync/faults.ts'
import type { Synchronizer } from '../sync/synchronizer.ts'
import { checkFileDigests } from './file-digests.ts'

export interface FileChecks {
  /** Runs one check at a time; a call during a check leads to another check after it. */
  check(): Promise<void>
}

export interface FileCheckOptions {
  /** The folder of the installation. */
  readonly folder: string
  readonly policy: () => Policy | undefined
  readonly synchronizer: Pick<Synchronizer, 'synchronize'>
  readonly faults: Pick<Faults, 'set' | 'clear'>
  readonly log: Pick<Log, 'error'>
  readonly timers: Pick<Clock, 'after'>
  /** Whether no further check is needed: the connector ends. */
  readonly isOver: () => boolean
  /** Called when files are altered, and the service still lists the same digests. */
  readonly onAltered: () => void
}

/** Milliseconds for the synchronization that reports altered files. */
const reportMs = 5000

export function createFileChecks(options: FileCheckOptions): FileChecks {
  let checking = false
  let checkAgain = false
  return {
    async check() {
      checkAgain = true
      if (checking) return
      checking = true
      while (checkAgain && !options.isOver()) {
        checkAgain = false
        await checkOnce(options)
      }
      checking = false
    },
  }
}

async function checkOnce(options: FileCheckOptions): Promise<void> {
  const { folder, policy, synchronizer, faults, log, timers, onAltered } = options
  const checked = policy()
  if (checked === undefined || checked.files.length === 0) return clearFaults(faults)
  const result = await checkFileDigests(folder, checked.files)
  if (result.kind === 'intact') return clearFaults(faults)
  if (result.kind === 'unchecked') {
    faults.clear('digest-mismatch')
    faults.set('digests-refused', result.reason)
    return log.error('digests refused', { reason: result.reason })
  }
  const paths = result.paths.join(', ')
  log.error('files of the installation were altered', { folder, paths })
  faults.set('digest-mismatch', paths)
  // Reports the fault before the end; the reply may contain another list.
  await withTimeout(synchronizer.synchronize(), reportMs, timers)
  if (JSON.stringify(policy()?.files) !== JSON.stringify(checked.files)) return
  onAltered()
}

function clearFaults(faults: FileCheckOptions['faults']): void {
  for (const kind of ['digest-mismatch', 'digests-refused']) faults.clear(kind)
}
