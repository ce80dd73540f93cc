/** The versions and rollouts that the service has stored, and what a device gets of them according to the documents. */
import { createHash } from 'node:crypto'
import type { Storage } from './service-database.ts'

export interface StoredVersion {
  readonly id: string
  readonly recommended: boolean
  readonly mandatory: boolean
  readonly allowed: boolean
}

export interface StoredRollout {
  readonly id: string
  readonly version: string
  readonly flag: 'recommended' | 'mandatory'
  readonly state: 'draft' | 'running' | 'paused' | 'halted' | 'finished'
  readonly stages: readonly {
    readonly share: number
    readonly group?: string
    /** Seconds. */
    readonly holdS: number
  }[]
  readonly stage: number
  /** When the stage began, and when the rollout was changed last, by the clock of the node that did it. */
  readonly stageAt: number | null
  readonly updatedAt: number
  readonly salt: string
}

export interface Releases {
  /** The oldest first. */
  readonly versions: readonly StoredVersion[]
  readonly rollouts: readonly StoredRollout[]
}

/** A device as it asks. */
export interface AskingDevice {
  readonly id: string
  readonly version: string
  readonly hostname: string
}

export interface Told {
  readonly action: string
  /** The version that it may update to. */
  readonly offer: string | undefined
}

/** The group of the simulation: three machines in ten. */
export const groupHostnames = ['*1', '*4', '*7']
const isInGroup = ({ hostname }: AskingDevice) => /[147]$/.test(hostname)

type Flag = 0 | 1

export function readReleases({ connection }: Storage): Releases {
  const versions = connection
    .query<{ id: string; recommended: Flag; mandatory: Flag; allowed: Flag }, []>(
      'SELECT id, recommended, mandatory, allowed FROM versions ORDER BY id',
    )
    .all()
  const rollouts = connection
    .query<Omit<StoredRollout, 'stages'> & { readonly plan: string }, []>(
      `SELECT id, version_id AS version, flag, state, plan, stage, salt, stage_at AS stageAt, updated_at AS updatedAt
       FROM rollouts ORDER BY id`,
    )
    .all()
  return {
    versions: versions.map(({ id, recommended, mandatory, allowed }) => ({
      ...{ id, recommended: recommended === 1 },
      ...{ mandatory: mandatory === 1, allowed: allowed === 1 },
    })),
    rollouts: rollouts.map(({ plan, ...rollout }) => ({
      ...rollout,
      stages: JSON.parse(plan).stages,
    })),
  }
}

/** Whether a rollout offers its version to a device. */
export function isOfferedTo(rollout: StoredRollout, device: AskingDevice | undefined): boolean {
  if (device === undefined || !/^(running|paused)$/.test(rollout.state)) return false
  const sha256 = createHash('sha256').update(`${rollout.salt} ${device.id}`).digest()
  const percentile = (sha256.readUInt32BE() / 2 ** 32) * 100
  return rollout.stages
    .slice(0, rollout.stage + 1)
    .some(({ share, group }) => percentile < share && (group === undefined || isInGroup(device)))
}

interface VisibleVersion extends StoredVersion {
  /** A rollout gives it to the device. */
  readonly isRolledOut?: boolean
}

/** The versions that there are for a device, or without one, for all. */
function listVisible(
  { versions, rollouts }: Releases,
  device: AskingDevice | undefined,
): readonly VisibleVersion[] {
  return versions.flatMap((version) => {
    const rollout = rollouts.find(
      ({ version: id, state }) => id === version.id && state !== 'finished',
    )
    if (!rollout || !version.allowed) return [version]
    return isOfferedTo(rollout, device)
      ? [{ ...version, [rollout.flag]: true, isRolledOut: true }]
      : []
  })
}

/** The newest version that anybody can download. */
export const findDownload = (releases: Releases): string | undefined =>
  listVisible(releases, undefined).findLast(({ allowed }) => allowed)?.id

/** What a device gets: all versions of the simulation have an installer, and their ids sort as they follow each other. */
export function findTold(releases: Releases, device: AskingDevice): Told {
  const visible = listVisible(releases, device)
  const latest = visible.findLast(({ allowed }) => allowed)
  const required = visible.findLast(
    ({ id, mandatory, allowed }) => mandatory && (allowed || (latest && latest.id > id)),
  )
  const target = latest && required && latest.id < required.id ? undefined : latest?.id
  if (visible.find(({ id }) => id === device.version)?.allowed === false)
    return { action: 'stop', offer: target }
  if (required && required.id > device.version)
    return { action: 'require', offer: required.isRolledOut ? required.id : target }
  const suggested = visible.findLast(({ recommended, allowed }) => recommended && allowed)
  return suggested && suggested.id > device.version
    ? { action: 'recommend', offer: suggested.id }
    : { action: 'none', offer: undefined }
}
