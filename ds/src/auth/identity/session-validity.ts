/** Which sessions go on: none that began, or was used, while the clock was ahead. Nothing would end it before the clock is there again. */
import { and, gt, lte, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { sessions } from '../../db/schema.ts'

/** How far ahead the clock may have been, in milliseconds: no further than a session may be unused. */
const maxAheadMs = 30 * 60_000

/** Whether the time of a row is not of a clock that was ahead; `now`: milliseconds since 1970. */
export const isPast = (time: SQLiteColumn, now: number): SQL => lte(time, now + maxAheadMs)

/** Whether a row is a session of a program that has not ended. */
export const isProgramSessionValid = (now: number): SQL | undefined =>
  and(gt(sessions.expiresAt, now), isPast(sessions.createdAt, now))
