/** Columns that several tables have. */
import { integer } from 'drizzle-orm/sqlite-core'

export const times = {
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
}

/** 1 when created, one more with each update. */
export const revision = integer().notNull().default(1)
