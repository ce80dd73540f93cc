/** Counts whom a change reaches, and refuses one that reaches more than its caller was shown. */
import {
  type ConfigurationReach,
  type ConfigurationType,
  type GroupRule,
  Problem,
  type ProblemExtras,
  type SigningKeyUse,
  type VersionReach,
} from '@cardwire/protocol'
import { and, count, eq, gt, gte, lt, notLike, or, sql, sum } from 'drizzle-orm'
import { isBrowserSessionValid } from '../auth/identity/browser-sessions.ts'
import { isProgramSessionValid } from '../auth/identity/session-validity.ts'
import { countDevices, total } from '../db/device-counts.ts'
import { isServed } from '../db/device-filter.ts'
import { fitsRules, readRules } from '../db/groups.ts'
import { readReleases } from '../db/read-releases.ts'
import { readOpenRollouts, toPlan } from '../db/rollouts.ts'
import {
  browserSessions,
  configurations,
  counters,
  deviceCounts,
  devices,
  labels,
  sessions,
} from '../db/schema.ts'
import { findAffectedDevices } from '../rules/affected-devices.ts'
import type { DeviceGroup } from '../rules/devices-without-installer.ts'
import { applyRollouts, listReachedBy, type RolloutPlan } from '../rules/rollout.ts'
import type { PlannedInstaller } from '../rules/same-installer.ts'
import { prepareVerdicts } from '../rules/verdict.ts'
import { createViews } from '../rules/views.ts'
import type { Services } from '../services.ts'
import { findLostSites } from './lost-sites.ts'

type CountServices = Pick<Services, 'db' | 'reader' | 'clock' | 'settings'>

/** A version as it would be. */
export interface PlannedVersion {
  /** The version whose configurations are copied to it. */
  readonly copyFrom?: string | undefined
  readonly id: string
  readonly recommended: boolean
  readonly mandatory: boolean
  readonly allowed: boolean
  readonly uris: readonly PlannedInstaller[]
  /** A rollout gives it to devices. */
  readonly isRolledOut?: boolean
}

const dayMs = 86_400_000
/** What counts as use of a label, in days. */
const useDays = 30

const toDay = (time: number, daysAgo: number) =>
  new Date(time - daysAgo * dayMs).toISOString().slice(0, 10)

/** What a reach counts. */
type Affected = 'devices' | 'uses in 30 days' | 'labels' | 'sessions'

/** What a change affects, and what it would save. */
interface Affecting extends Pick<ProblemExtras, 'certificate'> {
  readonly counts?: Affected | undefined
}

interface Limited extends Affecting {
  /** That what it ends was used lately, as a clause: devices report uses later, so that a small count says little. */
  readonly lately?: string | undefined
}

/**
 * Throws `reach-exceeded` when a change reaches more than `max`, or, where its request has no limit, than the setting, or
 * ends what was used lately.
 */
export async function limitAffected(
  { settings }: Pick<Services, 'settings'>,
  max: number | undefined,
  countAffected: () => Promise<number>,
  { lately, ...about }: Limited = {},
): Promise<void> {
  const limit = max ?? settings.maxReach
  if (limit === undefined) return
  const reach = await countAffected()
  requireWithin(limit, reach, about, max !== undefined)
  if (max !== undefined || lately === undefined) return
  throw new Problem(
    'reach-exceeded',
    `Cannot make this change: ${lately}, and devices report uses later: ${reach} ${about.counts} so far; check it, and send "maxReach=${reach}" in the query`,
    { reach },
  )
}

/** Throws `reach-exceeded` when a change would reach more than `max`; `isGiven`: the request says it. */
export function requireWithin(
  max: number,
  reach: number,
  { counts = 'devices', ...about }: Affecting = {},
  isGiven = true,
): void {
  if (reach <= max) return
  const limit = isGiven ? `the limit is ${max}` : `without "maxReach" the limit is ${max}`
  throw new Problem(
    'reach-exceeded',
    `Cannot make this change: it would now affect ${reach} ${counts}, and ${limit}; check it, and send "maxReach=${reach}" in the query`,
    { reach, ...about },
  )
}

const isUnblocked = sql`not ${deviceCounts.blocked}`

interface Counted {
  /** Those with this version as well. */
  readonly id?: string
  /** Only those that are approved, or only those that are not. */
  readonly approved?: boolean
  /** Only those that fit them. */
  readonly rules?: readonly GroupRule[] | undefined
}

