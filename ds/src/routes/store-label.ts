/** Stores a label that is new or changed, gives it its API key, and removes it. */
import { type Label, Problem, type RevisionCondition } from '@cardwire/protocol'
import { and, eq } from 'drizzle-orm'
import { exists, isDistinctFrom, type OperationAudit, selectChangedFields } from '../db/audit.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { nextRevision } from '../db/revisions.ts'
import { labels } from '../db/schema.ts'
import { createConsumerKeys } from '../gateway/consumer-keys.ts'
import { removeOwner } from '../gateway/owners.ts'
import {
  createRevisionProblem,
  matchesRevision,
  requireNoRevision,
  requireRevision,
} from '../http/preconditions.ts'
import { deriveId } from '../rules/derive-id.ts'
import { createLabelUnknownProblem, createOrganizationUnknownProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import {
  auditedFields,
  describe,
  findLabel,
  type LabelRow,
  matches,
  toConsumer,
  toLabel,
} from './label-rows.ts'

interface LabelInput {
  readonly name: string
  readonly orgId: string
  readonly apiKey?: string | undefined
}

/** Adds a label with its key. */
export async function createLabel(
  services: Services,
  { name, orgId, apiKey: given }: LabelInput,
  condition: RevisionCondition | undefined,
  audit: OperationAudit,
): Promise<Label & { apiKey: string }> {
  const { db, clock, random, gateway } = services
  const keys = createConsumerKeys(gateway, random)
  const now = clock()
  const derived = deriveId(name)
  requireNoRevision(describe(derived), condition)
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
  return { ...(await toLabel(services, { ...row, keyUsedAt: null })), apiKey }
}

/** Gives the label a key. When the label is removed at the same moment, the key is removed again. */
export async function replaceKey(
  { db, gateway, random }: Services,
  id: string,
  given: string | undefined,
  overlapS: number,
  audit: OperationAudit,
): Promise<string> {
  const entry = audit.createEntry('label', id, ['apiKey'])
  const key = await createConsumerKeys(gateway, random).replace(
    toConsumer(id),
    given,
    overlapS,
    entry,
  )
  const [row] = await db.select().from(labels).where(eq(labels.id, id))
  if (row) return key
  await gateway.remove(toConsumer(id), audit.createUndoEntry('label', id, ['apiKey']))
  throw createLabelUnknownProblem(id)
}

/** Renames the label that was read, and gives it a key when there is one in the request. */
export async function changeLabel(
  services: Services,
  { id, revision }: LabelRow,
  { name, apiKey: given }: { readonly name: string; readonly apiKey?: string | undefined },
  condition: RevisionCondition | undefined,
  audit: OperationAudit,
): Promise<Label & { apiKey?: string }> {
  const { db, clock } = services
  requireRevision(describe(id), condition, revision)
  await createConsumerKeys(services.gateway, services.random).requireFree(toConsumer(id), given)
  const rename = async () => {
    const mine = matches(id, condition)
    const fields = selectChangedFields(labels, mine, { name: isDistinctFrom(labels.name, name) })
    const changes = { name, updatedAt: clock(), revision: nextRevision(labels.revision) }
    const [, [row]] = await db.batch([
      audit.createEntry('label', id, fields).toStatement(exists(labels, mine)),
      db.update(labels).set(changes).where(mine).returning(),
    ])
    if (!row) throw createRevisionProblem(describe(id), (await findLabel(services, id)).revision)
    return row
  }
  // With a condition the label first, so that one of two requests gives it a key; else the key, whose refusal changes nothing.
  const renamed = condition === undefined ? undefined : await rename()
  const apiKey = given && (await replaceKey(services, id, given, 0, audit))
  return { ...(await toLabel(services, renamed ?? (await rename()))), ...(apiKey && { apiKey }) }
}

/** Removes the label with its keys. */
export async function removeLabel(
  services: Services,
  id: string,
  condition: RevisionCondition | undefined,
  audit: OperationAudit,
): Promise<void> {
  const isWanted = matchesRevision(labels.revision, condition)
  const removed = await removeOwner(services, toConsumer(id), isWanted, {
    owner: audit.createEntry('label', id, auditedFields),
    key: audit.createEntry('label', id, ['apiKey']),
  })
  if (removed) return
  throw createRevisionProblem(describe(id), (await findLabel(services, id)).revision)
}
