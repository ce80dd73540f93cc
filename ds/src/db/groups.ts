/** Reads groups, and counts the devices that fit their rules. */
import type { GroupRule } from '@cardwire/protocol'
import { and, eq, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { readHostnamePattern, sortGroups } from '../rules/group.ts'
import type { Database, Reader } from './database.ts'
import type { Dialect } from './dialect.ts'
import { deviceGroups, devices } from './schema.ts'

export type GroupRow = typeof deviceGroups.$inferSelect

/** The group that decides comes first. */
export const readGroups = async (db: Reader | Database): Promise<readonly GroupRow[]> =>
  sortGroups(await db.select().from(deviceGroups))

/** None where the group is gone: no device fits them. */
export const readRules = async (db: Reader | Database, id: string): Promise<readonly GroupRule[]> =>
  (await db.select().from(deviceGroups).where(eq(deviceGroups.id, id)))[0]?.rules ?? []

const isAnyOf = <T>(values: readonly T[] | undefined, toCondition: (value: T) => SQL) =>
  values && or(...values.map(toCondition))

/** With one parameter: D1 takes a hundred of a statement, and a comparison of two groups has the values of both. */
function hasHostname(dialect: Dialect, pattern: string): SQL {
  const match = readHostnamePattern(pattern)
  const { hostname } = devices
  if (match.kind === 'is') return sql`${hostname} = ${match.text}`
  if (match.kind === 'contains') return dialect.contains(hostname, match.text)
  // Not LIKE: D1 limits its patterns to 50 bytes.
  const [start, end] = [[...match.start].length, [...match.end].length]
  const [length, tailAt] = [sql.raw(String(start + end)), sql.raw(String(end - 1))]
  const head = sql`substr(${hostname}, 1, ${sql.raw(String(start))})`
  const tail = sql`substr(${hostname}, length(${hostname}) - ${tailAt}, ${sql.raw(String(end))})`
  const ends = end === 0 ? head : sql`${head} || ${tail}`
  return sql`(length(${hostname}) >= ${length} and ${ends} = ${match.start + match.end})`
}

/** A tag as it stands in a statement: its letters need no parameter, of which D1 takes a hundred. `around`: what JSON has on both sides. */
function quoteTag(tag: string, around: '"' | ''): SQL {
  if (!/^[a-z0-9._:-]+$/.test(tag)) throw new TypeError('Not a tag')
  return sql.raw(`'${around}${tag}${around}'`)
}

/** Tags have no quotes: each stands in the JSON as it is. */
export const hasTag = (dialect: Dialect, tag: string, tags: SQLWrapper = devices.tags): SQL =>
  dialect.contains(tags, quoteTag(tag, '"'))

/** The array is JSON within the JSON of the device, which is read once for all tags. */
const reportsTag = (dialect: Dialect, tags: readonly string[]) =>
  sql`exists (select 1 from ${dialect.eachText(devices.device, 'tags')} where value in (${sql.join(
    tags.map((tag) => quoteTag(tag, '')),
    sql`, `,
  )}))`

/** The devices that fit one of the rules: the same as `prepareRules` says of each. `isTagged`: other tags than they have. */
export const fitsRules = (
  dialect: Dialect,
  rules: readonly GroupRule[],
  isTagged: (tag: string) => SQL = (tag) => hasTag(dialect, tag),
): SQL =>
  sql`(${or(
    sql`1 = 0`,
    // What costs most comes last.
    ...rules.map(({ tags, reportedTags, hostnames, platforms, versions }) =>
      and(
        isAnyOf(platforms, (platform) => sql`${devices.platform} = ${platform}`),
        isAnyOf(versions, (version) => eq(devices.version, version) as SQL),
        isAnyOf(tags, isTagged),
        isAnyOf(hostnames, (pattern) => hasHostname(dialect, pattern)),
        reportedTags && reportsTag(dialect, reportedTags),
      ),
    ),
  )})`

export const isUnblocked = sql`not ${devices.blocked}`

/** Devices that are not blocked. */
export const countGroup = (reader: Reader, rules: readonly GroupRule[]): Promise<number> =>
  reader.$count(devices, and(isUnblocked, fitsRules(reader.sqlDialect, rules)))

/** The devices that fit one of two lists of rules, and not the other. */
export const countDifference = (
  reader: Reader,
  rules: readonly GroupRule[],
  others: readonly GroupRule[],
): Promise<number> => {
  const [one, other] = [rules, others].map(
    (each) => sql`(case when ${fitsRules(reader.sqlDialect, each)} then 1 else 0 end)`,
  )
  return reader.$count(devices, and(isUnblocked, sql`${one} <> ${other}`))
}
