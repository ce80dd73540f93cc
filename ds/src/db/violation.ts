/** Reads from any driver's error which constraint refused a write. */
import { DrizzleQueryError } from 'drizzle-orm'

export type Violation =
  | { readonly kind: 'unique'; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: 'reference' }

// The text that every driver hands on from SQLite, some as the message, some in a cause (sqlite.org/rescode.html#constraint_unique).
const unique = /UNIQUE constraint failed: ([\w., ]+)/
const reference = /FOREIGN KEY constraint failed/

/** The constraint behind `error`, or undefined when it is another failure. */
export function violation(error: unknown): Violation | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // Drizzle's message repeats the bound values, which may hold any text.
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

/** Waits for a write; when a constraint refuses it, throws what `refusal` makes of that instead. */
export async function refusing<T>(
  write: PromiseLike<T>,
  refusal: (violation: Violation) => Error | Promise<Error | undefined> | undefined,
): Promise<T> {
  try {
    return await write
  } catch (error) {
    const found = violation(error)
    throw (found && (await refusal(found))) ?? error
  }
}
