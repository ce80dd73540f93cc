/** What a rollout notes of a device when it syncs: that it has the version, and whether that went well. */
import type { Arm } from './rollout.ts'

/** How a device fares; a success can still become a failure. */
export type Outcome = 'success' | 'fault' | 'went-back'

export interface Progress {
  readonly arm: Arm
  /** The stage in which it was reached or first compared. */
  readonly stage: number
  /** Milliseconds since 1970, as all times. */
  readonly since: number
  /** The kinds of faults that it had then: only others count. */
  readonly faults: readonly string[]
  /** The first sync with the version; null before, and in the control group. */
  readonly installedAt: number | null
  readonly outcome: Outcome | null
}

export interface Sighting {
  /** Which group the device is in now, if any. */
  readonly arm: Arm | undefined
  readonly stage: number
  readonly now: number
  /** Its version, compared with that of the rollout. */
  readonly has: 'earlier' | 'same' | 'later'
  readonly faults: readonly string[]
}

/** After these seconds without a sync, a device counts as silent, in both groups alike, until it syncs again. */
export const silenceS = 48 * 3600

/** What is noted from now on; undefined: nothing new. */
export function observe(before: Progress | undefined, seen: Sighting): Progress | undefined {
  const { arm, stage, now, has, faults } = seen
  // A device that has the version without having been offered it tells nothing about the update.
  const isNew = !before || (before.arm === 'control' && arm === 'reached')
  if (isNew)
    return arm && has === 'earlier'
      ? { arm, stage, since: now, faults, installedAt: null, outcome: null }
      : undefined
  const isInstalled = before.installedAt !== null
  const installedAt =
    isInstalled || before.arm === 'control' || has !== 'same' ? before.installedAt : now
  const outcome = judge(before, seen, isInstalled)
  if (installedAt === before.installedAt && outcome === before.outcome) return undefined
  return { ...before, installedAt, outcome }
}

function judge(before: Progress, { has, faults }: Sighting, isInstalled: boolean): Outcome | null {
  if (before.outcome === 'fault' || before.outcome === 'went-back') return before.outcome
  const isAwaited = before.arm === 'control' ? has !== 'earlier' : has === 'earlier' && !isInstalled
  if (isAwaited) return before.outcome
  if (has === 'earlier' && before.arm === 'reached') return 'went-back'
  if (faults.some((kind) => !before.faults.includes(kind))) return 'fault'
  return before.arm === 'reached' && !isInstalled ? before.outcome : 'success'
}
