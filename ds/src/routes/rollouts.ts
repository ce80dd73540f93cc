/** Rollouts: administrators plan, start, pause, halt and finish them; the rest happens when devices sync. */
import {
  changeRollout,
  deleteRollout,
  getRollout,
  getRolloutReach,
  listRollouts,
  Problem,
  putRollout,
  type RevisionCondition,
  type Rollout,
  type RolloutChange,
  type RolloutInput,
  type RolloutState,
} from '@cardwire/client/protocol'
import { and, desc, eq, ne, not } from 'drizzle-orm'
import { exists, type OperationAudit } from '../db/audit.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { deletePart } from '../db/delete-part.ts'
import { countDevices } from '../db/device-counts.ts'
import { nextRevision } from '../db/revisions.ts'
import { type RolloutRow, readOpenRollouts, toPlan } from '../db/rollouts.ts'
import { rolloutDevices, rollouts } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { selectPage, toTimestamps } from '../http/pagination.ts'
import { createRevisionProblem, requireNoRevision, requireRevision } from '../http/preconditions.ts'
import { isOffering, type RolloutPlan } from '../rules/rollout.ts'
import type { Services } from '../services.ts'
import {
  finishRollout,
  readEvidence,
  changeRollout as storeChange,
} from '../sync/advance-rollouts.ts'
import { requireAllowlist, requireInstallers } from './check-version.ts'
import { countHeldBack, limitAffected, readAffectedDevices } from './count-affected.ts'
import { findVersion } from './versions.ts'

/** Each sync looks at all of them. */
const maxRunning = 20

const describe = (id: string) => `rollout "${id}"`

export function bindRolloutRoutes(bind: Bind, services: Services): void {
  const { reader, settings } = services

  bind(putRollout, async ({ params: { id }, query, body, headers, audit }) => {
    const options = { ...query, condition: headers['if-match'], audit }
    const { created, row } = await storeRollout(services, id, body, options)
    return { created, data: toRollout(row) }
  })

  bind(listRollouts, async ({ query }) => {
    const order = [desc(rollouts.createdAt), desc(rollouts.id)]
    const list = await selectPage(reader, rollouts, query, undefined, order)
    return { data: { ...list, items: list.items.map(toRollout) } }
  })

  bind(getRollout, async ({ params: { id } }) => {
    const row = await findRollout(services, id)
    return { data: { ...toRollout(row), evidence: await readEvidence(services, row) } }
  })

  bind(getRolloutReach, async ({ params: { id }, query: { state } }) => {
    const row = await findRollout(services, id)
    const reach = await countReach(services, row, state)
    const share = row.plan.stages[row.stage]?.share ?? 0
    const fleet = await countDevices(reader)
    return {
      data: {
        reach,
        first: state === 'running' ? Math.round((reach * share) / 100) : reach,
        isLarge: reach > fleet * settings.reviewShare,
      },
    }
  })

  bind(changeRollout, async ({ params: { id }, query, body: { state }, headers, audit }) => {
    const row = await findRollout(services, id)
    requireRevision(describe(id), headers['if-match'], row.revision)
    if (row.state === state) {
      audit.markUnchanged()
      return { data: toRollout(row) }
    }
    if (!changes[row.state].includes(state)) throw createStateProblem(row, state)
    if (state === 'running' || state === 'finished') {
      await requireSuitable(services, row, query.force)
      if (state === 'running' && !isOffering(row)) await requireFewRunning(services)
      await limitAffected(services, query.maxReach, () => countReach(services, row, state))
    }
    const changed = await change(services, row, state, audit)
    if (!changed)
      throw createRevisionProblem(describe(id), (await findRollout(services, id)).revision)
    return { data: toRollout(changed) }
  })

  bind(deleteRollout, async ({ params: { id }, query, headers, audit }) => {
    const row = await findRollout(services, id)
    requireRevision(describe(id), headers['if-match'], row.revision)
    if (row.state !== 'draft' && row.state !== 'halted')
      throw new Problem('rollout-state', `Cannot remove rollout "${id}": it is ${row.state}`)
    const { maxReach } = query
    await limitAffected(services, maxReach, () => countHeld(services, toPlan(row)))
    const mine = and(eq(rollouts.id, id), eq(rollouts.revision, row.revision))
    const [, [removed]] = await services.db.batch([
      audit.createEntry('rollout', id, planFields).toStatement(exists(rollouts, mine)),
      services.db.delete(rollouts).where(mine).returning(),
    ])
    if (!removed)
      throw createRevisionProblem(describe(id), (await findRollout(services, id)).revision)
    return { data: { id } }
  })
}

/** What can follow each state. */
const changes: Readonly<Record<RolloutState, readonly RolloutChange[]>> = {
  draft: ['running', 'finished'],
  running: ['paused', 'halted', 'finished'],
  paused: ['running', 'halted', 'finished'],
  halted: ['running'],
  finished: [],
}

const planFields = ['version', 'flag', 'stages', 'goodRate', 'badRate']

interface StoreOptions {
  readonly maxReach?: number | undefined
  readonly condition: RevisionCondition | undefined
  readonly audit: OperationAudit
}

