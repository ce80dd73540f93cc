/** Finds out which constraint a write violated, from the error of any driver. */
import { DrizzleQueryError, is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { PostgresError } from './postgres-error.ts'
import * as schema from './schema.ts'

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
    if (cause instanceof PostgresError) return findPostgresViolation(cause)
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

// 23505 unique_violation; 23503 foreign_key_violation, and 23001 restrict_violation from PostgreSQL 18 on.
function findPostgresViolation({
  state,
  table = '',
  constraint = '',
}: PostgresError): ConstraintViolation | undefined {
  if (state === '23503' || state === '23001') return { kind: 'reference' }
  if (state !== '23505') return undefined
  columnsOfConstraints ??= new Map(listUniqueConstraints())
  return { kind: 'unique', table, columns: columnsOfConstraints.get(constraint) ?? [] }
}

let columnsOfConstraints: ReadonlyMap<string, readonly string[]> | undefined

/** The columns of each unique constraint by its name, as the migrations for PostgreSQL name them. */
export const listUniqueConstraints = (): [name: string, columns: readonly string[]][] =>
  Object.values(schema)
    .filter((table) => is(table, SQLiteTable))
    .flatMap((table) => {
      const { name, columns, primaryKeys, uniqueConstraints } = getTableConfig(table)
      const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
      const listNames = (list: readonly { readonly name: string }[]) => list.map((one) => one.name)
      return [
        [`${name}_pkey`, listNames(key)],
        ...uniqueConstraints.map((one) => [one.getName() ?? '', listNames(one.columns)]),
        ...columns.flatMap((one) => (one.isUnique ? [[one.uniqueName ?? '', [one.name]]] : [])),
      ] as [string, readonly string[]][]
    })

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
