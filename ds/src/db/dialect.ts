/** What SQLite and PostgreSQL write differently. All other SQL of the service is read by both. */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { toLowerAscii } from '../rules/lower-ascii.ts'

/** JSON as a statement has it: a column, an expression, or a text that becomes a parameter. */
type Json = SQLWrapper | string

export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** The texts of a JSON array, or of the one in `field`, as a table with the column `value`. */
  eachText(json: Json, field?: string): SQL
  /** The same for objects. */
  eachObject(json: Json, field?: string): SQL
  /** A field of a JSON object as text: null when it is absent, JSON when it is no plain value. */
  getField(json: Json, field: SQLWrapper | string): SQL
  /** Whether a text contains another, in any case of ASCII letters. */
  contains(text: SQLWrapper, part: SQLWrapper | string): SQL
  /** The column `value` of a query as a JSON array, sorted; its texts have no character that JSON escapes. */
  toArray(values: SQL): SQL
  /** The devices with one of these names that contains a text of at least three characters, by the index of names; at most `limit`. */
  findNames(names: readonly DeviceName[], part: string, limit: number): SQL
}

type DeviceName = 'hostname' | 'username'

const joinNames = (names: readonly DeviceName[], toCondition: (name: SQL) => SQL) =>
  sql`(${sql.join(
    names.map((name) => toCondition(sql.raw(name))),
    sql` or `,
  )})`

const listElements = (json: Json, field: string | undefined) =>
  field === undefined
    ? sql`json_each(${json})`
    : sql`json_each(${json}, ${sql.raw(`'$.${field}'`)})`

/**
 * What FTS5 is asked for. A phrase is compared with a name at each place of each of its trigrams: with one that repeats them, a name
 * of 250 equal letters takes a millisecond. Its trigrams without their order find more names than those with the phrase.
 */
function toNameQuery(low: string): { readonly query: string; readonly isExact: boolean } {
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
  const letters = [...low]
  const trigrams = letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''))
  const distinct = new Set(trigrams)
  return distinct.size === trigrams.length
    ? { query: quote(low), isExact: true }
    : { query: `(${[...distinct].map(quote).join(' AND ')})`, isExact: false }
}

export const sqlite: Dialect = {
  name: 'sqlite',
  eachText: listElements,
  eachObject: listElements,
  getField: (json, field) => sql`${json} ->> ${field}`,
  // Not LIKE: D1 limits its patterns to 50 bytes.
  contains: (text, part) => sql`instr(lower(${text}), lower(${part})) > 0`,
  toArray: (values) => sql`(select json_group_array(value order by value) from (${values}))`,
  findNames(names, part, limit) {
    const low = toLowerAscii(part)
    const { query, isExact } = toNameQuery(low)
    const match = `{${names.join(' ')}} : ${query}`
    const end = isExact ? sql`limit ${limit}` : sql``
    // A copy of the database that numbers the rows anew finds other devices: they are left out.
    return sql`rowid in (select rowid from device_names where device_names match ${match} ${end})
      and ${joinNames(names, (name) => sql`instr(${name}, ${low}) > 0`)}`
  },
}

/**
 * JSON whose texts can be read: NUL and halves of surrogate pairs, which JSON can write and PostgreSQL cannot store, become
 * U+FFFD (postgresql.org/docs/current/datatype-json.html). Whole pairs are never written so.
 */
const toJson = (json: Json) => {
  const refused = sql.raw(String.raw`'\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi'`)
  return sql`regexp_replace((${json})::text, ${refused})::json`
}

const toArray = (json: Json, field: string | undefined) =>
  field === undefined ? toJson(json) : sql`${toJson(json)} -> ${sql.raw(`'${field}'`)}`

export const postgres: Dialect = {
  name: 'postgres',
  eachText: (json, field) => sql`json_array_elements_text(${toArray(json, field)})`,
  eachObject: (json, field) => sql`json_array_elements(${toArray(json, field)})`,
  getField: (json, field) => sql`${toJson(json)} ->> ${field}::text`,
  contains: (text, part) =>
    sql`strpos(lower((${text}) collate "C"), lower(${part} collate "C")) > 0`,
  toArray: (values) =>
    sql`(select '[' || coalesce(string_agg('"' || value || '"', ',' order by value collate "C"), '') || ']' from (${values}) as texts)`,
  findNames(names, part) {
    const pattern = `%${toLowerAscii(part).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    return joinNames(names, (name) => sql`${name} like ${pattern}`)
  },
}

// Names and texts stay as they are; what the service compares with is always a parameter.
const placeholder = /"[^"]*"|'[^']*'|\?/g
/** Drizzle writes the columns of a conflict with their table, as only SQLite reads them. */
const conflict = / on conflict \(((?:"\w+"\."\w+"(?:, )?)+)\)/

/** The text of a statement that drizzle has built for SQLite, as PostgreSQL reads it. */
export function toPostgresText(text: string): string {
  let count = 0
  return text
    .replace(
      conflict,
      (_, columns: string) => ` on conflict (${columns.replaceAll(/"\w+"\./g, '')})`,
    )
    .replace(placeholder, (found) => {
      if (found !== '?') return found
      count += 1
      return `$${count}`
    })
}

/** A value as PostgreSQL stores it: it refuses a text with NUL, whatever is done with it. */
export const toPostgresValue = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
