/** Does what the service has said: shows its verdict, ends a version that must not run, and one that was altered. */
import type { Dialog } from '../desktop/desktop.ts'
import type { Log } from '../system/log.ts'
import { within } from '../system/within.ts'
import { checkFiles } from './digests.ts'
import type { Faults } from './faults.ts'
import type { Policy } from './state.ts'
import type { Synchroniser } from './synchroniser.ts'
import { forbidding, messageOf, recommending } from './verdict.ts'

/** Exit statuses; a start that follows the log-in does not repeat itself after the first. */
export const exits = { forbidden: 78, altered: 3 } as const

/** Milliseconds: 10 s in all from the verdict to the end, of which the end takes the rest. */
const patience = { freshMs: 2000, dialogMs: 6500, recommendMs: 600_000, alteredMs: 5000 } as const

export interface OrderParts {
  readonly version: string
  /** What the program was installed in. */
  readonly folder: string
  readonly policy: () => Policy | undefined
  readonly synchroniser: Pick<Synchroniser, 'now' | 'onGood'>
  readonly dialog: Dialog
  readonly faults: Faults
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  /** Ends the process. */
  readonly end: (status: number) => void
}

/** Follows the last good state, which may have been said long ago, and then each synchronisation. */
export function followOrders(parts: OrderParts): void {
  const { version, folder, policy, synchroniser, dialog, faults, log, end } = parts
  const shown = new Set<string>()
  let obeying = false
  let ended = false
  let checking = false
  let again = false

  function follow(): void {
    void obey(false)
    recommend()
    void check()
  }

  async function obey(mayBeOld: boolean): Promise<void> {
    const verdict = forbidding(policy(), version)
    if (verdict === undefined || obeying) return
    obeying = true
    const { action, offer } = verdict
    log.error('this version must not run on', { action, version, offer: offer?.version })
    // An administrator may have taken it back since: whoever ends without asking would never hear of it.
    const fresh: Promise<unknown> = mayBeOld ? synchroniser.now() : Promise.resolve()
    await within(fresh, patience.freshMs)
    if (forbidding(policy(), version)) await dialog.show(messageOf(verdict), patience.dialogMs)
    obeying = false
    if (forbidding(policy(), version)) return leave(exits.forbidden)
    log.info('this version may run on', { version })
  }

  function recommend(): void {
    const verdict = recommending(policy(), version)
    const name = verdict?.offer?.version ?? ''
    if (verdict === undefined || shown.has(name)) return
    shown.add(name)
    log.info('another version is recommended', { version, offer: name })
    void dialog.show(messageOf(verdict), patience.recommendMs)
  }

  /** One check at a time; whatever was said meanwhile is checked behind it. */
  async function check(): Promise<void> {
    again = true
    if (checking) return
    checking = true
    while (again && !ended) {
      again = false
      await checkOnce()
    }
    checking = false
  }

  async function checkOnce(): Promise<void> {
    const before = policy()
    if (before === undefined || before.files.length === 0) return allClear()
    const checked = await checkFiles(folder, before.files)
    if (checked.kind === 'good') return allClear()
    if (checked.kind === 'refused') {
      faults.clear('digest-mismatch')
      faults.set('digests-refused', checked.reason)
      return log.error('digests refused', { reason: checked.reason })
    }
    const paths = checked.paths.join(', ')
    log.error('files of the installation were altered', { folder, paths })
    faults.set('digest-mismatch', paths)
    // The service is told before the end, and may have another list by now.
    await within(synchroniser.now(), patience.alteredMs)
    if (JSON.stringify(policy()?.files) !== JSON.stringify(before.files)) return
    leave(exits.altered)
  }

  function leave(status: number): void {
    if (ended) return
    ended = true
    end(status)
  }

  function allClear(): void {
    for (const kind of ['digest-mismatch', 'digests-refused']) faults.clear(kind)
  }

  synchroniser.onGood(follow)
  void obey(true)
  recommend()
  void check()
}
