/** Lists the audit. Entries are written by the routes that change something. */
import { listAudit } from '@cardwire/client/protocol'
import { and, desc, eq, gte, lt, or } from 'drizzle-orm'
import { audit } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { selectPage } from '../http/pagination.ts'
import type { Services } from '../services.ts'

type Row = typeof audit.$inferSelect

export function bindAuditRoutes(bind: Bind, { reader }: Services): void {
  bind(listAudit, async ({ query: { who, kind, id, from, to, ...paging } }) => {
    const where = and(
      who === undefined ? undefined : or(eq(audit.subject, who), eq(audit.name, who)),
      kind === undefined ? undefined : eq(audit.kind, kind),
      id === undefined ? undefined : eq(audit.id, id),
      from === undefined ? undefined : gte(audit.at, Date.parse(from)),
      to === undefined ? undefined : lt(audit.at, Date.parse(to)),
    )
    const list = await selectPage(reader, audit, paging, where, [desc(audit.sequence)])
    return { data: { ...list, items: list.items.map(toAuditEntry) } }
  })
}

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
