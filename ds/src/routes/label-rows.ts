/** The rows of labels, and what the API shows of them. */
import type { Label, RevisionCondition } from '@cardwire/protocol'
import { and, eq } from 'drizzle-orm'
import { labels } from '../db/schema.ts'
import { toTimestamps } from '../http/pagination.ts'
import { matchesRevision } from '../http/preconditions.ts'
import { createLabelUnknownProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'

export type LabelRow = typeof labels.$inferSelect

/** The fields that the audit names; the API key has entries of its own. */
export const auditedFields = ['name', 'orgId']

export const describe = (id: string) => `label "${id}"`

export const toConsumer = (id: string) => ({ kind: 'application', id }) as const

/** With the state of its key. */
export async function toLabels(
  { gateway }: Pick<Services, 'gateway'>,
  rows: readonly LabelRow[],
): Promise<Label[]> {
  const keys = await gateway.findKeys(
    'application',
    rows.map(({ id }) => id),
  )
  return rows.map(({ createdAt, updatedAt, keyUsedAt, ...row }) => {
    const working = keys.get(row.id)
    return {
      ...row,
      keyState: working ? 'active' : 'revoked',
      ...(keyUsedAt !== null && { keyUsedAt }),
      ...(working?.replacedUntil !== undefined && {
        replacedKeyUntil: new Date(working.replacedUntil).toISOString(),
      }),
      ...toTimestamps({ createdAt, updatedAt }),
    }
  })
}

export async function toLabel(services: Pick<Services, 'gateway'>, row: LabelRow): Promise<Label> {
  const [label] = await toLabels(services, [row])
  if (!label) throw new Error(`Cannot show label "${row.id}"`)
  return label
}

export async function findLabel({ db }: Pick<Services, 'db'>, id: string): Promise<LabelRow> {
  const [row] = await db.select().from(labels).where(eq(labels.id, id))
  if (!row) throw createLabelUnknownProblem(id)
  return row
}

export const matches = (id: string, condition: RevisionCondition | undefined) =>
  and(eq(labels.id, id), matchesRevision(labels.revision, condition))
