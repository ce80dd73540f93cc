/** Changes of many devices, in steps of which each is stored whole or not at all. */
import { changeKeptDays, type DeviceChange, devicesPerChange } from '@cardwire/protocol'
import { and, asc, eq, gt, gte, lt, not, type SQL, sql } from 'drizzle-orm'
import { exists, type OperationAudit } from './audit.ts'
import { isAgain, storeChangedSince } from './changed-since.ts'
import type { Database, Reader } from './database.ts'
import { deletePart } from './delete-part.ts'
import { isOneOf } from './device-filter.ts'
import { changedDevices, deviceChanges, devices } from './schema.ts'
import { type TagChange, toTagChange } from './tag-changes.ts'

type TagChangeName = 'addTags' | 'removeTags' | 'restoreTags' | 'importTags'

export type ChangeRow = typeof deviceChanges.$inferSelect

const keptMs = changeKeptDays * 86_400_000

/** Old ones lose their devices a part at a time, so they offer no way back meanwhile. */
export const isKept = (now: number): SQL => gte(deviceChanges.createdAt, now - keptMs)

/** The devices on which a change of something else than tags has an effect. */
const isAffected: Readonly<Record<Exclude<DeviceChange, TagChangeName>, SQL | undefined>> = {
  approve: sql`not ${devices.approved}`,
  block: sql`not ${devices.blocked}`,
  unblock: sql`${devices.blocked}`,
  // Only these can sync.
  sync: sql`not ${devices.blocked}`,
  remove: undefined,
}

/** What a change does with the devices that it finds. */
export interface Effect {
  /** Those on which it has an effect. */
  readonly affected: SQL | undefined
  /** What it does with their tags. */
  readonly tagChange: TagChange | undefined
}

export function toEffect(
  { sqlDialect }: Pick<Reader, 'sqlDialect'>,
  { id, change, tags }: Pick<ChangeRow, 'id' | 'change' | 'tags'>,
  changedBy: string | undefined,
): Effect {
  const tagChange = toTagChange(sqlDialect, { id, change, tags: tags ?? [], changedBy })
  if (tagChange) return { affected: tagChange.affected, tagChange }
  return { affected: isAffected[change as keyof typeof isAffected], tagChange }
}

export async function findChange(db: Reader, id: string): Promise<ChangeRow | undefined> {
  const [row] = await db.select().from(deviceChanges).where(eq(deviceChanges.id, id))
  return row
}

/** What undoes a change; approved, asked and removed devices have no way back. */
const opposites: Readonly<Partial<Record<DeviceChange, DeviceChange>>> = {
  block: 'unblock',
  unblock: 'block',
  addTags: 'restoreTags',
  removeTags: 'restoreTags',
  restoreTags: 'restoreTags',
  importTags: 'restoreTags',
}

/** Whether a change of the devices of another one undoes it. */
export async function isUndo(
  reader: Reader,
  change: DeviceChange,
  changedBy: string | undefined,
): Promise<boolean> {
  if (changedBy === undefined) return false
  const undone = await findChange(reader, changedBy)
  return undone !== undefined && opposites[undone.change] === change
}

interface Affected {
  /** Those of the filter on which the change has an effect. */
  readonly where: SQL | undefined
  /** Only those that this change has changed. */
  readonly changedBy: string | undefined
  /** Without those that were changed again since. */
  readonly isUndone: boolean
}

/** The ids of the devices of the next step, in their order. */
export async function selectStep(
  reader: Reader,
  { lastId, reach, done }: ChangeRow,
  { where, changedBy, isUndone }: Affected,
) {
  const limit = Math.max(0, Math.min(devicesPerChange, reach - done))
  const { changeId, deviceId } = changedDevices
  const rows = await (changedBy === undefined
    ? reader
        .select({ id: devices.id })
        .from(devices)
        .where(and(gt(devices.id, lastId), where))
        .orderBy(asc(devices.id))
        .limit(limit)
    : reader
        .select({ id: devices.id })
        .from(changedDevices)
        .innerJoin(devices, eq(devices.id, deviceId))
        .where(
          and(
            ...[eq(changeId, changedBy), gt(deviceId, lastId), where],
            isUndone ? isAgain(false) : undefined,
          ),
        )
        .orderBy(asc(deviceId))
        .limit(limit))
  return { ids: rows.map(({ id }) => id), isLast: rows.length < devicesPerChange }
}

