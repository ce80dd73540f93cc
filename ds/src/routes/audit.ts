/** Lists the audit, and exports it as CSV. Entries are written by the routes that change something. */
import { exportAudit, type Input, listAudit } from '@cardwire/protocol'
import { and, desc, eq, gte, lt, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { audit } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { sendCsv } from '../http/csv-response.ts'
import { selectPage } from '../http/pagination.ts'
import type { Services } from '../services.ts'

type Row = typeof audit.$inferSelect

type Filter = Input<typeof exportAudit>['query']

/** How many rows of an export are read at once, and kept in memory. */
const rowsPerQuery = 1000

export function bindAuditRoutes(bind: Bind, { reader }: Pick<Services, 'reader'>): void {
  bind(listAudit, async ({ query: { page, size, ...filter } }) => {
    const where = toCondition(filter)
    const list = await selectPage(reader, audit, { page, size }, where, [desc(audit.sequence)])
    return { data: { ...list, items: list.items.map(toAuditEntry) } }
  })

  bind(exportAudit, async ({ query }, context) =>
    sendCsv(context, {
      filename: 'audit.csv',
      columns: Object.keys(cells),
      parts: readParts(toCondition(query, query.id === undefined ? inOrder : indexed)),
    }),
  )

  async function* readParts(where: SQL | undefined) {
    let before: number | undefined = Number.MAX_SAFE_INTEGER
    while (before !== undefined) {
      const rows: Row[] = await reader
        .select()
        .from(audit)
        .where(and(where, lt(audit.sequence, before)))
        .orderBy(desc(audit.sequence))
        .limit(rowsPerQuery)
      yield rows.map((row) => Object.values(cells).map((toCell) => toCell(row) ?? ''))
      before = rows.length < rowsPerQuery ? undefined : rows.at(-1)?.sequence
    }
  }
}

/** The columns of the export. */
const cells: Readonly<Record<string, (row: Row) => string | number | null>> = {
  sequence: ({ sequence }) => sequence,
  at: ({ at }) => new Date(at).toISOString(),
  subject: ({ subject }) => subject,
  issuer: ({ issuer }) => issuer,
  name: ({ name }) => name,
  operation: ({ operation }) => operation,
  kind: ({ kind }) => kind,
  id: ({ id }) => id,
  fields: ({ fields }) => fields.trim(),
  address: ({ address }) => address,
  requestId: ({ requestId }) => requestId,
}

/** In the words of its index: databases compare them. */
const isSummary = sql`not (${audit.kind} = 'device' and ${audit.operation} = 'changeDevices')`

interface FilterColumns {
  readonly kind: SQLWrapper
  readonly at: SQLWrapper
}

const indexed: FilterColumns = { kind: audit.kind, at: audit.at }

/** As expressions that no index has. With an index, each part of an export would find and sort the entries of all parts. */
const inOrder: FilterColumns = { kind: sql`${audit.kind} || ''`, at: sql`${audit.at} + 0` }

const toCondition = (
  { who, kind, id, from, to, summarized = false }: Filter,
  columns: FilterColumns = indexed,
) =>
  and(
    who === undefined ? undefined : or(eq(audit.subject, who), eq(audit.name, who)),
    kind === undefined ? undefined : eq(columns.kind, kind),
    id === undefined ? undefined : eq(audit.id, id),
    from === undefined ? undefined : gte(columns.at, Date.parse(from)),
    to === undefined ? undefined : lt(columns.at, Date.parse(to)),
    summarized ? isSummary : undefined,
  )

const toAuditEntry = ({ sequence, at, operation, kind, id, fields, ...row }: Row) => ({
  sequence,
  at: new Date(at).toISOString(),
  who: {
    subject: row.subject,
    ...(row.issuer !== null && { issuer: row.issuer }),
    name: row.name,
  },
  operation,
  kind,
  id,
  fields: fields.split(' ').filter(Boolean),
  ...(row.address !== null && { address: row.address }),
  ...(row.requestId !== null && { requestId: row.requestId }),
})
