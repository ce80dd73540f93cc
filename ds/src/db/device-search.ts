/** Lists devices among very many, page by page, in an order in which each stands once. */
import { type DeviceSort, maxCountedDevices } from '@cardwire/protocol'
import { and, asc, desc, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Reader } from './database.ts'
import { countDevices } from './device-counts.ts'
import {
  type DeviceFilter,
  type FoundFilter,
  findFilter,
  isOneOf,
  type StandingRules,
  toCountBound,
  toCountCondition,
} from './device-filter.ts'
import { countVersions, findByVersion } from './devices-by-version.ts'
import { devices } from './schema.ts'

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
  const { page, size } = paging
  const counted = toCountCondition(filter, paging)
  const exact = counted && (await countDevices(reader, counted.where))
  const matching = await findFilter(reader, filter, paging)
  const isBySync = sort === 'lastSeen' || sort === '-lastSeen'
  const found = isBySync || exact !== undefined ? matching : await listFew(reader, matching)
  const sum = exact === undefined ? toSum(found.count) : { total: exact, more: false }
  const result =
    sort === 'version' || sort === '-version'
      ? await findByVersion(reader, found, {
          ...{ page, size, sum, isLatestFirst: sort === '-version' },
          isExact: exact !== undefined,
          groups: await countVersions(reader, toCountBound(filter, paging)),
        })
      : await findPage(orders[sort](reader, found), paging, sum)
  return { ...result, page, size }
}

type Sum = Pick<Found, 'total' | 'more'>

const toSum = (count: number | undefined): Sum | undefined =>
  count === undefined
    ? undefined
    : { total: Math.min(count, maxCountedDevices), more: count > maxCountedDevices }

/**
 * Few devices are found soonest by the index of last syncs, which has what most filters ask for, and are sorted then. In another order,
 * all devices may stand before them.
 */
async function listFew(reader: Reader, found: FoundFilter): Promise<FoundFilter> {
  const { where, isListed } = found
  if (isListed || found.count !== undefined || where === undefined) return found
  const ids = await selectIds(reader, where, { order: [], limit: maxCountedDevices + 1, offset: 0 })
  const count = ids.length
  return count > maxCountedDevices
    ? { where, isListed, count }
    : { where: isOneOf(reader, ids), isListed: true, count }
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

/** `sum`: how many there are, where that is known: only those of the page have to be found then. */
async function findPage(
  select: SelectIds,
  { page, size }: Paging,
  sum: Sum | undefined,
): Promise<Found> {
  const selectPage = () => select(size, (page - 1) * size)
  if (sum) return { ids: await selectPage(), ...sum }
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
