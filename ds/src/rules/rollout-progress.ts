/** What a rollout notes of a device when it syncs: that it has the version, and whether that went well. */
import type { Arm } from './rollout.ts'

/** How a device fares. A fault lasts as long as the device has it; only going back is final. */
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

/**
 * After these seconds without a sync, a device counts as silent, in both groups alike, until it syncs again. Long enough for a
 * weekend with a holiday: while whole offices are silent, a device that the version silenced cannot be told from them.
 */
export const silenceS = 120 * 3600

/** What is noted from now on; undefined: nothing new. A device of the control group is noted anew in each stage, as others are reached. */
export function observe(before: Progress | undefined, seen: Sighting): Progress | undefined {
  const { arm, stage, now, has, faults } = seen
  const isNoted = before?.arm === 'reached' || (before?.arm === arm && before?.stage === stage)
  // A device that has the version without having been offered it tells nothing about the update.
  if (!before || !isNoted)
    return arm && has === 'earlier'
      ? { arm, stage, since: now, faults, installedAt: null, outcome: null }
      : undefined
  const isOther = has === 'later' || (before.arm === 'control' && has === 'same')
  if (isOther || before.outcome === 'went-back') return undefined
  const installedAt = before.installedAt ?? (has === 'same' ? now : null)
  const outcome = judge(before, seen)
  const isSame = installedAt === before.installedAt && outcome === before.outcome
  return isSame ? undefined : { ...before, installedAt, outcome }
}

/**
 * A new fault counts as long as the device has it, and with or without the version, because the same holds for the control group:
 * what strikes the whole fleet strikes both alike.
 */
function judge({ arm, installedAt, faults: known }: Progress, { has, faults }: Sighting) {
  if (has === 'earlier' && installedAt !== null) return 'went-back'
  if (hasNew(faults, known)) return 'fault'
  return arm === 'control' || installedAt !== null ? 'success' : null
}

const hasNew = (faults: readonly string[], known: readonly string[]) =>
  faults.some((kind) => !known.includes(kind))

const hasFailed = ({ outcome }: Pick<Progress, 'outcome'>) =>
  outcome === 'fault' || outcome === 'went-back'

/** Silence is no failure yet, because the control group may be as silent. A device with a failure counts once. */
export const isSilent = (
  progress: Pick<Progress, 'outcome'>,
  lastSyncAt: number,
  now: number,
): boolean => !hasFailed(progress) && now - lastSyncAt > silenceS * 1000

/** Whether it was reached, or got the version, too lately for its silence to be known. */
export const isFresh = (
  { since, installedAt }: Pick<Progress, 'since' | 'installedAt'>,
  now: number,
): boolean => now - (installedAt ?? since) <= silenceS * 1000
