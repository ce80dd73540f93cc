/** Enforces the policy of the service: shows its verdict, and ends a forbidden version or an altered installation. */

import { type Clock, systemClock } from '../../system/clock.ts'
import type { Dialog } from '../../system/desktop/desktop.ts'
import type { Log } from '../../system/log.ts'
import { withTimeout } from '../../system/timeout.ts'
import type { Policy } from '../client/verify-reply.ts'
import type { Faults } from '../sync/faults.ts'
import type { Synchronizer } from '../sync/synchronizer.ts'
import { createFileChecks } from './check-files.ts'
import {
  findBlockingVerdict,
  findRecommendation,
  type MessageOptions,
  toMessage,
} from './verdict.ts'

/** Exit statuses. What starts the connector at log-in must not start it again after exit status 78. */
export const exitCodes = { forbidden: 78, altered: 3 } as const

/** Milliseconds. A forbidden version ends within 10 s of the verdict: synchronization, dialog, and the end itself. */
const timeouts = { syncMs: 2000, dialogMs: 6500, recommendMs: 600_000 } as const
/** Milliseconds after a recommendation without another, whatever the service recommends. */
const recommendationPauseMs = 3_600_000

/** `offersUpdates`: a window that ends the connector is shown in any case. */
export interface EnforceOptions extends MessageOptions {
  readonly version: string
  /** The folder of the installation. */
  readonly folder: string
  readonly policy: () => Policy | undefined
  readonly synchronizer: Pick<Synchronizer, 'synchronize' | 'onSuccess'>
  readonly dialog: Dialog
  readonly faults: Faults
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  /** The machine's own unless a test gives another. */
  readonly timers?: Pick<Clock, 'after'>
  /** Ends the process. */
  readonly end: (status: number) => void
}

/** Enforces the stored policy now, which may be old, and then the policy of each synchronization. */
export function enforcePolicy(options: EnforceOptions): void {
  const { version, policy, synchronizer, dialog, log, end } = options
  const { timers = systemClock } = options
  const shownVersions = new Set<string>()
  let isRecommending = false
  let enforcing = false
  let ended = false
  const files = createFileChecks({
    ...options,
    timers,
    isOver: () => ended,
    onAltered: () => shutDown(exitCodes.altered),
  })

  function enforce(from: 'storage' | 'synchronization'): void {
    void enforceVersion(from === 'storage')
    void recommend()
    void files.check()
  }

  async function enforceVersion(mayBeOld: boolean): Promise<void> {
    const verdict = findBlockingVerdict(policy(), version)
    if (verdict === undefined || enforcing) return
    enforcing = true
    const { action, offer } = verdict
    log.error('this version is forbidden', { action, version, offer: offer?.version })
    // An old verdict may have been withdrawn: a connector that ended without asking would never learn of it.
    if (mayBeOld) await withTimeout(synchronizer.synchronize(), timeouts.syncMs, timers)
    if (findBlockingVerdict(policy(), version)) {
      await dialog.show(toMessage(verdict, options), timeouts.dialogMs)
    }
    enforcing = false
    if (findBlockingVerdict(policy(), version)) return shutDown(exitCodes.forbidden)
    log.info('this version is allowed again', { version })
  }

  async function recommend(): Promise<void> {
    const verdict = findRecommendation(policy(), version)
    const offered = verdict?.offer?.version ?? ''
    if (verdict === undefined || isRecommending || shownVersions.has(offered)) return
    isRecommending = true
    shownVersions.add(offered)
    log.info('another version is recommended', { version, offer: offered })
    if (options.offersUpdates) await dialog.show(toMessage(verdict, options), timeouts.recommendMs)
    timers.after(recommendationPauseMs, () => {
      isRecommending = false
    })
  }

  function shutDown(status: number): void {
    if (ended) return
    ended = true
    end(status)
  }

  synchronizer.onSuccess(() => enforce('synchronization'))
  enforce('storage')
}
