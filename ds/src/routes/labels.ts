/** Labels and their API keys. */
import {
  deleteLabel,
  getLabel,
  type Label,
  listLabels,
  Problem,
  patchLabel,
  putLabel,
  type RevisionCondition,
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
import {
  changeFields,
  createRevisionProblem,
  matchesRevision,
  nextRevision,
  requireNoRevision,
  requireRevision,
} from '../http/preconditions.ts'
import { deriveId } from '../rules/derive-id.ts'
import { createLabelUnknownProblem, createOrganizationUnknownProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import { countUses, limitAffected } from './count-affected.ts'

type Row = typeof labels.$inferSelect

/** The fields that the audit names; the API key has entries of its own. */
const auditedFields = ['name', 'orgId']

export function bindLabelRoutes(bind: Bind, services: Services): void {
  const { db, clock, random, gateway } = services
  const keys = createConsumerKeys(gateway, random)
  const toConsumer = (id: string) => ({ kind: 'application', id }) as const

  async function toLabels(rows: readonly Row[]): Promise<Label[]> {
    const withKey = await gateway.findWithKey(
      'application',
      rows.map(({ id }) => id),
    )
    return rows.map(({ createdAt, updatedAt, keyUsedAt, ...row }) => ({
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
    if (!row) throw createLabelUnknownProblem(id)
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
    throw createLabelUnknownProblem(id)
  }

  const matches = (id: string, condition: RevisionCondition | undefined) =>
    and(eq(labels.id, id), matchesRevision(labels.revision, condition))

  /** Renames the label that was read, and gives it a key when there is one in the request. */
  async function change(
    { id, revision }: Row,
    { name, apiKey: given }: { readonly name: string; readonly apiKey?: string | undefined },
    condition: RevisionCondition | undefined,
    audit: OperationAudit,
  ): Promise<Label & { apiKey?: string }> {
    requireRevision(describe(id), condition, revision)
    await keys.requireFree(toConsumer(id), given)
    const rename = async () => {
      const mine = matches(id, condition)
      const fields = selectChangedFields(labels, mine, { name: isDistinctFrom(labels.name, name) })
      const changes = { name, updatedAt: clock(), revision: nextRevision(labels.revision) }
      const [, [row]] = await db.batch([
        audit.createEntry('label', id, fields).toStatement(exists(labels, mine)),
        db.update(labels).set(changes).where(mine).returning(),
      ])
      if (!row) throw createRevisionProblem(describe(id), (await findLabel(id)).revision)
      return row
    }
    // With a condition the label first, so that one of two requests gives it a key; else the key, whose refusal changes nothing.
    const renamed = condition === undefined ? undefined : await rename()
    const apiKey = given && (await replaceKey(id, given, 0, audit))
    return { ...(await toLabel(renamed ?? (await rename()))), ...(apiKey && { apiKey }) }
  }

  const requireUses = (id: string, max: number | undefined) =>
    limitAffected(max, () => countUses(services, [id]))

  /** Takes the revision, so that no other request with the same condition goes on. */
  async function claim(id: string, condition: RevisionCondition): Promise<void> {
    const [row] = await db
      .update(labels)
      .set({ revision: nextRevision(labels.revision) })
      .where(matches(id, condition))
      .returning()
    if (!row) throw createRevisionProblem(describe(id), (await findLabel(id)).revision)
  }

  bind(putLabel, async ({ body, headers: { 'if-match': match }, audit }) => {
    const { id, name, orgId, apiKey: given } = body
    if (id !== undefined) {
      const before = await findLabel(id)
      if (before.orgId !== orgId) {
        throw new Problem(
          'label-moved',
          `Cannot move label "${id}": it belongs to organization "${before.orgId}"`,
        )
      }
      return { created: false, data: await change(before, body, match, audit) }
    }
    const now = clock()
    const derived = deriveId(name)
    requireNoRevision(describe(derived), match)
    const row = { id: derived, name, orgId, revision: 1, createdAt: now, updatedAt: now }
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

  bind(patchLabel, async ({ params: { id }, body, headers, audit }) => ({
    data: await changeFields(
      describe(id),
      headers['if-match'],
      () => findLabel(id),
      (row, condition) =>
        change(row, { name: body.name ?? row.name, apiKey: body.apiKey }, condition, audit),
    ),
  }))

  bind(listLabels, async ({ query: { name, orgId, ...paging } }) => {
    const where = and(
      containsText(db, labels.name, name),
      orgId === undefined ? undefined : eq(labels.orgId, orgId),
    )
    const list = await selectPage(db, labels, paging, where, [labels.id])
    return { data: { ...list, items: await toLabels(list.items) } }
  })

  bind(getLabel, async ({ params: { id } }) => ({ data: await toLabel(await findLabel(id)) }))

  bind(deleteLabel, async ({ params: { id }, query, headers: { 'if-match': match }, audit }) => {
    await findLabel(id)
    await requireUses(id, query.maxReach)
    if (match !== undefined) await claim(id, match)
    // The key first: a label without a key can get a new one, but a key without a label would still be accepted.
    await gateway.remove(toConsumer(id), audit.createEntry('label', id, ['apiKey']))
    const mine = eq(labels.id, id)
    await db.batch([
      audit.createEntry('label', id, auditedFields).toStatement(exists(labels, mine)),
      db.delete(labels).where(mine),
    ])
    return { data: { id } }
  })

  bind(rotateLabelKey, async ({ params: { id }, query, body, audit }) => {
    const { apiKey: given, overlap } = body
    const row = await findLabel(id)
    await requireUses(id, query.maxReach)
    const apiKey = await replaceKey(id, given, overlap, audit)
    return { data: { ...(await toLabel(row)), apiKey } }
  })

  bind(revokeLabelKey, async ({ params: { id }, query, audit }) => {
    const row = await findLabel(id)
    await requireUses(id, query.maxReach)
    await gateway.disable(toConsumer(id), audit.createEntry('label', id, ['apiKey']))
    return { data: await toLabel(row) }
  })
}

const describe = (id: string) => `label "${id}"`
