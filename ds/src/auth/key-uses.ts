/** Notes the last day on which an API key of a label was used. */
import { and, eq } from 'drizzle-orm'
import { isDistinctFrom } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import { describeError } from '../db/describe-error.ts'
import { labels } from '../db/schema.ts'
import type { Clock, Log } from '../ports.ts'

interface KeyUseServices {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

/**
 * Returns a function that takes the id of a label whose key was just accepted. It writes at most once a day and label from
 * each process, and never fails: a token matters more than the day of its use.
 */
export function createKeyUses({
  db,
  clock,
  log,
}: KeyUseServices): (label: string) => Promise<void> {
  const noted = new Map<string, string>()
  return async (label) => {
    const day = new Date(clock()).toISOString().slice(0, 10)
    if (noted.get(label) === day) return
    noted.set(label, day)
    try {
      await db
        .update(labels)
        .set({ keyUsedAt: day })
        .where(and(eq(labels.id, label), isDistinctFrom(labels.keyUsedAt, day)))
    } catch (error) {
      noted.delete(label)
      log.error('use of an API key not noted', { label, error: describeError(error) })
    }
  }
}
