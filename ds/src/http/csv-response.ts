/** A table as CSV, of any length: a part is read when the one before was sent. */
import type { Context } from 'hono'
import { toCsvRow } from '../rules/csv.ts'

type CsvRow = Parameters<typeof toCsvRow>[0]

export interface CsvTable {
  readonly filename: string
  readonly columns: readonly string[]
  readonly parts: AsyncIterable<readonly CsvRow[]>
}

export function sendCsv(context: Context, table: CsvTable): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  // Begun here and not in `pull` of a stream: a Worker on PostgreSQL has the connection of a request only in what that began.
  void writeTable(table, writable)
  return context.body(readable, 200, {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${table.filename}"`,
    'cache-control': 'no-store',
  })
}

/** Ends early when the client has left; a part that cannot be read breaks the response off. */
async function writeTable(
  { columns, parts }: CsvTable,
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  const writer = writable.getWriter()
  const encoder = new TextEncoder()
  try {
    await writer.write(encoder.encode(toCsvRow(columns)))
    for await (const rows of parts)
      if (rows.length > 0) await writer.write(encoder.encode(rows.map(toCsvRow).join('')))
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => undefined)
  }
}