async function storeRollout(
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
  const plan = { id, versionId, flag, stages, state: 'draft', stage: 0 } as const
  await limitAffected(services, maxReach, () => countHeld(services, plan))
  const now = clock()
  const values = { versionId, flag, plan: { stages, goodRate, badRate }, updatedAt: now }
  const isStarted = and(eq(rollouts.id, id), ne(rollouts.state, 'draft'))
  const [, [row]] = await mapConstraintError(
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
    ]),
    () =>
      new Problem(
        'rollout-taken',
        `Cannot roll out version "${versionId}": it has a rollout that is not finished`,
      ),
  )
  if (!row) throw createStartedProblem(id)
  return { created: row.revision === 1, row }
}

/** Everyone gets a version that has a flag already. */
async function requireVersion(services: Services, id: string) {
  const version = await findVersion(services, id)
  if (!version.allowed)
    throw new Problem('version-unsuitable', `Cannot roll out version "${id}": it is not allowed`)
  if (version.recommended || version.mandatory)
    throw new Problem(
      'version-unsuitable',
      `Cannot roll out version "${id}": all devices already get it, because it is ${version.mandatory ? 'mandatory' : 'recommended'}`,
    )
  return version
}

/** What the version is checked for before all devices get it. */
async function requireSuitable(services: Services, row: RolloutRow, force?: boolean) {
  const planned = await planVersion(services, row)
  if (force) return
  if (planned.mandatory) await requireInstallers(services, planned)
  await requireAllowlist(services, planned, true)
}

async function planVersion(services: Services, { versionId, flag }: RolloutRow) {
  const { id, recommended, mandatory, allowed, uris } = await requireVersion(services, versionId)
  return { id, recommended, mandatory, allowed, uris: [...uris], [flag]: true }
}

async function requireFewRunning({ db }: Services): Promise<void> {
  const running = (await readOpenRollouts(db)).filter(isOffering)
  if (running.length >= maxRunning)
    throw new Problem(
      'rollout-state',
      `Cannot start the rollout: ${maxRunning} are running or paused, finish or halt one of them first`,
    )
}

/** The devices that get the version, one stage after the other or at once. */
async function countReach(
  services: Services,
  row: RolloutRow,
  state: RolloutChange,
): Promise<number> {
  if (state === 'paused' || state === 'halted' || row.state === 'finished') return 0
  const version = await findVersion(services, row.versionId)
  const planned = { ...version, [row.flag]: true }
  return (await readAffectedDevices(services, row.versionId, planned, true)).reach
}

/** The devices that update to the version as soon as nothing holds it back, or no longer because something does. */
async function countHeld(services: Services, row: RolloutPlan): Promise<number> {
  const others = (await readOpenRollouts(services.db))
    .filter(({ versionId }) => versionId !== row.versionId)
    .map(toPlan)
  return countHeldBack(services, others, [...others, row])
}

async function change(
  services: Services,
  row: RolloutRow,
  state: RolloutChange,
  audit: OperationAudit,
): Promise<RolloutRow | undefined> {
  const now = services.clock()
  if (state === 'finished') return finishRollout(services, row, audit)
  if (state === 'paused') return storeChange(services, row, { state }, audit)
  if (state === 'halted') {
    const { subject, issuer, name } = audit.author
    return storeChange(services, row, { state, halt: { at: now, subject, issuer, name } }, audit)
  }
  // What halted it would do so again: the test begins anew, with devices that do not have the version yet.
  if (row.state === 'halted') await forgetDevices(services, row.id)
  return storeChange(services, row, { state, stageAt: now, halt: null }, audit)
}

async function forgetDevices({ db }: Services, id: string): Promise<void> {
  const { rolloutId, deviceId } = rolloutDevices
  const key = { rolloutId, deviceId }
  while ((await deletePart(db, rolloutDevices, key, eq(rolloutId, id))).length > 0);
}

async function findRollout({ db }: Pick<Services, 'db'>, id: string): Promise<RolloutRow> {
  const [row] = await db.select().from(rollouts).where(eq(rollouts.id, id))
  if (!row) throw new Problem('rollout-unknown', `Cannot find rollout "${id}": it does not exist`)
  return row
}

const createStartedProblem = (id: string) =>
  new Problem('rollout-started', `Cannot change rollout "${id}": it has started already`)

const createStateProblem = ({ id, state }: RolloutRow, wanted: RolloutChange) =>
  new Problem('rollout-state', `Cannot change rollout "${id}" to "${wanted}": it is ${state}`)

function toRollout(row: RolloutRow): Rollout {
  const { id, versionId: version, flag, state, plan, stage, stageAt, halt, revision } = row
  return {
    ...{ id, version, flag, state, ...plan, stage, revision, ...toTimestamps(row) },
    ...(stageAt !== null && { stageAt: new Date(stageAt).toISOString() }),
    ...(halt && { halt: toHalt(halt) }),
  }
}

function toHalt({ at, subject, issuer, name, test }: NonNullable<RolloutRow['halt']>) {
  const who = { subject, ...(issuer !== null && { issuer }), name }
  return { at: new Date(at).toISOString(), who, ...test }
}
