/** Lists devices in the order of semantic versions, which no index has: the versions are sorted here. */
import { maxCountedDevices } from '@cardwire/protocol'
import { and, desc, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { sortLatestFirst } from '../rules/latest-version.ts'
import type { Reader } from './database.ts'
import { total } from './device-counts.ts'
import { type FoundFilter, isSeenAs } from './device-filter.ts'
import { deviceCounts, devices } from './schema.ts'

interface VersionGroup {
  /** The version. */
  readonly id: string
  /** Devices with it that may match. */
  readonly count: number
}

/** The versions of the devices that rows of `device_counts` count. */
export const countVersions = (reader: Reader, where: SQL | undefined): Promise<VersionGroup[]> =>
  reader
    .select({ id: deviceCounts.version, count: total })
    .from(deviceCounts)
    .where(where)
    .groupBy(deviceCounts.version)

interface Wanted {
  readonly page: number
  readonly size: number
  readonly isLatestFirst: boolean
  /** How many match, where that is known. */
  readonly sum: { readonly total: number; readonly more: boolean } | undefined
  /** Whether `groups` count no others. */
  readonly isExact: boolean
  readonly groups: readonly VersionGroup[]
}

/** The devices of a version stand one after the other, the last seen first. */
export async function findByVersion(
  reader: Reader,
  found: FoundFilter,
  { page, size, isLatestFirst, isExact, groups, sum }: Wanted,
) {
  const latestFirst = sortLatestFirst(groups)
  const sorted = isLatestFirst ? latestFirst : latestFirst.toReversed()
  const start = (page - 1) * size
  if (found.isListed) {
    const all = await sortFew(
      reader,
      found.where,
      sorted.map(({ id }) => id),
    )
    const counted = Math.min(all.length, maxCountedDevices)
    const own = { total: counted, more: all.length > counted }
    return { ids: all.slice(start, start + size), ...(sum ?? own) }
  }
  const ids: string[] = []
  let offset = start
  for (const batch of toBatches(sorted)) {
    if (ids.length === size) break
    if (isExact && batch.count <= offset) {
      offset -= batch.count
      continue
    }
    const part = await selectPart(reader, found.where, batch, { offset, limit: size - ids.length })
    ids.push(...part.ids)
    offset = part.left
  }
  return { ids, ...(sum ?? { total: maxCountedDevices, more: true }) }
}

interface Batch {
  /** Their ids, in the order of the list. */
  readonly versions: readonly string[]
  readonly count: number
}

/** Versions of so few devices are read together: of more, a page is found soon in the order of last syncs. */
const maxTogether = 1000

function toBatches(groups: readonly VersionGroup[]): readonly Batch[] {
  const batches: Batch[] = []
  for (const { id, count } of groups) {
    const last = batches.at(-1)
    if (last && last.count + count <= maxTogether)
      batches[batches.length - 1] = {
        versions: [...last.versions, id],
        count: last.count + count,
      }
    else batches.push({ versions: [id], count })
  }
  return batches
}

interface Part {
  readonly ids: readonly string[]
  /** How many devices are still to be skipped behind the batch. */
  readonly left: number
}

async function selectPart(
  reader: Reader,
  where: SQL | undefined,
  { versions, count }: Batch,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Part> {
  const isOfBatch = (version: SQLWrapper) =>
    sql`${version} in (select value from ${reader.sqlDialect.eachText(JSON.stringify(versions))})`
  if (count <= maxTogether) {
    const onTheirDays = isSeenAs(isOfBatch(deviceCounts.version))
    const all = await sortFew(reader, and(onTheirDays, isOfBatch(devices.version), where), versions)
    return { ids: all.slice(offset, offset + limit), left: Math.max(0, offset - all.length) }
  }
  const matching = and(inArray(devices.version, [...versions]), where)
  const rows = await reader
    .select({ id: devices.id })
    .from(devices)
    .where(matching)
    .orderBy(desc(devices.lastSeenDay), desc(devices.id))
    .limit(limit)
    .offset(offset)
  const isBeyond = rows.length === 0 && offset > 0
  const left = isBeyond ? Math.max(0, offset - (await reader.$count(devices, matching))) : 0
  return { ids: rows.map(({ id }) => id), left }
}

/** The ids of few devices, in the order of these versions. */
async function sortFew(
  reader: Reader,
  where: SQL | undefined,
  versions: readonly string[],
): Promise<readonly string[]> {
  const { id, version, lastSeenDay } = devices
  const rows = await reader.select({ id, version, lastSeenDay }).from(devices).where(where)
  const ranks = new Map(versions.map((one, at) => [one, at]))
  const getRank = (one: string) => ranks.get(one) ?? versions.length
  return rows
    .toSorted(
      (a, b) =>
        getRank(a.version) - getRank(b.version) ||
        b.lastSeenDay - a.lastSeenDay ||
        (a.id < b.id ? 1 : -1),
    )
    .map((row) => row.id)
}
