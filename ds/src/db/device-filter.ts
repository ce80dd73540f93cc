/** What a filter of devices means: conditions that the indexes answer, so that rows that a list does not show are not read. */
import {
  type DeviceStanding,
  type exportDevices,
  type Input,
  maxCountedDevices,
} from '@cardwire/client/protocol'
import {
  and,
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
  /** Names or tags are looked for, and few devices have them: they are read by their ids. */
  readonly isListed: boolean
  /** One name or tag is all that is looked for, and more devices have them than are counted. */
  readonly isMore: boolean
}

/** Names are looked for here, so that a reader in parts looks for them once. */
export async function findFilter(
  reader: Reader,
  { q, hostname, tag, ...filter }: DeviceFilter,
  rules: StandingRules,
): Promise<FoundFilter> {
  const where = toCondition(reader.sqlDialect, filter, rules)
  const named = [
    hostname === undefined ? undefined : await findNamed(reader, ['hostname'], hostname),
    q === undefined
      ? undefined
      : await findNamed(reader, ['hostname', 'username'], q, isIdentifiedBy(q)),
    tag === undefined ? undefined : await findTagged(reader, tag),
  ].filter((one) => one !== undefined)
  return {
    where: and(where, ...named.map(({ condition }) => condition)),
    isListed: named.some(({ isMore }) => !isMore),
    isMore: where === undefined && named.length === 1 && named.every(({ isMore }) => isMore),
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
  { q, hostname, tag, verdict, seenBefore, seenAfter, changedBy, fault, ...counted }: DeviceFilter,
  rules: StandingRules,
): { readonly where: SQL | undefined } | undefined {
  const others = [q, hostname, tag, verdict, seenBefore, seenAfter, changedBy]
  if (others.some((one) => one !== undefined) || (fault !== undefined && fault !== 'any'))
    return undefined
  const isFaulty = fault === undefined ? undefined : sql`${deviceCounts.faulty}`
  return { where: and(toCountedCondition(deviceCounts, counted, rules), isFaulty) }
}

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
  const time = Date.parse(at)
  const day = Math.floor(time / 86_400_000)
  return and(compareDay(devices.lastSeenDay, day), compare(devices.lastSeenAt, time))
}

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
): Promise<{ readonly condition: SQL | undefined; readonly isMore: boolean }> {
  const ids = await selectNamed(reader, names, part)
  if (ids.length > maxCountedDevices) {
    const contain = names.map((name) => contains(reader, name, part))
    return { condition: or(...contain, identified), isMore: true }
  }
  const others = identified
    ? await reader.select({ id: devices.id }).from(devices).where(identified).limit(2)
    : []
  return { condition: isOneOf(reader, [...ids, ...others.map(({ id }) => id)]), isMore: false }
}

/** The same for a tag: few devices are read by their ids, and very many are asked one by one in the order of the list. */
async function findTagged(reader: Reader, tag: string) {
  const rows = await reader
    .select({ id: deviceTags.deviceId })
    .from(deviceTags)
    .where(eq(deviceTags.tag, tag))
    .limit(maxCountedDevices + 1)
  if (rows.length <= maxCountedDevices) {
    const ids = rows.map(({ id }) => id)
    return { condition: isOneOf(reader, ids), isMore: false }
  }
  const isTagged = sql`exists (select 1 from ${deviceTags} where ${deviceTags.tag} = ${tag} and ${deviceTags.deviceId} = ${devices.id})`
  return { condition: isTagged, isMore: true }
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
