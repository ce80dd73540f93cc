/** Finds devices among very many: the indexes answer, and rows that a list does not show are not read. */
import {
  type DeviceStanding,
  type exportDevices,
  type Input,
  maxCountedDevices,
} from '@cardwire/client/protocol'
import { and, desc, eq, gt, gte, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Reader } from './database.ts'
import type { Dialect } from './dialect.ts'
import { devices } from './schema.ts'

export type DeviceFilter = Input<typeof exportDevices>['query']
type DeviceRow = typeof devices.$inferSelect

/** Devices last seen before this day since 1970 are silent. */
interface SilentBefore {
  readonly silentBefore: number
}

interface Paging {
  readonly page: number
  readonly size: number
}

interface Found {
  /** Of the page. */
  readonly ids: readonly string[]
  /** Of all pages, as far as they are counted. */
  readonly total: number
  readonly more: boolean
}

const byLastSeen = [desc(devices.lastSeenDay), desc(devices.id)]

/** The ids of one page: by name when `q` is given, else last seen first. */
export async function findDevicePage(
  reader: Reader,
  { q, hostname, ...filter }: DeviceFilter,
  paging: Paging & SilentBefore,
) {
  const where = toCondition(reader.sqlDialect, filter, paging)
  const named = hostname === undefined ? undefined : await findNamed(reader, hostname)
  const all = and(where, named?.condition)
  const found =
    q === undefined
      ? await findByLastSeen(reader, all, { ...paging, isMore: named?.isMore && !where })
      : await findByName(reader, q, all, paging)
  const { page, size } = paging
  return { ...found, page, size }
}

/** The devices of a filter after the id `after`, by their ids: none is missed that is seen meanwhile. */
export const selectDevicesAfter = (
  reader: Reader,
  { q, hostname, ...filter }: DeviceFilter,
  { after, limit, ...silence }: { after: string; limit: number } & SilentBefore,
): Promise<DeviceRow[]> =>
  reader
    .select()
    .from(devices)
    .where(
      and(
        gt(devices.id, after),
        toCondition(reader.sqlDialect, filter, silence),
        hostname === undefined ? undefined : containsHostname(reader, hostname),
        q === undefined
          ? undefined
          : or(isIdentifiedBy(q), beginsWith(devices.hostname, q), beginsWith(devices.username, q)),
      ),
    )
    .orderBy(devices.id)
    .limit(limit)

const statusConditions: Readonly<Record<DeviceStanding, (silentBefore: number) => SQL>> = {
  blocked: () => sql`${devices.blocked}`,
  waiting: () => sql`not ${devices.blocked} and not ${devices.approved}`,
  silent: (before) =>
    sql`not ${devices.blocked} and ${devices.approved} and ${devices.lastSeenDay} < ${before}`,
  active: (before) =>
    sql`not ${devices.blocked} and ${devices.approved} and ${devices.lastSeenDay} >= ${before}`,
}

