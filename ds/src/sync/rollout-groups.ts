/** Finds which rollouts reach a device that syncs, and notes how it fares. */
import type { DeviceRollout, Platform } from '@cardwire/protocol'
import { compare } from 'semver'
import { findViolation } from '../db/constraint-error.ts'
import { findRolloutDevice, type RolloutRow, toPlan } from '../db/rollouts.ts'
import { rolloutDevices } from '../db/schema.ts'
import { type Arm, findArm, getShare, isOffering, toPercentile } from '../rules/rollout.ts'
import { observe, type Progress } from '../rules/rollout-progress.ts'
import type { Services } from '../services.ts'
import type { Catalog } from './catalog.ts'

/** A rollout in which a device takes part, and in which group. */
interface Participation {
  readonly rollout: RolloutRow
  readonly arm: Arm
}

interface SyncedDevice {
  readonly id: string
  readonly version: string
  readonly platform: Platform
  /** Until then it takes part in no rollout: a stranger can register any number of devices. */
  readonly approved: boolean
  /** The groups that it is in. */
  readonly groups: readonly string[]
}

/** The time of the last sync is stored again after this many milliseconds. */
const seenEveryMs = 3_600_000

/** The rollouts with an installer for its system that reach a device, or compare it. */
export async function findParticipations(
  { digest }: Pick<Services, 'digest'>,
  { rollouts, releases }: Pick<Catalog, 'rollouts' | 'releases'>,
  { id, platform, approved, groups }: Omit<SyncedDevice, 'version'>,
): Promise<readonly Participation[]> {
  if (!approved) return []
  const found: Participation[] = []
  for (const rollout of rollouts.filter(isOffering)) {
    const release = releases.find((one) => one.id === rollout.versionId)
    if (!release?.allowed || !release.uris.some(({ os }) => os === platform)) continue
    const percentile = toPercentile(await digest(`${rollout.salt} ${id}`))
    const arm = findArm(percentile, getShare(toPlan(rollout), groups))
    if (arm) found.push({ rollout, arm })
  }
  return found
}

export const isReachedBy = (participations: readonly Participation[]): ReadonlySet<string> =>
  new Set(participations.filter(({ arm }) => arm === 'reached').map(({ rollout }) => rollout.id))

/** Those that are not finished, as a device sees them. */
export async function listRolloutsOf(
  services: Pick<Services, 'digest'>,
  catalog: Pick<Catalog, 'rollouts' | 'releases'>,
  device: Omit<SyncedDevice, 'version'>,
): Promise<DeviceRollout[]> {
  const participations = await findParticipations(services, catalog, device)
  return catalog.rollouts.map(({ id, versionId: version, flag }) => ({
    ...{ id, version, flag },
    group: participations.find(({ rollout }) => rollout.id === id)?.arm ?? 'none',
  }))
}

/** Notes what a sync says about the version of each rollout. Few syncs say something new. */
export async function noteProgress(
  { db }: Pick<Services, 'db'>,
  participations: readonly Participation[],
  { id: deviceId, version, faults, now }: Pick<SyncedDevice, 'id' | 'version'> & Report,
): Promise<void> {
  for (const { rollout, arm } of participations) {
    const { id: rolloutId, stage, versionId } = rollout
    const row = await findRolloutDevice(db, rolloutId, deviceId)
    const order = compare(version, versionId)
    const has = order < 0 ? 'earlier' : order > 0 ? 'later' : 'same'
    const kinds = [...new Set(faults.map(({ kind }) => kind))]
    const before: Progress | undefined = row
    const next =
      observe(before, { arm, stage, now, has, faults: kinds }) ??
      (row && now - row.seenAt > seenEveryMs ? row : undefined)
    if (!next) continue
    const values = {
      ...{ arm: next.arm, stage: next.stage, since: next.since, seenAt: now },
      ...{ faults: next.faults, installedAt: next.installedAt, outcome: next.outcome },
    }
    try {
      await db
        .insert(rolloutDevices)
        .values({ rolloutId, deviceId, ...values })
        .onConflictDoUpdate({
          target: [rolloutDevices.rolloutId, rolloutDevices.deviceId],
          set: values,
        })
    } catch (error) {
      // The rollout or the device was removed meanwhile: there is nothing to note, and the sync has its reply.
      if (findViolation(error)?.kind !== 'reference') throw error
    }
  }
}

interface Report {
  readonly faults: readonly { readonly kind: string }[]
  readonly now: number
}
