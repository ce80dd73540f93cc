/** Lists the counters, and exports them as CSV. */
import { exportCounters, listCounters, summarizeCounters } from '@cardwire/protocol'
import { and, desc, eq, getTableColumns, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import { counters, labels, organizations } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { sendCsv } from '../http/csv-response.ts'
import { selectPage } from '../http/pagination.ts'
import { selectByDay } from '../http/select-by-day.ts'
import type { Services } from '../services.ts'

/** How many rows of an export are read at once, and kept in memory. */
const rowsPerQuery = 1000

const columns = [
  'day',
  'label',
  'module',
  'useCase',
  'tag',
  'count',
  'orgId',
  'organization',
] as const
const order = [desc(counters.day), counters.label, counters.module, counters.useCase, counters.tag]

type Row = typeof counters.$inferSelect

/** With the organization that the label has now; null where the label was removed, or there was none. */
type ExportedRow = Row & Readonly<Record<'orgId' | 'organization', string | null>>

type Filter = Partial<
  Record<'from' | 'to' | 'label' | 'orgId' | 'module' | 'tag', string | undefined>
> & {
  readonly useCase?: Row['useCase'] | undefined
}

export function bindCounterRoutes(bind: Bind, { reader }: Services): void {
  bind(listCounters, async ({ query: { page, size, ...filter } }) => {
    const list = await selectPage(reader, counters, { page, size }, toCondition(filter), order)
    return { data: { ...list, items: list.items.map(toCounter) } }
  })

  bind(summarizeCounters, async ({ query }) => ({
    data: await selectByDay(reader, counters, toCondition(query)),
  }))

  bind(exportCounters, async ({ query }, context) => {
    const where = toCondition(query)
    const readRows = (condition: SQL | undefined) =>
      reader
        .select({
          ...getTableColumns(counters),
          orgId: labels.orgId,
          organization: organizations.name,
        })
        .from(counters)
        .leftJoin(labels, eq(labels.id, counters.label))
        .leftJoin(organizations, eq(organizations.id, labels.orgId))
        .where(and(where, condition))
        .orderBy(...order)
        .limit(rowsPerQuery)
    return sendCsv(context, { filename: 'counters.csv', columns, parts: readParts(readRows) })
  })
}

async function* readParts(readRows: (condition: SQL | undefined) => PromiseLike<ExportedRow[]>) {
  let last: ExportedRow | undefined
  for (;;) {
    // Two queries: SQLite reads the rest of a day in the order of its index, and sorts other days one by one.
    const rest: ExportedRow[] = last ? await readRows(isLaterOfDay(last)) : []
    const isWithinDay = rest.length === rowsPerQuery
    const others = isWithinDay ? [] : await readRows(last && lt(counters.day, last.day))
    const part = [...rest, ...others]
    yield part.map((row) => columns.map((column) => row[column] ?? ''))
    last = part.at(-1)
    if (!isWithinDay && others.length < rowsPerQuery) return
  }
}

/** The rows of the same day that come after `row` in the order of the export. */
const isLaterOfDay = ({ day, label, module, useCase, tag }: Row) =>
  sql`${counters.day} = ${day} and
    (${counters.label}, ${counters.module}, ${counters.useCase}, ${counters.tag}) > (${label}, ${module}, ${useCase}, ${tag})`

const toCondition = ({ from, to, label, orgId, module, useCase, tag }: Filter) =>
  and(
    from === undefined ? undefined : gte(counters.day, from),
    to === undefined ? undefined : lte(counters.day, to),
    label === undefined ? undefined : eq(counters.label, label),
    orgId === undefined
      ? undefined
      : sql`${counters.label} in (select ${labels.id} from ${labels} where ${labels.orgId} = ${orgId})`,
    module === undefined ? undefined : eq(counters.module, module),
    useCase === undefined ? undefined : eq(counters.useCase, useCase),
    tag === undefined ? undefined : eq(counters.tag, tag),
  )

const toCounter = ({ tag, ...row }: Row) => ({
  ...row,
  ...(tag !== '' && { tag }),
})
