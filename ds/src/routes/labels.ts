/** Labels and their API keys. */
import {
  deleteLabel,
  getLabel,
  type Label,
  listLabels,
  Problem,
  putLabel,
  revokeLabelKey,
  rotateLabelKey,
} from '@cardwire/client/protocol'
import { and, eq } from 'drizzle-orm'
import { exists, isDistinctFrom, type OperationAudit, selectChangedFields } from '../db/audit.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { labels } from '../db/schema.ts'
import { createConsumerKeys } from '../gateway/consumer-keys.ts'
import type { Bind } from '../http/bind.ts'
import { containsText, selectPage, toTimestamps } from '../http/pagination.ts'
import { deriveId } from '../rules/derive-id.ts'
import { createOrganizationUnknownProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'

type Row = typeof labels.$inferSelect

/** The fields that the audit names; the API key has entries of its own. */
const auditedFields = ['name', 'orgId']

export function bindLabelRoutes(bind: Bind, { db, clock, random, gateway }: Services): void {
  const keys = createConsumerKeys(gateway, random)
  const toConsumer = (id: string) => ({ kind: 'application', id }) as const

  const createUnknownProblem = (id: string) =>
    new Problem('label-unknown', `Cannot find label "${id}": it does not exist`)

  async function toLabels(rows: readonly Row[]): Promise<Label[]> {
    const withKey = await gateway.findWithKey(
      'application',
      rows.map(({ id }) => id),
    )
    return rows.map(({ createdAt, updatedAt, keyUsedAt, revision: _, ...row }) => ({
      ...row,
      keyState: withKey.has(row.id) ? 'active' : 'revoked',
      ...(keyUsedAt !== null && { keyUsedAt }),
      ...toTimestamps({ createdAt, updatedAt }),
    }))
  }

  async function toLabel(row: Row): Promise<Label> {
    const [label] = await toLabels([row])
    if (!label) throw new Error(`Cannot show label "${row.id}"`)
    return label
  }

  async function findLabel(id: string): Promise<Row> {
    const [row] = await db.select().from(labels).where(eq(labels.id, id))
    if (!row) throw createUnknownProblem(id)
    return row
  }

  /** Gives the label a key. When the label is removed at the same moment, the key is removed again. */
  async function replaceKey(
    id: string,
    given: string | undefined,
    overlapS: number,
    audit: OperationAudit,
  ): Promise<string> {
    const entry = audit.createEntry('label', id, ['apiKey'])
    const key = await keys.replace(toConsumer(id), given, overlapS, entry)
    const [row] = await db.select().from(labels).where(eq(labels.id, id))
    if (row) return key
    await gateway.remove(toConsumer(id), audit.createUndoEntry('label', id, ['apiKey']))
    throw createUnknownProblem(id)
  }

  bind(putLabel, async ({ body: { id, name, orgId, apiKey: given }, audit }) => {
    const now = clock()
    if (id !== undefined) {
      const before = await findLabel(id)
      if (before.orgId !== orgId) {
        throw new Problem(
          'label-moved',
          `Cannot move label "${id}": it belongs to organization "${before.orgId}"`,
        )
      }
      const apiKey = given && (await replaceKey(id, given, 0, audit))
      const mine = eq(labels.id, id)
      const fields = selectChangedFields(labels, mine, { name: isDistinctFrom(labels.name, name) })
      const [, [row]] = await db.batch([
        audit.createEntry('label', id, fields).toStatement(exists(labels, mine)),
        db.update(labels).set({ name, updatedAt: now }).where(mine).returning(),
      ])
      if (!row) throw createUnknownProblem(id)
      return { created: false, data: { ...(await toLabel(row)), ...(apiKey && { apiKey }) } }
    }
    const derived = deriveId(name)
    const row = { id: derived, name, orgId, createdAt: now, updatedAt: now }
    await keys.requireFree(toConsumer(derived), given)
    await mapConstraintError(
      db.batch([
        audit.createEntry('label', derived, auditedFields).toStatement(),
        db.insert(labels).values(row),
      ]),
      ({ kind }) =>
        kind === 'reference'
          ? createOrganizationUnknownProblem(orgId)
          : new Problem(
              'label-taken',
              `Cannot create label "${name}": the id "${derived}" is taken, ids are unique across all organizations; choose another name`,
            ),
    )
    const mine = and(eq(labels.id, derived), eq(labels.updatedAt, now))
    const undo = () =>
      db.batch([
        audit.createUndoEntry('label', derived, auditedFields).toStatement(exists(labels, mine)),
        db.delete(labels).where(mine),
      ])
    const isUnchanged = async () => (await db.$count(labels, mine)) === 1
    const entry = audit.createEntry('label', derived, ['apiKey'])
    const apiKey = await keys.create(toConsumer(derived), given, { undo, isUnchanged }, entry)
    return {
      created: true,
      data: { ...(await toLabel({ ...row, keyUsedAt: null, revision: 1 })), apiKey },
    }
  })

  bind(listLabels, async ({ query: { name, orgId, ...paging } }) => {
    const where = and(
      containsText(db, labels.name, name),
      orgId === undefined ? undefined : eq(labels.orgId, orgId),
    )
    const list = await selectPage(db, labels, paging, where, [labels.id])
    return { data: { ...list, items: await toLabels(list.items) } }
  })

  bind(getLabel, async ({ params: { id } }) => ({ data: await toLabel(await findLabel(id)) }))

  bind(deleteLabel, async ({ params: { id }, audit }) => {
    await findLabel(id)
    // The key first: a label without a key can get a new one, but a key without a label would still be accepted.
    await gateway.remove(toConsumer(id), audit.createEntry('label', id, ['apiKey']))
    const mine = eq(labels.id, id)
    await db.batch([
      audit.createEntry('label', id, auditedFields).toStatement(exists(labels, mine)),
      db.delete(labels).where(mine),
    ])
    return { data: { id } }
  })

  bind(rotateLabelKey, async ({ params: { id }, body: { apiKey: given, overlap }, audit }) => {
    const row = await findLabel(id)
    const apiKey = await replaceKey(id, given, overlap, audit)
    return { data: { ...(await toLabel(row)), apiKey } }
  })

  bind(revokeLabelKey, async ({ params: { id }, audit }) => {
    const row = await findLabel(id)
    await gateway.disable(toConsumer(id), audit.createEntry('label', id, ['apiKey']))
    return { data: await toLabel(row) }
  })
}