/** The devices that can sync, by version and system: not blocked, and with a version that is registered. */
export const readDeviceGroups = (
  { reader, settings }: Pick<CountServices, 'reader' | 'settings'>,
  { id, approved, rules }: Counted = {},
): Promise<DeviceGroup[]> => {
  // Counts know nothing of host names and tags.
  const table = rules ? devices : deviceCounts
  // One administrator can block devices, and unblock them afterwards: where two have to agree, they count.
  const counts = settings.twoAdministrators === undefined ? sql`not ${table.blocked}` : undefined
  const where = and(
    counts,
    approved === undefined
      ? undefined
      : approved
        ? sql`${table.approved}`
        : sql`not ${table.approved}`,
    or(isServed(settings, table.version), id === undefined ? undefined : eq(table.version, id)),
    rules && fitsRules(reader.sqlDialect, rules),
  )
  const { version, platform } = table
  const counted = rules ? count() : total
  return reader
    .select({ version, platform, count: counted })
    .from(table)
    .where(where)
    .groupBy(version, platform)
}

/** What happens to rollouts with a change of a version: that of the version ends, or all are halted. */
type RolloutsEnd = 'own' | 'all'

/** Whom it reaches that version `id` is registered or changed as `planned`; undefined removes it. */
export async function readAffectedDevices(
  services: CountServices,
  id: string,
  planned: PlannedVersion | undefined,
  end?: RolloutsEnd,
): Promise<AffectedDevices> {
  const open = (await readOpenRollouts(services.db)).map(toPlan)
  // Whom they reach is counted apart when all are halted.
  const rollouts =
    end === 'all' ? open.map((rollout) => ({ ...rollout, state: 'halted' as const })) : open
  const registered: readonly PlannedVersion[] = await readReleases(services.reader, id)
  const others = registered.filter((version) => version.id !== id)
  const groups = await readDeviceGroups(services, { id })
  const toAllowlist = await readAllowlists(services, id, planned)
  const hasAllowlist = (version: string) => toAllowlist(version) !== undefined
  const views = createViews(
    { releases: registered, rollouts },
    {
      releases: planned ? [...others, planned] : others,
      rollouts: rollouts.filter(({ versionId }) => end !== 'own' || versionId !== id),
    },
  )
  if (planned && others.length < registered.length)
    return { ...findAffectedDevices(groups, views, hasAllowlist), unserved: 0 }
  // Those with the version itself are refused without it, whatever the other versions say: after its removal, or until it is registered again.
  const served = groups.filter(({ version }) => version !== id)
  const own = sumCounts(groups) - sumCounts(served)
  const found = findAffectedDevices(served, views, hasAllowlist)
  return { ...found, reach: found.reach + own, unserved: planned ? 0 : own }
}

type AffectedDevices = Omit<VersionReach, 'lostSites'>

/** How many devices get another verdict or target when the rollouts change that hold versions back. */
export async function countHeldBack(
  services: CountServices,
  before: readonly RolloutPlan[],
  after: readonly RolloutPlan[],
): Promise<number> {
  const releases: readonly PlannedVersion[] = await readReleases(services.reader)
  const groups = await readDeviceGroups(services)
  const views = createViews({ releases, rollouts: before }, { releases, rollouts: after })
  return findAffectedDevices(groups, views, () => false).reach
}

/** The same with the sites that devices lose, which takes longer. */
export async function readVersionReach(
  services: CountServices,
  id: string,
  planned: PlannedVersion | undefined,
  end?: RolloutsEnd,
): Promise<VersionReach> {
  const found = await readAffectedDevices(services, id, planned, end)
  const toAllowlist = await readAllowlists(services, id, planned)
  return { ...found, lostSites: await findLostSites(services, found.changes, toAllowlist) }
}

/** Returns a function that finds the version whose allowlist a version has, or gets with the change. */
async function readAllowlists(
  services: CountServices,
  id: string,
  planned: PlannedVersion | undefined,
): Promise<(version: string) => string | undefined> {
  const allowlists = await readAllowlistVersions(services)
  return (version) =>
    [version, version === id ? planned?.copyFrom : undefined].find(
      (one) => one !== undefined && allowlists.has(one),
    )
}

/** The versions with an allowlist; one without an origin allows as much as none. */
async function readAllowlistVersions({ db }: Pick<CountServices, 'db'>) {
  const rows = await db
    .select({ versionId: configurations.versionId })
    .from(configurations)
    .where(
      and(
        eq(configurations.type, 'CONTEXT_CONFIG'),
        eq(configurations.groupId, ''),
        notLike(configurations.config, '%"cors":[]%'),
      ),
    )
  return new Set(rows.map(({ versionId }) => versionId))
}

