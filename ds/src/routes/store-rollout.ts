/** Stores a rollout that is new, or has not started. */
import { Problem, type RevisionCondition, type RolloutInput } from '@cardwire/protocol'
import { and, eq, ne, not, sql } from 'drizzle-orm'
import { exists, type OperationAudit } from '../db/audit.ts'
import { explainCondition, requireInBatch } from '../db/batch-conditions.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { nextRevision } from '../db/revisions.ts'
import { type RolloutRow, readOpenRollouts, toPlan } from '../db/rollouts.ts'
import { rollouts, versions } from '../db/schema.ts'
import { requireNoRevision, requireRevision } from '../http/preconditions.ts'
import type { RolloutPlan } from '../rules/rollout.ts'
import type { Services } from '../services.ts'
import { countHeldBack, limitAffected } from './count-affected.ts'
import { findGroup } from './groups.ts'
import { findVersion } from './versions.ts'

export const describe = (id: string) => `rollout "${id}"`

/** The fields that the audit names. */
export const planFields = ['version', 'flag', 'stages', 'goodRate', 'badRate']

interface StoreOptions {
  readonly maxReach?: number | undefined
  readonly condition: RevisionCondition | undefined
  readonly audit: OperationAudit
}

export async function storeRollout(
  services: Services,
  id: string,
  { version: versionId, flag, stages, goodRate, badRate }: RolloutInput,
  { maxReach, condition, audit }: StoreOptions,
): Promise<{ readonly created: boolean; readonly row: RolloutRow }> {
  const { db, clock, random } = services
  if (goodRate >= badRate)
    throw new Problem('input-invalid', 'Cannot save the rollout: goodRate is not below badRate', {
      errors: [{ path: 'badRate', message: 'expected a larger number than goodRate' }],
    })
  const [before] = await db.select().from(rollouts).where(eq(rollouts.id, id))
  if (!before) requireNoRevision(describe(id), condition)
  else {
    requireRevision(describe(id), condition, before.revision)
    if (before.state !== 'draft') throw createStartedProblem(id)
  }
  await requireVersion(services, versionId)
  for (const { group } of stages) if (group !== undefined) await findGroup(services, group)
  const plan = { id, versionId, flag, stages, state: 'draft', stage: 0 } as const
  await limitAffected(services, maxReach, () => countHeld(services, plan))
  const now = clock()
  const values = { versionId, flag, plan: { stages, goodRate, badRate }, updatedAt: now }
  const isStarted = and(eq(rollouts.id, id), ne(rollouts.state, 'draft'))
  const suits = and(eq(versions.id, versionId), isSuitable)
  const stored = mapConstraintError(
    db.batch([
      audit.createEntry('rollout', id, planFields).toStatement(not(exists(rollouts, isStarted))),
      db
        .insert(rollouts)
        .values({
          ...{ id, ...values, state: 'draft', salt: random.uuid(), stage: 0 },
          ...{ revision: 1, createdAt: now },
        })
        .onConflictDoUpdate({
          target: rollouts.id,
          set: { ...values, revision: nextRevision(rollouts.revision) },
          setWhere: eq(rollouts.state, 'draft'),
        })
        .returning(),
      requireInBatch(db, exists(versions, suits)),
    ]),
    () =>
      new Problem(
        'rollout-taken',
        `Cannot roll out version "${versionId}": it has a rollout that is not finished`,
      ),
  )
  const [, [row]] = await explainCondition(stored, async () => {
    await requireVersion(services, versionId)
    return createUnsuitableProblem(versionId, 'it has just changed')
  })
  if (!row) throw createStartedProblem(id)
  return { created: row.revision === 1, row }
}

/** Everyone gets a version that has a flag already. */
export async function requireVersion(services: Services, id: string) {
  const version = await findVersion(services, id)
  if (!version.allowed) throw createUnsuitableProblem(id, 'it is not allowed')
  if (version.recommended || version.mandatory)
    throw createUnsuitableProblem(
      id,
      `all devices already get it, because it is ${version.mandatory ? 'mandatory' : 'recommended'}`,
    )
  return version
}

/** The same, in the database. */
const isSuitable = sql`${versions.allowed} and not ${versions.recommended} and not ${versions.mandatory}`

const createUnsuitableProblem = (id: string, reason: string) =>
  new Problem('version-unsuitable', `Cannot roll out version "${id}": ${reason}`)

/** The devices that update to the version as soon as nothing holds it back, or no longer because something does. */
export async function countHeld(services: Services, row: RolloutPlan): Promise<number> {
  const others = (await readOpenRollouts(services.db))
    .filter(({ versionId }) => versionId !== row.versionId)
    .map(toPlan)
  return countHeldBack(services, others, [...others, row])
}

const createStartedProblem = (id: string) =>
  new Problem('rollout-started', `Cannot change rollout "${id}": it has started already`)
