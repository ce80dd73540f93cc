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
  const texts = writeTexts(table)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await texts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await texts.return()
    },
  })
  return context.body(body, 200, {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${table.filename}"`,
    'cache-control': 'no-store',
  })
}

async function* writeTexts({ columns, parts }: CsvTable): AsyncGenerator<string, void> {
  yield toCsvRow(columns)
  for await (const rows of parts) if (rows.length > 0) yield rows.map(toCsvRow).join('')
}
