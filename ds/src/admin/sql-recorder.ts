/** Records statements as SQL instead of running them, for a database that only wrangler reaches. */
import type { Driver, Statement } from '../db/database.ts'

/** A driver that runs nothing; `text` returns the statements with their values filled in. */
export function createSqlRecorder(): Driver & { readonly text: () => string } {
  const recorded: Statement[] = []
  const record = (statement: Statement) => {
    recorded.push(statement)
    // Returns one row, so that the caller takes the change as done.
    return [[]]
  }
  return {
    run: async (statement) => record(statement),
    batch: async (statements) => statements.map(record),
    text: () => recorded.map(toSql).join('\n'),
  }
}

function toSql({ sql, params }: Statement): string {
  let at = 0
  return `${sql.replaceAll('?', () => toLiteral(params[at++]))};`
}

const toLiteral = (value: unknown) =>
  typeof value === 'number' || value === null
    ? String(value)
    : `'${String(value).replaceAll("'", "''")}'`
