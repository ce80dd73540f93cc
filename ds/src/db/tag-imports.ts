/** Plans what the rows of a file with tags change, and keeps it until it is changed or a day has passed. */
import {
  maxImports,
  maxListedRows,
  maxTags,
  type RowFault,
  Tag,
  type TagImport,
} from '@cardwire/protocol'
import { and, asc, count, eq, isNotNull, lt, min, not, or, sql } from 'drizzle-orm'
import { toLowerAscii } from '../rules/lower-ascii.ts'
import { exists } from './audit.ts'
import type { Database, Reader } from './database.ts'
import { deletePart } from './delete-part.ts'
import { isOneOf } from './device-filter.ts'
import { deviceChanges, devices, plannedTags, tagImports } from './schema.ts'

/** A row of the file; an id counts more than a host name. */
export interface TagRow {
  readonly line: number
  readonly id: string
  readonly hostname: string
  /** Undefined: the row is too short. */
  readonly tags: string | undefined
}

/** So many rows are looked up at once: D1 limits the length of a parameter, and the statements of a request. */
const rowsPerStep = 500

export type Plan = Omit<TagImport, 'id' | 'reach' | 'isLarge' | 'groups'>

/** Stores what would change. */
export async function planTags(
  db: Database,
  reader: Reader,
  importId: string,
  rows: readonly TagRow[],
): Promise<Plan> {
  const plan = createPlan(rows.length)
  for (let at = 0; at < rows.length; at += rowsPerStep) {
    const step = rows.slice(at, at + rowsPerStep)
    const changed = plan.take(step, await findDevices(reader, step))
    if (changed.length > 0) await storePlanned(db, importId, changed)
  }
  return plan.finish()
}

interface Found {
  /** By ID. */
  readonly tags: ReadonlyMap<string, readonly string[]>
  /** By host name in lower case. */
  readonly named: ReadonlyMap<string, { readonly id: string; readonly count: number }>
}

async function findDevices(reader: Reader, rows: readonly TagRow[]): Promise<Found> {
  const names = rows.filter(({ id }) => id === '').map(({ hostname }) => toLowerAscii(hostname))
  const { hostname } = devices
  const isNamed = sql`${hostname} in (select value from ${reader.sqlDialect.eachText(JSON.stringify(names))})`
  // A stranger's device can have any name; with the tags of that name it would be approved.
  const isTrusted = eq(devices.approved, true)
  const found =
    names.length === 0
      ? []
      : await reader
          .select({ hostname, id: min(devices.id), count: count() })
          .from(devices)
          .where(and(isNotNull(hostname), isNamed, isTrusted))
          .groupBy(hostname)
  const named = new Map(
    found.map((one) => [one.hostname ?? '', { id: one.id ?? '', count: one.count }]),
  )
  const ids = [...rows.map(({ id }) => id), ...[...named.values()].map(({ id }) => id)]
  const tagged = await reader
    .select({ id: devices.id, tags: devices.tags })
    .from(devices)
    .where(isOneOf(reader, ids))
  return { named, tags: new Map(tagged.map(({ id, tags }) => [id, tags])) }
}

interface Planned {
  readonly id: string
  readonly tags: readonly string[]
}

