/** Changes on the condition that a row still has the revision which the caller has read. */
import { Problem, type RevisionCondition, toEntityTag } from '@cardwire/protocol'
import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

/** The condition of If-Match, for the statement that changes the row; undefined for every row. */
export function matchesRevision(
  column: SQLiteColumn,
  condition: RevisionCondition | undefined,
): SQL | undefined {
  if (condition === undefined || condition === 'any') return undefined
  // Numbers of the contract, not parameters: D1 takes a hundred of these in a statement.
  return condition.length === 0 ? sql`false` : sql`${column} in (${sql.raw(condition.join(', '))})`
}

const hasRevision = (condition: RevisionCondition | undefined, revision: number) =>
  condition === undefined || condition === 'any' || condition.includes(revision)

/** `subject` names what should have changed; `current` is its revision, undefined when there is no such thing. */
export function createRevisionProblem(subject: string, current: number | undefined): Problem {
  if (current === undefined) {
    return new Problem('revision-mismatch', `Cannot change ${subject}: there is none yet`)
  }
  return new Problem(
    'revision-mismatch',
    `Cannot change ${subject}: it has revision ${current} by now, read it again`,
    { revision: current, headers: { etag: toEntityTag(current) } },
  )
}

/** Throws `revision-mismatch` when If-Match does not accept the revision. */
export function requireRevision(
  subject: string,
  condition: RevisionCondition | undefined,
  revision: number,
): void {
  if (!hasRevision(condition, revision)) throw createRevisionProblem(subject, revision)
}

/** Throws `revision-mismatch` when a request that creates something carries If-Match (RFC 9110 §13.1.1). */
export function requireNoRevision(subject: string, condition: RevisionCondition | undefined): void {
  if (condition !== undefined) throw createRevisionProblem(subject, undefined)
}

/** How often a change of single fields is tried against changes of others. */
const maxAttempts = 5

/**
 * Changes single fields of what `read` returns: `write` gets it with the condition that it has not changed since. When it
 * has, and the caller accepts any revision, it is read again, so that two changes of different fields both take effect.
 * Throws `revision-mismatch`, or `changed-meanwhile` when others change it all the time.
 */
export async function changeFields<R extends { readonly revision: number }, T>(
  subject: string,
  condition: RevisionCondition | undefined,
  read: () => Promise<R>,
  write: (row: R, condition: RevisionCondition) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const row = await read()
    requireRevision(subject, condition, row.revision)
    try {
      return await write(row, [row.revision])
    } catch (error) {
      if (!(error instanceof Problem && error.name === 'revision-mismatch')) throw error
    }
  }
  throw new Problem(
    'changed-meanwhile',
    `Cannot change ${subject}: others change it at the same time, send the request again`,
  )
}
