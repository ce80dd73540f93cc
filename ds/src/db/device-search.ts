/** Lists devices among very many, page by page, in an order in which each stands once. */
import { type DeviceSort, maxCountedDevices } from '@cardwire/client/protocol'
import { and, asc, count, desc, eq, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { sortLatestFirst } from '../rules/latest-version.ts'
import type { Reader } from './database.ts'
import { countDevices, total } from './device-counts.ts'
import {
  type DeviceFilter,
  type FoundFilter,
  findFilter,
  isOneOf,
  type StandingRules,
  toCountCondition,
} from './device-filter.ts'
import { deviceCounts, devices } from './schema.ts'

type DeviceRow = typeof devices.$inferSelect

interface Paging {
  readonly page: number
  readonly size: number
}

interface Found {
  /** Of the page. */
  readonly ids: readonly string[]
  /** Of all pages, as far as they are counted. */
  readonly total: number
  /** Whether there are more than `total`. */
  readonly more: boolean
}

/** Ids in the order of the list. */
type SelectIds = (limit: number, offset: number) => Promise<readonly string[]>

/** The ids of one page: by name when `q` is given, else last seen first. */
export async function findDevicePage(
  reader: Reader,
  filter: DeviceFilter,
  {
    sort = filter.q === undefined ? '-lastSeen' : 'name',
    ...paging
  }: Paging & StandingRules & { readonly sort?: DeviceSort | undefined },
) {
  const found = await findFilter(reader, filter, paging)
  const counted = toCountCondition(filter, paging)
  const { page, size } = paging
  const result =
    sort === 'version' || sort === '-version'
      ? await findByVersion(reader, found, {
          ...{ page, size, isLatestFirst: sort === '-version' },
          groups: await countVersions(reader, found, counted),
        })
      : await findPage(orders[sort](reader, found), paging, {
          isMore: found.isMore,
          exact: counted && (await countDevices(reader, counted.where)),
        })
  return { ...result, page, size }
}

/** The devices of a filter after the id `after`, by their ids: none is missed that is seen meanwhile. */
export const selectDevicesAfter = (
  reader: Reader,
  { where }: FoundFilter,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<DeviceRow[]> =>
  reader
    .select()
    .from(devices)
    .where(and(gt(devices.id, after), where))
    .orderBy(devices.id)
    .limit(limit)

/** `exact`: how many there are. `isMore`: there are more than are counted. Only those of the page have to be found then. */
async function findPage(
  select: SelectIds,
  { page, size }: Paging,
  { exact, isMore }: { readonly exact: number | undefined; readonly isMore: boolean },
): Promise<Found> {
  const selectPage = () => select(size, (page - 1) * size)
  if (exact !== undefined) return { ids: await selectPage(), total: exact, more: false }
  if (isMore) return { ids: await selectPage(), total: maxCountedDevices, more: true }
  const found = cut(await select(maxCountedDevices + 1, 0), { page, size })
  const isBeyond = found.more && page * size > maxCountedDevices
  return isBeyond ? { ...found, ids: await selectPage() } : found
}

type Order = (reader: Reader, found: FoundFilter) => SelectIds
type Direction = typeof asc

const byLastSeen =
  (direction: Direction): Order =>
  (reader, { where, isListed }) =>
  // With a plus it is no column of an index: those of a list are read by their ids, and not looked for in the order.
  (limit, offset) =>
    selectIds(reader, where, {
      order: [
        direction(isListed ? sql`+${devices.lastSeenDay}` : devices.lastSeenDay),
        direction(devices.id),
      ],
      limit,
      offset,
    })

/** By host name; devices without one stand last. */
const byName =
  (direction: Direction): Order =>
  (reader, { where, isListed }) =>
  async (limit, offset) => {
    const named = and(isNotNull(devices.hostname), where)
    const name = isListed ? sql`${devices.hostname} || ''` : devices.hostname
    const order = [direction(name), direction(devices.id)]
    const ids = await selectIds(reader, named, { order, limit, offset })
    if (ids.length === limit) return ids
    const before = ids.length > 0 ? ids.length + offset : await reader.$count(devices, named)
    const nameless = await selectIds(reader, and(isNull(devices.hostname), where), {
      order: [asc(devices.id)],
      limit: limit - ids.length,
      offset: Math.max(0, offset - before),
    })
    return [...ids, ...nameless]
  }

interface VersionGroup {
  /** The version. */
  readonly id: string
  readonly count: number
}

/** `counted`: what finds the same devices in their counts, where these can answer. */
const countVersions = (
  reader: Reader,
  { where }: FoundFilter,
  counted: ReturnType<typeof toCountCondition>,
): Promise<VersionGroup[]> =>
  counted
    ? reader
        .select({ id: deviceCounts.version, count: total })
        .from(deviceCounts)
        .where(counted.where)
        .groupBy(deviceCounts.version)
    : reader
        .select({ id: devices.version, count: count() })
        .from(devices)
        .where(where)
        .groupBy(devices.version)

/**
 * In the order of semantic versions, which no index has: the devices of the page are read version by version, the last seen
 * first.
 */
async function findByVersion(
  reader: Reader,
  { where, isListed }: FoundFilter,
  {
    page,
    size,
    isLatestFirst,
    groups,
  }: Paging & { readonly isLatestFirst: boolean; readonly groups: readonly VersionGroup[] },
): Promise<Found> {
  const latestFirst = sortLatestFirst(groups)
  const sorted = isLatestFirst ? latestFirst : latestFirst.toReversed()
  const { versions, skipped } = chooseGroups(sorted, size, (page - 1) * size)
  const ids: string[] = []
  for (const [at, version] of versions.entries()) {
    const found = { where: and(eq(devices.version, version), where), isListed, isMore: false }
    const select = byLastSeen(desc)(reader, found)
    ids.push(...(await select(size - ids.length, at === 0 ? skipped : 0)))
  }
  return { ids, total: groups.reduce((sum, group) => sum + group.count, 0), more: false }
}

/** The groups that have the rows of a page, and how many rows of them stand before it. */
function chooseGroups(groups: readonly VersionGroup[], limit: number, offset: number) {
  const versions: string[] = []
  let [skipped, end] = [offset, 0]
  for (const { id, count } of groups) {
    if (end >= offset + limit) break
    end += count
    if (end > offset) versions.push(id)
    else skipped -= count
  }
  return { versions, skipped }
}

const orders: Readonly<Record<Exclude<DeviceSort, 'version' | '-version'>, Order>> = {
  name: byName(asc),
  '-name': byName(desc),
  lastSeen: byLastSeen(asc),
  '-lastSeen': byLastSeen(desc),
}

const selectIds = async (
  reader: Reader,
  where: SQL | undefined,
  {
    order,
    limit,
    offset,
  }: { readonly order: readonly SQL[]; readonly limit: number; readonly offset: number },
) => {
  const rows = reader.select({ id: devices.id }).from(devices).where(where)
  return (
    await rows
      .orderBy(...order)
      .limit(limit)
      .offset(offset)
  ).map(({ id }) => id)
}

const cut = (ids: readonly string[], { page, size }: Paging): Found => ({
  ids: ids.slice((page - 1) * size, Math.min(page * size, maxCountedDevices)),
  total: Math.min(ids.length, maxCountedDevices),
  more: ids.length > maxCountedDevices,
})

/** What the large fields of these devices weigh, in characters, in the same order. */
export async function weighDevices(reader: Reader, ids: readonly string[]) {
  if (ids.length === 0) return []
  const weight = sql<number>`length(${devices.device}) + length(${devices.user}) + length(${devices.tags}) + length(${devices.faults})`
  const rows = await reader
    .select({ id: devices.id, weight })
    .from(devices)
    .where(isOneOf(reader, ids))
  return sortByIds(rows, ids)
}

/** In the same order; without those that have been removed. */
export const selectDevices = async (
  reader: Reader,
  ids: readonly string[],
): Promise<DeviceRow[]> =>
  ids.length === 0
    ? []
    : sortByIds(await reader.select().from(devices).where(isOneOf(reader, ids)), ids)

function sortByIds<R extends { readonly id: string }>(
  rows: readonly R[],
  ids: readonly string[],
): R[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
