/** A table as CSV, of any length: a part is read when the one before was sent. */
import type { Context } from 'hono'
import { toCsvRow } from '../rules/csv.ts'
import { streamText } from './stream-text.ts'

type CsvRow = Parameters<typeof toCsvRow>[0]

export interface CsvTable {
  readonly filename: string
  readonly columns: readonly string[]
  readonly parts: AsyncIterable<readonly CsvRow[]>
}

export const sendCsv = (context: Context, { filename, columns, parts }: CsvTable): Response =>
  streamText(context, writeRows(columns, parts), {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${filename}"`,
  })

async function* writeRows(columns: readonly string[], parts: AsyncIterable<readonly CsvRow[]>) {
  yield toCsvRow(columns)
  for await (const rows of parts) yield rows.map(toCsvRow).join('')
}
