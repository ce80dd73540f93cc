/** Records registrations, of new devices and of those that register again; the statements are built once. */
import type { Registration } from '@cardwire/protocol'
import { eq, not, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { devices } from '../db/schema.ts'
import { toDay } from './record-sync.ts'

interface RegistrationValues extends Registration {
  /** Of the device, if it is a new one. */
  readonly id: string
  readonly fingerprint: string
  readonly approved: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

export function prepareRegistration(db: Database) {
  const hasFingerprint = eq(devices.fingerprint, sql.placeholder('fingerprint'))
  const find = db.select({ id: devices.id }).from(devices).where(hasFingerprint).prepare()
  const record = db
    .insert(devices)
    .values({
      id: sql.placeholder('id'),
      fingerprint: sql.placeholder('fingerprint'),
      key: sql.placeholder('key'),
      version: sql.placeholder('version'),
      platform: sql.placeholder('platform'),
      device: sql.placeholder('device'),
      approved: sql.placeholder('approved'),
      createdAt: sql.placeholder('now'),
      registeredAt: sql.placeholder('now'),
      lastSeenAt: sql.placeholder('now'),
      lastSeenDay: sql.placeholder('day'),
      ...{ blocked: false, registrations: 1, assertedAt: 0, revision: 0, user: {}, faults: [] },
    })
    .onConflictDoUpdate({
      target: devices.fingerprint,
      set: {
        version: sql`excluded.version`,
        platform: sql`excluded.platform`,
        device: sql`excluded.device`,
        registeredAt: sql`excluded.registered_at`,
        lastSeenAt: sql`excluded.last_seen_at`,
        lastSeenDay: sql`excluded.last_seen_day`,
        registrations: sql`${devices.registrations} + 1`,
      },
      setWhere: not(devices.blocked),
    })
    .returning({ id: devices.id, registrations: devices.registrations })
    .prepare()
  return {
    isRegistered: async (fingerprint: string) => (await find.get({ fingerprint })) !== undefined,
    /** The id of the device, and how often it has registered; undefined when it is blocked. */
    async recordRegistration(values: RegistrationValues) {
      const [row] = await record.all({ ...values, day: toDay(values.now) })
      return row
    },
  }
}
