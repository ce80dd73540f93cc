/** What a filter of devices means: conditions that the indexes answer, so that rows that a list does not show are not read. */
import {
  type DeviceStanding,
  type exportDevices,
  type Input,
  maxCountedDevices,
} from '@cardwire/protocol'
import {
  and,
  count,
  eq,
  gt,
  gte,
  isNotNull,
  lt,
  lte,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { toLowerAscii } from '../rules/lower-ascii.ts'
import type { Reader } from './database.ts'
import { countDevices } from './device-counts.ts'
import type { Dialect } from './dialect.ts'
import { changedDevices, deviceCounts, devices, deviceTags, versions } from './schema.ts'

export type DeviceFilter = Input<typeof exportDevices>['query']

/** What the standing of a device depends on besides its row. */
export interface StandingRules {
  /** Devices last seen before this day since 1970 are silent. */
  readonly silentBefore: number
  /** Whether a device registers its version where that is missing. */
  readonly implicitVersions: boolean
}

/** Whether a synchronization with the version of the device is served: it is registered, or will be then. */
export const isServed = (
  { implicitVersions }: Pick<StandingRules, 'implicitVersions'>,
  version: SQLWrapper,
): SQL =>
  implicitVersions ? sql`1 = 1` : sql`${version} in (select ${versions.id} from ${versions})`

/** What the devices of a filter have in common. */
export interface FoundFilter {
  /** Undefined: all devices. */
  readonly where: SQL | undefined
  /** Few devices can match: they are read by their ids. */
  readonly isListed: boolean
  /** How many match; one more than are counted, if there are more. Undefined: they have not been counted. */
  readonly count: number | undefined
}

/** What a part of a filter asks for. */
interface FoundPart {
  readonly condition: SQL | undefined
  readonly isListed: boolean
  /** Of devices that have it. */
  readonly count: number
}

/** Names, tags and counts are looked for here, so that a reader in parts looks for them once. */
export async function findFilter(
  reader: Reader,
  { q, hostname, tag, ...filter }: DeviceFilter,
  rules: StandingRules,
): Promise<FoundFilter> {
  const where = toCondition(reader.sqlDialect, filter, rules)
  const parts: FoundPart[] = []
  const isListed = () => parts.some((part) => part.isListed)
  const few = where && (await findFew(reader, filter, where, rules))
  if (few) parts.push(few)
  if (hostname !== undefined) parts.push(await findNamed(reader, ['hostname'], hostname))
  if (q !== undefined)
    parts.push(await findNamed(reader, ['hostname', 'username'], q, isIdentifiedBy(q)))
  if (tag !== undefined) parts.push(await findTagged(reader, tag, isListed()))
  return {
    where: and(where, ...parts.map(({ condition }) => condition)),
    isListed: isListed(),
    count: where === undefined && parts.length === 1 ? parts[0]?.count : undefined,
  }
}

/** The fields by which devices are counted, as a table has them. */
type CountedColumns = Readonly<
  Record<'version' | 'platform' | 'blocked' | 'approved' | 'lastSeenDay', SQLWrapper>
>

/** Each is the first that applies to the devices of its condition. */
export const standingConditions: Readonly<
  Record<DeviceStanding, (columns: Omit<CountedColumns, 'platform'>, rules: StandingRules) => SQL>
> = {
  blocked: ({ blocked }) => sql`${blocked}`,
  unserved: ({ blocked, version }, rules) =>
    sql`not ${blocked} and not (${isServed(rules, version)})`,
  waiting: ({ blocked, version, approved }, rules) =>
    sql`not ${blocked} and ${isServed(rules, version)} and not ${approved}`,
  silent: (columns, rules) =>
    sql`${isApproved(columns, rules)} and ${columns.lastSeenDay} < ${rules.silentBefore}`,
  active: (columns, rules) =>
    sql`${isApproved(columns, rules)} and ${columns.lastSeenDay} >= ${rules.silentBefore}`,
}

const isApproved = (
  { blocked, version, approved }: Pick<CountedColumns, 'blocked' | 'version' | 'approved'>,
  rules: StandingRules,
) => sql`not ${blocked} and ${isServed(rules, version)} and ${approved}`

type CountedFilter = Pick<DeviceFilter, 'version' | 'os' | 'standing' | 'blocked' | 'approved'>

const toCountedCondition = (
  columns: CountedColumns,
  { version, os, standing, blocked, approved }: CountedFilter,
  rules: StandingRules,
): SQL | undefined =>
  and(
    version === undefined ? undefined : sql`${columns.version} = ${version}`,
    os === undefined ? undefined : sql`${columns.platform} = ${os}`,
    standing === undefined ? undefined : standingConditions[standing](columns, rules),
    blocked === undefined ? undefined : is(columns.blocked, blocked),
    approved === undefined ? undefined : is(columns.approved, approved),
  )

const is = (column: SQLWrapper, value: boolean) => (value ? sql`${column}` : sql`not ${column}`)

/** The rows of `device_counts` that count the devices of a filter; undefined: it asks for more than they know. */
export function toCountCondition(
  filter: DeviceFilter,
  rules: StandingRules,
): { readonly where: SQL | undefined } | undefined {
  const { q, hostname, tag, verdict, seenBefore, seenAfter, changedBy, fault } = filter
  const others = [q, hostname, tag, verdict, seenBefore, seenAfter, changedBy]
  if (others.some((one) => one !== undefined) || (fault !== undefined && fault !== 'any'))
    return undefined
  return { where: toCountBound(filter, rules) }
}

/** The rows of `device_counts` that count all devices of a filter, and others where it asks for more than they know. */
export const toCountBound = (
  { seenBefore, seenAfter, fault, ...counted }: DeviceFilter,
  rules: StandingRules,
): SQL | undefined =>
  and(
    toCountedCondition(deviceCounts, counted, rules),
    fault === undefined ? undefined : sql`${deviceCounts.faulty}`,
    seenBefore === undefined ? undefined : lte(deviceCounts.lastSeenDay, toDay(seenBefore)),
    seenAfter === undefined ? undefined : gte(deviceCounts.lastSeenDay, toDay(seenAfter)),
  )

/** Where the counts say that few devices can match, these are looked for on the days that they were last seen on. */
async function findFew(
  reader: Reader,
  filter: DeviceFilter,
  where: SQL,
  rules: StandingRules,
): Promise<FoundPart | undefined> {
  const bound = toCountBound(filter, rules)
  if (!bound) return undefined
  const most = await countDevices(reader, bound)
  if (most > maxCountedDevices) return undefined
  const ids =
    most === 0
      ? []
      : await reader
          .select({ id: devices.id })
          .from(devices)
          .where(and(isSeenAs(bound), where))
          .limit(maxCountedDevices + 1)
  // More have come since they were counted.
  if (ids.length > maxCountedDevices) return undefined
  return listIds(
    reader,
    ids.map(({ id }) => id),
  )
}

const listIds = (reader: Reader, ids: readonly string[]): FoundPart => ({
  condition: isOneOf(reader, ids),
  isListed: true,
  count: ids.length,
})

/** Whether a device was last seen on a day that rows of `device_counts` have. */
export const isSeenAs = (counted: SQL | undefined): SQL =>
  sql`${devices.lastSeenDay} in (select ${deviceCounts.lastSeenDay} from ${deviceCounts} where ${counted})`

function toCondition(
  dialect: Dialect,
  {
    verdict,
    seenBefore,
    seenAfter,
    changedBy,
    fault,
    ...counted
  }: Omit<DeviceFilter, 'q' | 'hostname' | 'tag'>,
  rules: StandingRules,
): SQL | undefined {
  return and(
    toCountedCondition(devices, counted, rules),
    verdict === undefined ? undefined : eq(devices.verdict, verdict),
    fault === undefined ? undefined : hasFault(dialect, fault),
    seenBefore === undefined ? undefined : isSeen(seenBefore, lt, lte),
    seenAfter === undefined ? undefined : isSeen(seenAfter, gt, gte),
    changedBy === undefined
      ? undefined
      : sql`${devices.id} in (select ${changedDevices.deviceId} from ${changedDevices} where ${changedDevices.changeId} = ${changedBy})`,
  )
}

/** The index has the day: of the others no row is read. */
function isSeen(at: string, compare: typeof lt, compareDay: typeof lte): SQL | undefined {
  return and(
    compareDay(devices.lastSeenDay, toDay(at)),
    compare(devices.lastSeenAt, Date.parse(at)),
  )
}

/** Days since 1970. */
const toDay = (at: string): number => Math.floor(Date.parse(at) / 86_400_000)

/** As the index of the devices with faults has it; JSON has quotes within a text only behind a backslash. */
const hasFault = (dialect: Dialect, kind: string) =>
  and(
    sql`${devices.faults} <> '[]'`,
    kind === 'any' ? undefined : dialect.contains(devices.faults, `"kind":"${kind}"`),
  )

const isIdentifiedBy = (q: string) =>
  or(eq(devices.id, q.toLowerCase()), eq(devices.fingerprint, q))

type Name = 'hostname' | 'username'

/** Few are read by their ids; of very many a page is found soon in the order of the list. `identified`: those that are found by something else. */
async function findNamed(
  reader: Reader,
  names: readonly Name[],
  part: string,
  identified?: SQL,
): Promise<FoundPart> {
  const ids = await selectNamed(reader, names, part)
  if (ids.length > maxCountedDevices) {
    const contain = names.map((name) => contains(reader, name, part))
    return { condition: or(...contain, identified), isListed: false, count: ids.length }
  }
  const others = identified
    ? await reader.select({ id: devices.id }).from(devices).where(identified).limit(2)
    : []
  return listIds(reader, [...new Set([...ids, ...others.map(({ id }) => id)])])
}

/** So many devices of a tag are read by their ids: in the order of a list, all devices may stand before them. */
const maxListedTagged = 20_000

/** The IDs of so many are gathered before devices are compared with them in the order of a list: to look for the tag of each takes four times as long. */
const maxGatheredTagged = 100_000

/**
 * The same for a tag. Very many devices are asked one by one in the order of the list, and those of another part of the filter,
 * if they are listed.
 */
async function findTagged(reader: Reader, tag: string, isOtherListed: boolean): Promise<FoundPart> {
  const isOfTag = eq(deviceTags.tag, tag)
  const { deviceId } = deviceTags
  const tagged = reader.select({ deviceId }).from(deviceTags).where(isOfTag)
  const [row] = await reader
    .select({ tagged: count() })
    .from(tagged.limit(maxGatheredTagged + 1).as('tagged'))
  const most = row?.tagged ?? 0
  const isFew = most <= maxListedTagged
  const ids = sql`(select ${deviceId} from ${deviceTags} where ${isOfTag})`
  // With an empty text behind it, an ID is no column of an index: devices are not looked for by these IDs.
  const isGathered = isFew ? sql`${devices.id} in ${ids}` : sql`${devices.id} || '' in ${ids}`
  const condition =
    most <= maxGatheredTagged && !isOtherListed
      ? isGathered
      : sql`exists (select 1 from ${deviceTags} where ${isOfTag} and ${deviceId} = ${devices.id})`
  return { condition, isListed: isFew, count: most }
}

/** Ids of devices, one more than are counted at most. */
async function selectNamed(reader: Reader, names: readonly Name[], part: string) {
  const limit = maxCountedDevices + 1
  const select = async (where: SQL | undefined, order: readonly SQL[]) => {
    const rows = reader.select({ id: devices.id }).from(devices).where(where)
    return (await rows.orderBy(...order).limit(limit)).map(({ id }) => id)
  }
  // NUL ends what the index of SQLite is asked for, and a trigram has three characters.
  if ([...part].length >= 3 && !part.includes('\0'))
    return select(reader.sqlDialect.findNames(names, part, limit), [])
  const ids = new Set<string>()
  // In the order of names: their index is read then, and no row.
  for (const name of names)
    for (const id of await select(contains(reader, name, part), [sql`${devices[name]}`]))
      if (ids.size < limit) ids.add(id)
  return [...ids]
}

const contains = ({ sqlDialect }: Reader, name: Name, part: string) =>
  and(isNotNull(devices[name]), sqlDialect.contains(devices[name], toLowerAscii(part)))

export const isOneOf = ({ sqlDialect }: Reader, ids: readonly string[]): SQL =>
  sql`${devices.id} in (select value from ${sqlDialect.eachText(JSON.stringify(ids))})`
