/** Changes of the tags of many devices, as conditions and values of their rows. */
import { type DeviceChange, type Group, type GroupRule, maxTags } from '@cardwire/protocol'
import { and, count, eq, isNotNull, not, or, type SQL, sql } from 'drizzle-orm'
import { exists } from './audit.ts'
import type { Reader } from './database.ts'
import type { Dialect } from './dialect.ts'
import { fitsRules, hasTag, isUnblocked, readGroups } from './groups.ts'
import { changedDevices, devices, plannedTags, tagImports } from './schema.ts'

interface TagRequest {
  /** Of `importTags`: also the ID of the import. */
  readonly id: string
  readonly change: DeviceChange
  /** Of `addTags` and `removeTags`. */
  readonly tags: readonly string[]
  /** Of `restoreTags`: the change that it undoes. */
  readonly changedBy: string | undefined
}

export interface TagChange {
  /** The devices that get other tags. */
  readonly affected: SQL
  /** Those that would have too many. */
  readonly refused: SQL | undefined
  /** The tags that a device gets. */
  readonly tags: SQL
  /** What has the tags that devices get, by device. */
  readonly source?: {
    readonly table: typeof changedDevices | typeof plannedTags
    readonly on: SQL | undefined
  }
  /** Whether a device has a tag afterwards, joined with `source`. */
  isTagged(tag: string): SQL
  /** Whether the rules of a group may be about the tags that change. */
  isAbout(tags: readonly string[]): boolean
}

/** Undefined for a change of something else. */
export function toTagChange(dialect: Dialect, request: TagRequest): TagChange | undefined {
  const { change, tags, changedBy } = request
  if (change === 'addTags') return addTags(dialect, tags)
  if (change === 'removeTags') return removeTags(dialect, tags)
  if (change === 'importTags') return importTags(dialect, request.id)
  return change === 'restoreTags' ? restoreTags(dialect, changedBy ?? '') : undefined
}

const yes = sql`(1 = 1)`
const no = sql`(1 = 0)`

/** Each stands between two quotes. */
const tagCount = sql`((length(${devices.tags}) - length(replace(${devices.tags}, '"', ''))) / 2)`

function addTags(dialect: Dialect, added: readonly string[]): TagChange {
  const has = added.map((tag) => hasTag(dialect, tag))
  const lacking = sql`(${or(...has.map((one) => not(one)))})`
  const missing = sql.join(
    has.map((one) => sql`(case when ${one} then 0 else 1 end)`),
    sql` + `,
  )
  const fits = sql`${tagCount} + ${missing} <= ${maxTags}`
  const own = sql`select value from ${dialect.eachText(devices.tags)}`
  return {
    affected: sql`(${lacking} and ${fits})`,
    refused: sql`(${lacking} and not (${fits}))`,
    tags: dialect.toArray(
      sql`${own} union select value from ${dialect.eachText(JSON.stringify(added))}`,
    ),
    isTagged: (tag) => (added.includes(tag) ? yes : hasTag(dialect, tag)),
    isAbout: (tags) => tags.some((tag) => added.includes(tag)),
  }
}

function removeTags(dialect: Dialect, removed: readonly string[]): TagChange {
  const others = sql`(select value from ${dialect.eachText(JSON.stringify(removed))})`
  return {
    affected: sql`(${or(...removed.map((tag) => hasTag(dialect, tag)))})`,
    refused: undefined,
    tags: dialect.toArray(
      sql`select value from ${dialect.eachText(devices.tags)} where value not in ${others}`,
    ),
    isTagged: (tag) => (removed.includes(tag) ? no : hasTag(dialect, tag)),
    isAbout: (tags) => tags.some((tag) => removed.includes(tag)),
  }
}

/** The tags that devices had before another change, without those that were tagged again since. */
function restoreTags(dialect: Dialect, undone: string): TagChange {
  const { changeId, deviceId, changedSince } = changedDevices
  const mine = and(eq(changeId, undone), eq(deviceId, devices.id))
  const isOther = sql`${changedDevices.tags} <> ${devices.tags}`
  const tags = sql`(select ${changedDevices.tags} from ${changedDevices} where ${mine})`
  return {
    affected: exists(changedDevices, and(mine, not(sql`${changedSince}`), isOther)),
    refused: undefined,
    tags,
    source: { table: changedDevices, on: mine },
    isTagged: (tag) => hasTag(dialect, tag, changedDevices.tags),
    isAbout: () => true,
  }
}

/** The devices of a file whose tags were to change when it was read. */
export const isPlanned = (id: string): SQL => {
  const { importId, deviceId } = plannedTags
  return sql`${devices.id} in (select ${deviceId} from ${plannedTags} where ${eq(importId, id)})`
}

/** The tags of a file, for the devices whose tags have not changed since it was read. */
function importTags(dialect: Dialect, id: string): TagChange {
  const { importId, deviceId, before } = plannedTags
  const isOfIt = eq(importId, id)
  const mine = and(isOfIt, eq(deviceId, devices.id))
  const isRead = exists(tagImports, and(eq(tagImports.id, id), isNotNull(tagImports.review)))
  const isSame = sql`${before} = ${devices.tags} and ${plannedTags.tags} <> ${devices.tags}`
  const tags = sql`(select ${plannedTags.tags} from ${plannedTags} where ${mine})`
  return {
    affected: sql`(${isRead} and ${isPlanned(id)} and ${exists(plannedTags, and(mine, isSame))})`,
    refused: undefined,
    tags,
    source: { table: plannedTags, on: mine },
    isTagged: (tag) => hasTag(dialect, tag, plannedTags.tags),
    isAbout: () => true,
  }
}

type GroupChange = Pick<Group, 'id' | 'name'> & {
  readonly entering?: number
  readonly leaving?: number
}

/** So many values are compared with devices for one review, about a second: a viewer may ask for it. */
const maxComparisons = 20_000_000

const countValues = (rules: readonly GroupRule[]): number =>
  rules.flatMap((rule) => Object.values(rule)).flat().length

/** The groups that the devices of `where`, so many, enter or leave by the change; without numbers where there is too much to compare. */
export async function countGroupChanges(
  reader: Reader,
  { source, isTagged, isAbout }: TagChange,
  where: SQL | undefined,
  reach: number,
): Promise<GroupChange[]> {
  const { sqlDialect } = reader
  let left = maxComparisons
  const found: GroupChange[] = []
  const read = async (condition: SQL | undefined) => {
    const all = reader.select({ count: count() }).from(devices)
    const joined = source ? all.innerJoin(source.table, source.on) : all
    const [row] = await joined.where(and(where, isUnblocked, condition))
    return row?.count ?? 0
  }
  for (const { id, name, rules } of await readGroups(reader)) {
    if (!rules.some(({ tags }) => tags && isAbout(tags))) continue
    left -= 2 * reach * countValues(rules)
    if (left < 0) {
      found.push({ id, name })
      continue
    }
    const [before, after] = [fitsRules(sqlDialect, rules), fitsRules(sqlDialect, rules, isTagged)]
    // D1 takes a hundred parameters of a statement. Where tags are only added, or only removed, no statement needs the rules twice.
    const [had, has] = [await read(before), await read(after)]
    const both = source ? await read(and(before, after)) : Math.min(had, has)
    const [entering, leaving] = [has - both, had - both]
    if (entering + leaving > 0) found.push({ id, name, entering, leaving })
  }
  return found
}
