/** Finds out which constraint a write violated, from the error of any driver. */
import { DrizzleQueryError } from 'drizzle-orm'

export type ConstraintViolation =
  | { readonly kind: 'unique'; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: 'reference' }

// SQLite's own text, which every driver passes on, as the message or in a cause (sqlite.org/rescode.html#constraint_unique).
const unique = /UNIQUE constraint failed: ([\w., ]+)/
const reference = /FOREIGN KEY constraint failed/

/** The constraint that was violated, or undefined when `error` is another failure. */
export function findViolation(error: unknown): ConstraintViolation | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // Drizzle's message repeats the bound values, which may contain any text.
    if (cause instanceof DrizzleQueryError) continue
    const text = cause.message
    const columns = unique
      .exec(text)?.[1]
      ?.split(', ')
      .map((column) => column.trim().split('.'))
    if (columns?.[0]?.[0]) {
      return {
        kind: 'unique',
        table: columns[0][0],
        columns: columns.map(([, name]) => name ?? ''),
      }
    }
    if (reference.test(text)) return { kind: 'reference' }
  }
  return undefined
}

/** Awaits a write. When it violates a constraint, throws what `toError` returns instead of the driver's error. */
export async function mapConstraintError<T>(
  write: PromiseLike<T>,
  toError: (violation: ConstraintViolation) => Error | Promise<Error | undefined> | undefined,
): Promise<T> {
  try {
    return await write
  } catch (error) {
    const found = findViolation(error)
    throw (found && (await toError(found))) ?? error
  }
}
