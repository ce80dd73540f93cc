/** Which devices a rollout reaches, and what the registered versions look like to each of them. */

/** A part of a rollout: a share of all devices or of a group, in percent, and how long it stays at that share. */
export interface Stage {
  readonly share: number
  readonly group?: string | undefined
  readonly holdS: number
}

export type RolloutState = 'draft' | 'running' | 'paused' | 'halted' | 'finished'

export interface RolloutPlan {
  readonly id: string
  readonly versionId: string
  /** What the version is for the devices that are reached. */
  readonly flag: 'recommended' | 'mandatory'
  readonly state: RolloutState
  readonly stages: readonly Stage[]
  /** Its place in `stages`. */
  readonly stage: number
}

/** `reached`: gets the version. `control`: is compared with those, and gets nothing. */
export type Arm = 'reached' | 'control'

/** Where a device stands among all, from 0 to 100: the first 32 bits of SHA-256 over the salt of the rollout and its id. */
export const toPercentile = (sha256: string): number =>
  (Number.parseInt(sha256.slice(0, 8), 16) / 2 ** 32) * 100

/** A paused rollout still offers its version to the devices that it has reached; a halted one to none. */
export const isOffering = ({ state }: Pick<RolloutPlan, 'state'>): boolean =>
  state === 'running' || state === 'paused'

/** The percentage that a rollout reaches now of the devices in these groups: each stage that has begun keeps its devices. */
export const getShare = (
  rollout: Pick<RolloutPlan, 'state' | 'stages' | 'stage'>,
  groups: readonly string[] = [],
): number => {
  const begun = isOffering(rollout) ? rollout.stages.slice(0, rollout.stage + 1) : []
  const own = begun.filter(({ group }) => group === undefined || groups.includes(group))
  return Math.max(0, ...own.map(({ share }) => share))
}

/** The half that is reached last: a small control group would know too little about silence. */
const controlFrom = 50

/** Raising the share keeps all devices in. Those of the last half that are not reached are compared with them. */
export function findArm(percentile: number, share: number): Arm | undefined {
  if (percentile < share) return 'reached'
  return percentile >= controlFrom ? 'control' : undefined
}

interface Release {
  readonly id: string
  readonly recommended: boolean
  readonly mandatory: boolean
  readonly allowed: boolean
}

/**
 * The versions as a device sees them: one that is rolled out has the flag of its rollout for the devices that it reaches.
 * For all others it is not there, unless it is not allowed, which every device has to know.
 */
export function applyRollouts<R extends Release>(
  releases: readonly R[],
  rollouts: readonly RolloutPlan[],
  reachedBy: ReadonlySet<string> = new Set(),
): readonly (R & { readonly isRolledOut?: boolean })[] {
  const open = rollouts.filter(({ state }) => state !== 'finished')
  if (open.length === 0) return releases
  return releases.flatMap((release) => {
    const rollout = open.find(({ versionId }) => versionId === release.id)
    if (!rollout || !release.allowed) return [release]
    return isOffering(rollout) && reachedBy.has(rollout.id)
      ? [{ ...release, [rollout.flag]: true, isRolledOut: true }]
      : []
  })
}

/** Of so many rollouts, each combination is looked at; of more, those that reach none, one and all. */
const maxCombined = 4

/** By which rollouts a device may be reached: first by none. What devices see of the versions differs only in that. */
export function listReachedBy(rollouts: readonly RolloutPlan[]): readonly ReadonlySet<string>[] {
  const ids = rollouts.filter(isOffering).map(({ id }) => id)
  if (ids.length > maxCombined) return [new Set(), ...ids.map((id) => new Set([id])), new Set(ids)]
  const sets: ReadonlySet<string>[] = [new Set()]
  for (const id of ids) sets.push(...sets.map((set) => new Set([...set, id])))
  return sets
}