/**
 * Who receives configurations of these types of a version: the devices that have it, and those that are offered an update to
 * it. A keystore goes only to those that are approved.
 */
export async function readConfigurationReach(
  services: CountServices,
  versionId: string,
  types: readonly ConfigurationType[],
  groupId: string,
): Promise<ConfigurationReach> {
  const isKeystore = types.length > 0 && types.every((type) => type === 'SSL_KEYSTORE')
  const rules = groupId === '' ? undefined : await readRules(services.db, groupId)
  const groups = await readDeviceGroups(services, { rules, ...(isKeystore && { approved: true }) })
  const pending = isKeystore ? await readDeviceGroups(services, { rules, approved: false }) : []
  const fleet = await countDevices(services.reader, isUnblocked)
  const rollouts = (await readOpenRollouts(services.db)).map(toPlan)
  const releases = await readReleases(services.reader)
  const decisions = listReachedBy(rollouts).map((reachedBy) =>
    prepareVerdicts(applyRollouts(releases, rollouts, reachedBy)),
  )
  const isOwn = ({ version }: DeviceGroup) => version === versionId
  const isOffered = ({ version, platform }: DeviceGroup) =>
    version !== versionId &&
    decisions.some((decide) => decide(version, platform).target?.id === versionId)
  const own = groups.filter(isOwn)
  const offered = sumCounts(groups.filter(isOffered))
  const reach = sumCounts(own) + offered
  return {
    ...{ reach, offered },
    isLarge: reach > fleet * services.settings.reviewShare,
    waiting: sumCounts(pending.filter((group) => isOwn(group) || isOffered(group))),
    platforms: own.map(({ platform, count }) => ({ platform, count })),
  }
}

export const sumCounts = (groups: readonly { readonly count: number }[]): number =>
  groups.reduce((total, one) => total + one.count, 0)

/** What the applications of labels did in the last 30 days. */
export async function countUses(
  { reader, clock }: CountServices,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0
  const [row] = await reader
    .select({ total: sum(counters.count) })
    .from(counters)
    .where(
      and(
        // One parameter for all of them: D1 takes a hundred of a statement.
        sql`${counters.label} in (select value from ${reader.sqlDialect.eachText(JSON.stringify(ids))})`,
        gt(counters.day, toDay(clock(), useDays)),
      ),
    )
  return Number(row?.total ?? 0)
}

/** Whether an API key fetched a token on one of the days whose uses are counted. */
export const isUsedLately = (
  { clock }: Pick<CountServices, 'clock'>,
  keyUsedAt: string | null,
): keyUsedAt is string => keyUsedAt !== null && keyUsedAt > toDay(clock(), useDays)

export const readLabelIds = async (
  { db }: Pick<CountServices, 'db'>,
  orgId: string,
): Promise<string[]> =>
  (await db.select({ id: labels.id }).from(labels).where(eq(labels.orgId, orgId))).map(
    ({ id }) => id,
  )

interface Verifiers {
  readonly reach: number
  readonly labels?: number
}

/** What depends on the keys of a use: uses by labels with tokens, and how many these are, sessions, or devices. */
export async function countVerifiers(
  services: CountServices,
  use: SigningKeyUse,
): Promise<Verifiers> {
  const { db, reader, clock } = services
  const now = clock()
  if (use === 'reply') return { reach: await countDevices(reader, isUnblocked) }
  if (use === 'application') {
    // A token lives for minutes: one that was fetched before midnight may be in use after it.
    const hasToken = gte(labels.keyUsedAt, toDay(now, 1))
    const rows = await db.select({ id: labels.id }).from(labels).where(hasToken)
    const ids = rows.map(({ id }) => id)
    return { reach: await countUses(services, ids), labels: ids.length }
  }
  const [programs, browsers] = [
    await db.$count(sessions, isProgramSessionValid(now)),
    await db.$count(browserSessions, isBrowserSessionValid(now)),
  ]
  return { reach: programs + browsers }
}

/** The devices that are not blocked whose last request came before a time: counts of days, and of its own day the rows. */
export async function countUnsynced({ reader }: CountServices, since: number): Promise<number> {
  const day = Math.floor(since / dayMs)
  const earlier = await countDevices(reader, and(isUnblocked, lt(deviceCounts.lastSeenDay, day)))
  const [row] = await reader
    .select({ total: count() })
    .from(devices)
    .where(
      and(eq(devices.lastSeenDay, day), lt(devices.lastSeenAt, since), sql`not ${devices.blocked}`),
    )
  return earlier + (row?.total ?? 0)
}
