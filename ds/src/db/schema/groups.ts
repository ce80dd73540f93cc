/** Groups of devices: rules that say which devices are in them. */
import type { GroupRule } from '@cardwire/protocol'
import { integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { revision, times } from './columns.ts'

export const deviceGroups = sqliteTable(
  'device_groups',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    rules: text({ mode: 'json' }).$type<readonly GroupRule[]>().notNull(),
    /** Among the groups of a device, the one with the largest decides. */
    priority: integer().notNull(),
    revision,
    ...times,
  },
  (table) => [unique().on(table.name)],
)