function toCondition(
  dialect: Dialect,
  filter: Omit<DeviceFilter, 'q' | 'hostname'>,
  { silentBefore }: SilentBefore,
): SQL | undefined {
  const { version, os, verdict, standing, fault, blocked, approved, seenBefore, seenAfter } = filter
  return and(
    version === undefined ? undefined : eq(devices.version, version),
    os === undefined ? undefined : eq(devices.platform, os),
    verdict === undefined ? undefined : eq(devices.verdict, verdict),
    standing === undefined ? undefined : statusConditions[standing](silentBefore),
    fault === undefined ? undefined : hasFault(dialect, fault),
    blocked === undefined ? undefined : eq(devices.blocked, blocked),
    approved === undefined ? undefined : eq(devices.approved, approved),
    seenBefore === undefined ? undefined : isSeen(seenBefore, lt, lte),
    seenAfter === undefined ? undefined : isSeen(seenAfter, gt, gte),
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

/** `isMore`: there are more than are counted; those of the page are all that has to be found then. */
async function findByLastSeen(
  reader: Reader,
  where: SQL | undefined,
  { page, size, isMore = false }: Paging & { isMore?: boolean | undefined },
): Promise<Found> {
  const select = (limit: number, offset: number) =>
    selectIds(
      reader
        .select({ id: devices.id })
        .from(devices)
        .where(where)
        .orderBy(...byLastSeen)
        .limit(limit)
        .offset(offset),
    )
  const selectPage = () => select(size, (page - 1) * size)
  if (isMore) return { ids: await selectPage(), total: maxCountedDevices, more: true }
  const found = cut(await select(maxCountedDevices + 1, 0), { page, size })
  const isBeyond = found.more && page * size > maxCountedDevices
  return isBeyond ? { ...found, ids: await selectPage() } : found
}

/** By the first of the names that match. What is beyond those that are counted has no page: a longer `q` finds it. */
async function findByName(
  reader: Reader,
  q: string,
  where: SQL | undefined,
  paging: Paging,
): Promise<Found> {
  const limit = maxCountedDevices + 1
  const selectBy = (name: SQLiteColumn, matches: SQL | undefined) =>
    sql`select * from (select ${devices.id} as id, ${name} as name from ${devices}
      where ${and(matches, where)} order by ${name}, ${devices.id} limit ${limit}) as part`
  const matches = sql.join(
    [
      selectBy(devices.hostname, beginsWith(devices.hostname, q)),
      selectBy(devices.username, beginsWith(devices.username, q)),
      selectBy(devices.id, eq(devices.id, q.toLowerCase())),
      selectBy(devices.id, eq(devices.fingerprint, q)),
    ],
    sql` union all `,
  )
  const ids = await selectIds(
    reader
      .select({ id: sql<string>`id` })
      .from(sql`(select id, min(name) as name from (${matches}) as matches group by id) as found`)
      .orderBy(sql`name`, sql`id`)
      .limit(limit),
  )
  return cut(ids, paging)
}

const isIdentifiedBy = (q: string) =>
  or(eq(devices.id, q.toLowerCase()), eq(devices.fingerprint, q))

/** The names of a column as an index has them: in lower case as far as ASCII goes. */
function beginsWith(name: SQLiteColumn, text: string) {
  const low = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  // Nothing in a text comes after the last character of Unicode.
  return and(gte(name, low), lt(name, `${low}\u{10ffff}`))
}

const containsHostname = ({ sqlDialect }: Reader, part: string) =>
  and(sql`${devices.hostname} is not null`, sqlDialect.contains(devices.hostname, part))

/** Few are read by their ids; of very many a page is found soon in the order of the list. */
async function findNamed(reader: Reader, hostname: string) {
  const named = containsHostname(reader, hostname)
  const ids = await selectIds(
    reader
      .select({ id: devices.id })
      .from(devices)
      .where(named)
      .orderBy(devices.hostname)
      .limit(maxCountedDevices + 1),
  )
  const isMore = ids.length > maxCountedDevices
  return { condition: isMore ? named : isOneOf(reader, ids), isMore }
}

const isOneOf = ({ sqlDialect }: Reader, ids: readonly string[]) =>
  sql`${devices.id} in (select value from ${sqlDialect.eachText(JSON.stringify(ids))})`

const selectIds = async (rows: PromiseLike<readonly { readonly id: string }[]>) =>
  (await rows).map(({ id }) => id)

const cut = (ids: readonly string[], { page, size }: Paging): Found => ({
  ids: ids.slice((page - 1) * size, Math.min(page * size, maxCountedDevices)),
  total: Math.min(ids.length, maxCountedDevices),
  more: ids.length > maxCountedDevices,
})

/** What the large fields of these devices weigh, in characters, in the same order. */
export async function weighDevices(reader: Reader, ids: readonly string[]) {
  if (ids.length === 0) return []
  const weight = sql<number>`length(${devices.device}) + length(${devices.user}) + length(${devices.faults})`
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
