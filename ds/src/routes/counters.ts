/** Counters, as pages and as a table. */
import { exportCounters, listCounters, Problem } from '@cardwire/client/protocol'
import { and, desc, eq, gte, lte } from 'drizzle-orm'
import { counters } from '../db/schema.ts'
import { csvRow } from '../rules/csv.ts'
import type { Services } from '../services.ts'
import type { Bind } from './bind.ts'
import { pageOf } from './lists.ts'

/** The most rows of a table: it is asked for in parts, and a request runs 50 statements. */
const mostRows = 100_000
const rowsAtOnce = 5000

const columns = ['day', 'label', 'module', 'useCase', 'tag', 'count'] as const
const order = [desc(counters.day), counters.label, counters.module, counters.useCase, counters.tag]

type Filter = Partial<Record<'from' | 'to' | 'label' | 'module' | 'tag', string | undefined>> & {
  readonly useCase?: typeof counters.$inferSelect.useCase | undefined
}

export function counterRoutes(bind: Bind, { db }: Services): void {
  bind(listCounters, async ({ query: { page, size, ...filter } }) => {
    const list = await pageOf(db, counters, { page, size }, matching(filter), order)
    return { data: { ...list, items: list.items.map(present) } }
  })

  bind(exportCounters, async ({ query }, context) => {
    const where = matching(query)
    const total = await db.$count(counters, where)
    if (total > mostRows) {
      throw new Problem(
        'input-invalid',
        `Cannot write a table of ${total} rows: ask for fewer days, ${mostRows} rows are the most`,
        { errors: [{ path: 'from', message: 'Too early' }] },
      )
    }
    let at = 0
    const rows = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const part = await db
          .select()
          .from(counters)
          .where(where)
          .orderBy(...order)
          .limit(rowsAtOnce)
          .offset(at)
        const lines = [
          ...(at === 0 ? [csvRow(columns)] : []),
          ...part.map((row) => csvRow(columns.map((column) => row[column]))),
        ]
        controller.enqueue(new TextEncoder().encode(lines.join('')))
        at += rowsAtOnce
        if (part.length < rowsAtOnce || at >= mostRows) controller.close()
      },
    })
    return context.body(rows, 200, {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="counters.csv"',
      'cache-control': 'no-store',
    })
  })
}

const matching = ({ from, to, label, module, useCase, tag }: Filter) =>
  and(
    from === undefined ? undefined : gte(counters.day, from),
    to === undefined ? undefined : lte(counters.day, to),
    label === undefined ? undefined : eq(counters.label, label),
    module === undefined ? undefined : eq(counters.module, module),
    useCase === undefined ? undefined : eq(counters.useCase, useCase),
    tag === undefined ? undefined : eq(counters.tag, tag),
  )

const present = ({ tag, ...row }: typeof counters.$inferSelect) => ({
  ...row,
  ...(tag !== '' && { tag }),
})
