/** Rollouts of versions, and how their devices fare. */
import type { RolloutEvidence, RolloutHour, RolloutInput, RolloutState } from '@cardwire/protocol'
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Arm } from '../../rules/rollout.ts'
import type { Outcome } from '../../rules/rollout-progress.ts'
import { times } from './columns.ts'
import { devices } from './devices.ts'

/** Who halted a rollout, and for the service with which numbers. */
interface Halt {
  readonly at: number
  readonly subject: string
  readonly issuer: string | null
  readonly name: string
  readonly test?: { readonly ratio: number; readonly failures: number; readonly tested: number }
}

export const rollouts = sqliteTable(
  'rollouts',
  {
    id: text().primaryKey(),
    /** Without a reference: a finished rollout stays when its version is removed. */
    versionId: text('version_id').notNull(),
    flag: text().$type<RolloutInput['flag']>().notNull(),
    state: text().$type<RolloutState>().notNull(),
    /** Shares and rates in percent. */
    plan: text({ mode: 'json' })
      .$type<Pick<RolloutInput, 'stages' | 'goodRate' | 'badRate'>>()
      .notNull(),
    /** Decides with the id of a device when it is reached. */
    salt: text().notNull(),
    stage: integer().notNull(),
    /** When the current stage began; null: not yet. */
    stageAt: integer('stage_at'),
    halt: text({ mode: 'json' }).$type<Halt>(),
    /** What was known of its devices when it finished: their rows are removed then. */
    evidence: text({ mode: 'json' }).$type<RolloutEvidence>(),
    revision: integer().notNull(),
    ...times,
  },
  (table) => [
    uniqueIndex('rollouts_open_version').on(table.versionId).where(sql`"state" <> 'finished'`),
    index('rollouts_created_at').on(table.createdAt),
  ],
)

export const rolloutDevices = sqliteTable(
  'rollout_devices',
  {
    rolloutId: text('rollout_id')
      .notNull()
      .references(() => rollouts.id, { onDelete: 'cascade' }),
    deviceId: text('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    arm: text().$type<Arm>().notNull(),
    stage: integer().notNull(),
    since: integer().notNull(),
    /** The last sync, to within a few hours. */
    seenAt: integer('seen_at').notNull(),
    /** The kinds of faults that it had at first. */
    faults: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    installedAt: integer('installed_at'),
    outcome: text().$type<Outcome>(),
  },
  (table) => [
    primaryKey({ columns: [table.rolloutId, table.deviceId] }),
    index('rollout_devices_device').on(table.deviceId),
  ],
)

/** How a rollout went: the latest hours, and the last one of each day before (rules/rollout-hours.ts). */
export const rolloutHours = sqliteTable(
  'rollout_hours',
  {
    rolloutId: text('rollout_id')
      .notNull()
      .references(() => rollouts.id, { onDelete: 'cascade' }),
    /** Since 1970. */
    hour: integer().notNull(),
    /** What was counted last in that hour. */
    counts: text({ mode: 'json' }).$type<Omit<RolloutHour, 'at'>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.rolloutId, table.hour] })],
)
