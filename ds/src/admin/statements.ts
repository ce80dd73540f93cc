/** Writes statements down instead of running them, for a database that only wrangler reaches. */
import type { Driver, Statement } from '../db/database.ts'

/** A driver that keeps what it is given, as SQL text with the values in it. */
export function recorder(): Driver & { readonly text: () => string } {
  const kept: Statement[] = []
  const keep = (statement: Statement) => {
    kept.push(statement)
    // One row comes back, so that a change is taken for done.
    return [[]]
  }
  return {
    run: async (statement) => keep(statement),
    batch: async (statements) => statements.map(keep),
    text: () => kept.map(written).join('\n'),
  }
}

function written({ sql, params }: Statement): string {
  let at = 0
  return `${sql.replaceAll('?', () => literal(params[at++]))};`
}

const literal = (value: unknown) =>
  typeof value === 'number' || value === null
    ? String(value)
    : `'${String(value).replaceAll("'", "''")}'`
