/** The changes that wait for a second administrator. */
import {
  type Approval,
  approvalHours,
  listApprovals,
  Problem,
  removeApproval,
} from '@cardwire/protocol'
import { asc, eq, gt } from 'drizzle-orm'
import { exists } from '../db/audit.ts'
import { approvals } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { prepareApprovalWatch, toApprovalTag } from '../http/second-administrator.ts'
import type { Services } from '../services.ts'

export function bindApprovalRoutes(bind: Bind, services: Services): void {
  const { db, clock } = services
  const hasChangedSince = prepareApprovalWatch(services)

  bind(listApprovals, async () => {
    const isWaiting = gt(approvals.createdAt, clock() - approvalHours * 3_600_000)
    const rows = await db
      .select()
      .from(approvals)
      .where(isWaiting)
      .orderBy(asc(approvals.createdAt))
    const items = await Promise.all(
      rows.map(async (row) => toApproval(row, await hasChangedSince(row.sequence))),
    )
    return { data: { items } }
  })

  bind(removeApproval, async ({ query: { id }, audit }) => {
    const mine = eq(approvals.id, id)
    const [, [removed]] = await db.batch([
      audit.createEntry('approval', id, []).toStatement(exists(approvals, mine)),
      db.delete(approvals).where(mine).returning(),
    ])
    if (!removed)
      throw new Problem(
        'approval-unknown',
        `Cannot find approval "${id}": no such change is pending approval`,
      )
    return { data: { id } }
  })
}

function toApproval(row: typeof approvals.$inferSelect, changedSince: boolean): Approval {
  const { id, operation, params, query, body, reach, maxReach, subject, issuer, name } = row
  return {
    ...{ id, operation, params: { ...params }, query: { ...query }, reach, maxReach, changedSince },
    tag: toApprovalTag(row),
    ...(body !== null && { body }),
    who: { subject, ...(issuer !== null && { issuer }), name },
    createdAt: new Date(row.createdAt).toISOString(),
    expiresAt: new Date(row.createdAt + approvalHours * 3_600_000).toISOString(),
  }
}
