/** Which devices of a change of many were changed again later: undoing it leaves them as they are. */
import type { DeviceChange } from '@cardwire/protocol'
import { and, count, eq, inArray, ne, not, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Database, Reader } from './database.ts'
import { changedDevices, deviceChanges, devices } from './schema.ts'

const { changeId, deviceId, changedSince } = changedDevices

/** Those of a change. `again`: were changed again later, or not. */
export const isChangedBy = (id: string, again: boolean): SQL =>
  sql`${devices.id} in (select ${deviceId} from ${changedDevices} where ${and(eq(changeId, id), isAgain(again))})`

export const isAgain = (again: boolean): SQL =>
  again ? sql`${changedSince}` : not(sql`${changedSince}`)

const tagChanges: readonly DeviceChange[] = ['addTags', 'removeTags', 'restoreTags', 'importTags']

/** What each change has the last word on. */
const overridden: Readonly<Record<DeviceChange, readonly DeviceChange[]>> = {
  approve: [],
  block: ['block', 'unblock'],
  unblock: ['block', 'unblock'],
  sync: [],
  remove: ['approve', 'block', 'unblock', ...tagChanges],
  addTags: tagChanges,
  removeTags: tagChanges,
  restoreTags: tagChanges,
  importTags: tagChanges,
}

/**
 * Stands before the statement that makes the change, or with the ID of the change that is left out, `own`, anywhere. `where`: the
 * devices that it changes.
 */
export const storeChangedSince = (
  db: Database,
  change: DeviceChange,
  where: SQL | undefined,
  own = '',
): BatchItem<'sqlite'> => {
  const changed = db.select({ id: devices.id }).from(devices).where(where)
  const earlier = db
    .select({ id: deviceChanges.id })
    .from(deviceChanges)
    .where(inArray(deviceChanges.change, [...overridden[change]]))
  return db
    .update(changedDevices)
    .set({ changedSince: true })
    .where(
      and(
        isAgain(false),
        inArray(deviceId, changed),
        inArray(changeId, earlier),
        ne(changeId, own),
      ),
    )
}

/** How many devices of each change were changed again later. */
export async function countChangedSince(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await reader
    .select({ id: changeId, count: count() })
    .from(changedDevices)
    .where(and(inArray(changeId, [...ids]), isAgain(true)))
    .groupBy(changeId)
  return new Map(rows.map((row) => [row.id, row.count]))
}