/** Stores that no devices are left, unless another request has changed some since `row` was read. */
export const storeEnd = (db: Database, { id, step }: ChangeRow): PromiseLike<unknown> =>
  db
    .update(deviceChanges)
    .set({ finished: true })
    .where(and(eq(deviceChanges.id, id), eq(deviceChanges.step, step)))

/**
 * Changes these devices, and counts them before: of two requests that have read the same row, the second changes nothing.
 * `step`: a new UUID.
 */
export async function storeStep(
  db: Database,
  audit: OperationAudit,
  row: ChangeRow,
  { ids, isLast, affected, tagChange }: Awaited<ReturnType<typeof selectStep>> & Effect,
  step: string,
): Promise<void> {
  const { id, change, filter, reach, tags } = row
  const isMine = exists(deviceChanges, and(eq(deviceChanges.id, id), eq(deviceChanges.step, step)))
  const changing = and(isOneOf(db, ids), affected)
  const mine = and(changing, isMine)
  const count = (where: SQL | undefined) => sql`(select count(*) from ${devices} where ${where})`
  // Another request may have changed some of them since they were read.
  const done = sql`${deviceChanges.done} + ${count(changing)}`
  const finished = isLast || row.done + ids.length >= reach
  const what = tags ? `${filter} tags=${tags.join(',')}` : filter
  await db.batch([
    db.insert(deviceChanges).values(row).onConflictDoNothing(),
    db
      .update(deviceChanges)
      .set({ done, lastId: ids.at(-1) ?? '', step, finished })
      .where(and(eq(deviceChanges.id, id), eq(deviceChanges.step, row.step))),
    audit
      .createEntry('devices', id, sql`${`${change} `} || ${count(mine)} || ${` ${what}`}`)
      .toStatement(isMine),
    audit.createEntryOfEach('device', devices, devices.id, mine, [change, id]),
    ...(tagChange
      ? changeTags(db, row, { mine, ids, tagChange })
      : [storeChangedSince(db, change, mine), ...changeRows(db, row, mine)]),
  ])
}

const changeRows = (db: Database, { id, change }: ChangeRow, mine: SQL | undefined) => {
  if (change === 'remove') return [db.delete(devices).where(mine)]
  const kept = storeChanged(db, id, mine, sql`null`)
  // Of those that are asked to sync, the entry in the audit is what wakes them.
  if (change === 'sync') return [kept]
  return [
    kept,
    db
      .update(devices)
      .set(values[change as keyof typeof values])
      .where(mine),
  ]
}

/** An undo finds its devices by those of the change before, so these are marked last. */
const changeTags = (
  db: Database,
  { id, change }: ChangeRow,
  {
    mine,
    ids,
    tagChange,
  }: {
    readonly mine: SQL | undefined
    readonly ids: readonly string[]
    readonly tagChange: TagChange
  },
) => {
  const { changeId, deviceId } = changedDevices
  const isDone = exists(changedDevices, and(eq(changeId, id), eq(deviceId, devices.id)))
  return [
    storeChanged(db, id, mine, sql`${devices.tags}`),
    db.update(devices).set({ tags: tagChange.tags }).where(mine),
    storeChangedSince(db, change, and(isOneOf(db, ids), isDone), id),
  ]
}

const storeChanged = (db: Database, id: string, mine: SQL | undefined, tags: SQL) =>
  db
    .insert(changedDevices)
    .select(sql`select ${id}, ${devices.id}, false, ${tags} from ${devices} where ${mine}`)
    .onConflictDoNothing()

const values = {
  approve: { approved: true },
  block: { blocked: true },
  unblock: { blocked: false },
} as const

/** Forgets changes that are too old, a part of the devices of one at a time. Resolves with whether there are more. */
export async function removeOldChanges(db: Database, now: number): Promise<boolean> {
  const [old] = await db
    .select({ id: deviceChanges.id })
    .from(deviceChanges)
    .where(lt(deviceChanges.createdAt, now - keptMs))
    .orderBy(asc(deviceChanges.createdAt))
    .limit(1)
  if (!old) return false
  const { changeId, deviceId } = changedDevices
  const isOfIt = eq(changeId, old.id)
  await db.batch([
    deletePart(db, changedDevices, { changeId, deviceId }, isOfIt),
    db
      .delete(deviceChanges)
      .where(and(eq(deviceChanges.id, old.id), not(exists(changedDevices, isOfIt)))),
  ])
  return true
}