/** Counts what the rows do. */
function createPlan(rows: number) {
  const unknown = createList<string>()
  const ambiguous = createList<string>()
  const faults = createList<{ readonly line: number; readonly fault: RowFault }>()
  const seen = new Set<string>()
  const kinds = new Map<string, number>()
  let unchanged = 0

  function takeRow({ line, id, hostname, tags }: TagRow, found: Found): Planned[] {
    const fault = (kind: RowFault) => {
      faults.add({ line, fault: kind })
      return []
    }
    if (tags === undefined) return fault('cells')
    if (id === '' && hostname === '') return fault('device')
    const wanted = [...new Set(tags.split(/[\s,;]+/).filter((tag) => tag !== ''))].toSorted()
    if (!wanted.every((tag) => Tag.safeParse(tag).success)) return fault('tags')
    if (wanted.length > maxTags) return fault('too-many')
    const named = found.named.get(toLowerAscii(hostname))
    if (id === '' && named !== undefined && named.count > 1) {
      ambiguous.add(hostname)
      return []
    }
    const own = id === '' ? (named?.id ?? '') : id
    const before = found.tags.get(own)
    if (before === undefined) {
      unknown.add(id || hostname)
      return []
    }
    if (seen.has(own)) return fault('repeated')
    seen.add(own)
    const added = wanted.filter((tag) => !before.includes(tag)).length
    const removed = before.filter((tag) => !wanted.includes(tag)).length
    if (added + removed === 0) {
      unchanged += 1
      return []
    }
    const kind = `${added} ${removed}`
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    return [{ id: own, tags: wanted }]
  }

  return {
    take: (step: readonly TagRow[], found: Found) => step.flatMap((row) => takeRow(row, found)),
    finish(): Plan {
      const changes = [...kinds].map(([kind, devices]) => {
        const [added = 0, removed = 0] = kind.split(' ').map(Number)
        return { added, removed, devices }
      })
      const order = changes.toSorted((one, other) => other.devices - one.devices)
      return {
        ...{ rows, unchanged, changes: order.slice(0, maxListedRows) },
        unknown: { count: unknown.count(), names: unknown.first },
        ambiguous: { count: ambiguous.count(), names: ambiguous.first },
        faults: { count: faults.count(), rows: faults.first },
      }
    },
  }
}

/** Keeps the first ones, and counts all. */
function createList<T>() {
  const first: T[] = []
  let all = 0
  return {
    first,
    count: () => all,
    add(one: T) {
      all += 1
      if (first.length < maxListedRows) first.push(one)
    },
  }
}

const storePlanned = (db: Database, importId: string, planned: readonly Planned[]) => {
  const { sqlDialect } = db
  const rows = planned.map(({ id, tags }) => ({ id, tags: JSON.stringify(tags) }))
  const field = (name: string) => sqlDialect.getField(sql`value`, sql.raw(`'${name}'`))
  return db
    .insert(plannedTags)
    .select(
      sql`select ${importId}, ${devices.id}, ${devices.tags}, ${field('tags')} from ${sqlDialect.eachObject(JSON.stringify(rows))} join ${devices} on ${devices.id} = ${field('id')}`,
    )
    .onConflictDoNothing()
}

export async function findImport(db: Reader, id: string) {
  const [row] = await db.select().from(tagImports).where(eq(tagImports.id, id))
  return row
}

const keptMs = 86_400_000

/** The longest that reading a file may take; an import without a review is not read any longer then. */
const readingMs = 3_600_000

/** Removes the oldest imports that are neither being read nor being applied, until there is room for another one. */
export async function makeRoomForImport(db: Database, now: number): Promise<void> {
  const isRead = or(isNotNull(tagImports.review), lt(tagImports.createdAt, now - readingMs))
  const isApplied = and(eq(deviceChanges.id, tagImports.id), not(deviceChanges.finished))
  while ((await db.$count(tagImports)) >= maxImports) {
    const [old] = await db
      .select({ id: tagImports.id })
      .from(tagImports)
      .where(and(isRead, not(exists(deviceChanges, isApplied))))
      .orderBy(asc(tagImports.createdAt))
      .limit(1)
    if (!old) return
    await removePart(db, old.id)
  }
}

/** Forgets imports that are too old, a part of the devices of one at a time. Resolves with whether there are more. */
export async function removeOldImports(db: Database, now: number): Promise<boolean> {
  const [old] = await db
    .select({ id: tagImports.id })
    .from(tagImports)
    .where(lt(tagImports.createdAt, now - keptMs))
    .orderBy(asc(tagImports.createdAt))
    .limit(1)
  if (!old) return false
  await removePart(db, old.id)
  return true
}

/** Removes a part of the devices of an import, and with the last ones the import. */
async function removePart(db: Database, id: string): Promise<void> {
  const { importId, deviceId } = plannedTags
  const isOfIt = eq(importId, id)
  await db.batch([
    deletePart(db, plannedTags, { importId, deviceId }, isOfIt),
    db.delete(tagImports).where(and(eq(tagImports.id, id), not(exists(plannedTags, isOfIt)))),
  ])
}
