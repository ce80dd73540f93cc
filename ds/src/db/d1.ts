/** The database driver of Cloudflare Workers: D1. */
import type { Driver } from './database.ts'

export function createD1Driver(binding: D1Database): Driver {
  return {
    run: ({ sql, params }) =>
      binding
        .prepare(sql)
        .bind(...params)
        .raw(),
    async batch(statements) {
      const results = await binding.batch<Record<string, unknown>>(
        statements.map(({ sql, params }) => binding.prepare(sql).bind(...params)),
      )
      return results.map(({ results: rows }) => rows.map((row) => Object.values(row)))
    },
  }
}
