/**
 * The updates that record a device's request and mark its assertion as used. They return no row when a later assertion
 * was used already: the request is a replay then.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import type { DeviceAssertion } from '../auth/assertion.ts'
import { isRecent } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import { devices } from '../db/schema.ts'
import { clockSkewMs } from '../rules/assertion.ts'

/** What a synchronization stores about the device, as the columns hold it. */
interface SyncValues {
  readonly version: string
  readonly platform: string
  /** JSON. */
  readonly device: string
  readonly user: string
  readonly faults: string
  readonly keystore: string | null
  readonly state: string
  readonly verdict: string
}

interface AssertionValues {
  readonly id: string
  readonly at: number
  readonly now: number
}

type Values = SyncValues & AssertionValues

/** The SQL of a value: the value itself, or a placeholder of a prepared statement. */
type ToSql<V> = (name: keyof V & string) => SQL

const revision = { revision: devices.revision }

/** For a request that changes nothing else. */
export const createAssertionUpdate = (db: Database, { device, at }: DeviceAssertion, now: number) =>
  update(db, createToSql({ id: device.id, at, now }), changeLastSeenDay(device, now)).returning(
    revision,
  )

/** For almost every synchronization: each statement is built once. */
export function prepareSyncUpdate(db: Database) {
  const prepare = (names: readonly IndexedName[]) =>
    updateFromSync(db, (name) => sql`${sql.placeholder(name)}`, names).prepare()
  const prepared = new Map<string, ReturnType<typeof prepare>>()
  return (assertion: DeviceAssertion, values: Values) => {
    const names = listChanged(assertion, values)
    const key = names.join()
    const found = prepared.get(key) ?? prepare(names)
    prepared.set(key, found)
    return found.all({ ...values })
  }
}

/** For a synchronization that is stored in a batch, or is the first of the device on a day. */
export const createSyncUpdate = (db: Database, assertion: DeviceAssertion, values: Values) =>
  updateFromSync(
    db,
    createToSql(values),
    listChanged(assertion, values),
    changeLastSeenDay(assertion.device, values.now),
  )

/** Whether the last request of a device was on another day than `now`; on a later one when the clock was ahead. */
export const isFirstOfDay = ({ device }: DeviceAssertion, now: number): boolean =>
  device.lastSeenDay !== toDay(now)

/**
 * Whether a synchronization would store nothing new: the device was seen today, and reports what it reported. Its assertion
 * is not marked as used then: sent again it has no effect, and as soon as it would have one it is older than the assertion
 * that brought the change. A row that was read a while ago is not compared: its device may be blocked by now.
 */
export const isStored = (assertion: DeviceAssertion, values: Values): boolean =>
  isRecent(assertion.audit, values.now) &&
  !isFirstOfDay(assertion, values.now) &&
  reported.every((name) => assertion.device.stored[name] === values[name])

const reported = [
  'version',
  'platform',
  'device',
  'user',
  'faults',
  'keystore',
  'state',
  'verdict',
] as const satisfies readonly (keyof SyncValues)[]

/** What indexes of the table are made from. SQLite updates the index of a column that is set, even to the same value. */
const indexed = ['version', 'platform', 'device', 'user', 'faults', 'verdict'] as const
type IndexedName = (typeof indexed)[number]

/** Of those, the ones that differ from the row; all of them where it was read a while ago. */
const listChanged = ({ audit, device }: DeviceAssertion, values: Values): readonly IndexedName[] =>
  isRecent(audit, values.now)
    ? indexed.filter((name) => device.stored[name] !== values[name])
    : indexed

/** Days since 1970, UTC. */
export const toDay = (time: number): number => Math.floor(time / 86_400_000)

function updateFromSync(
  db: Database,
  toSql: ToSql<Values>,
  changed: readonly IndexedName[],
  changes: SQLiteUpdateSetSource<typeof devices> = {},
) {
  return update(db, toSql, {
    ...Object.fromEntries(changed.map((name) => [name, toSql(name)])),
    keystore: toSql('keystore'),
    state: toSql('state'),
    revision: sql`${devices.revision} + case when ${devices.state} is distinct from ${toSql('state')} then 1 else 0 end`,
    ...changes,
  }).returning(revision)
}

const update = (
  db: Database,
  toSql: ToSql<AssertionValues>,
  changes: SQLiteUpdateSetSource<typeof devices>,
) =>
  db
    .update(devices)
    .set({ assertedAt: toSql('at'), lastSeenAt: toSql('now'), ...changes })
    .where(
      sql`${devices.id} = ${toSql('id')} and not ${devices.blocked}
        and (${devices.assertedAt} < ${toSql('at')} or ${devices.assertedAt} > cast(${toSql('now')} as bigint) + ${sql.raw(String(clockSkewMs))})`,
    )

const createToSql =
  <V extends object>(values: V): ToSql<V> =>
  (name) =>
    sql`${values[name]}`

/** Set only when the day changes, which an index has. */
const changeLastSeenDay = (device: DeviceAssertion['device'], now: number) =>
  device.lastSeenDay === toDay(now) ? {} : { lastSeenDay: toDay(now) }
