/** The updates that take an assertion: no row comes back when a later one was taken, which makes this one a replay. */
import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { type Asserted, dayOf } from '../auth/assertion.ts'
import type { Database } from '../db/database.ts'
import { devices } from '../db/schema.ts'
import { clockSkewMs } from '../rules/assertion.ts'

/** What a synchronisation leaves of itself, as the columns hold it. */
interface Left {
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

interface Taken {
  readonly id: string
  readonly at: number
  readonly now: number
}

type Values = Left & Taken
type Hole<V> = (name: keyof V & string) => SQL

const revision = { revision: devices.revision }

/** Takes the assertion of a request that changes nothing else. */
export const taking = (db: Database, { device, at }: Asserted, now: number) =>
  update(db, filled({ id: device.id, at, now }), dayOn(device, now)).returning(revision)

/** The statement of almost every request, built once. */
export function takingOften(db: Database) {
  const prepared = whole(db, (name) => sql`${sql.placeholder(name)}`).prepare()
  return (values: Values) => prepared.all({ ...values })
}

/** The same for a batch, and for the first request of a device on a day. */
export const takingWith = (db: Database, { device }: Asserted, values: Values) =>
  whole(db, filled(values), dayOn(device, values.now))

/** Whether a device was not seen yet on the day of `now`. */
export const isFirstOfDay = ({ device }: Asserted, now: number): boolean =>
  device.lastSeenDay < dayOf(now)

function whole(
  db: Database,
  hole: Hole<Values>,
  changes: SQLiteUpdateSetSource<typeof devices> = {},
) {
  return update(db, hole, {
    ...{ version: hole('version'), platform: hole('platform'), device: hole('device') },
    ...{ user: hole('user'), faults: hole('faults'), keystore: hole('keystore') },
    ...{ state: hole('state'), verdict: hole('verdict') },
    revision: sql`${devices.revision} + (${devices.state} is not ${hole('state')})`,
    ...changes,
  }).returning(revision)
}

const update = (db: Database, hole: Hole<Taken>, changes: SQLiteUpdateSetSource<typeof devices>) =>
  db
    .update(devices)
    .set({ assertedAt: hole('at'), lastSeenAt: hole('now'), ...changes })
    .where(
      sql`${devices.id} = ${hole('id')} and not ${devices.blocked}
        and (${devices.assertedAt} < ${hole('at')} or ${devices.assertedAt} > ${hole('now')} + ${sql.raw(String(clockSkewMs))})`,
    )

const filled =
  <V extends object>(values: V): Hole<V> =>
  (name) =>
    sql`${values[name]}`

/** Set only when it changes: an index follows what is set, also when it stays the same. */
const dayOn = (device: Asserted['device'], now: number) =>
  device.lastSeenDay === dayOf(now) ? {} : { lastSeenDay: dayOf(now) }
