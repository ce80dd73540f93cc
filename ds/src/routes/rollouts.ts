/** Rollouts: administrators plan, start, pause, halt and finish them; the rest happens when devices sync. */
import {
  changeRollout,
  deleteRollout,
  getRollout,
  getRolloutHours,
  getRolloutReach,
  listRollouts,
  Problem,
  putRollout,
  type Rollout,
  type RolloutChange,
  type RolloutState,
} from '@cardwire/protocol'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { compare } from 'semver'
import { exists, type OperationAudit } from '../db/audit.ts'
import { deletePart } from '../db/delete-part.ts'
import { countDevices } from '../db/device-counts.ts'
import { readRules } from '../db/groups.ts'
import { type RolloutRow, toPlan } from '../db/rollouts.ts'
import { rolloutDevices, rollouts, type versions } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { selectPage, toTimestamps } from '../http/pagination.ts'
import { changeFields, createRevisionProblem, requireRevision } from '../http/preconditions.ts'
import { isOffering } from '../rules/rollout.ts'
import { bounds } from '../rules/sequential-test.ts'
import type { Services } from '../services.ts'
import {
  finishRollout,
  readEvidence,
  changeRollout as storeChange,
} from '../sync/advance-rollouts.ts'
import { readHours } from '../sync/rollout-hours.ts'
import { requireAllowlist, requireInstallers } from './check-version.ts'
import {
  limitAffected,
  type PlannedVersion,
  readAffectedDevices,
  readDeviceGroups,
  sumCounts,
} from './count-affected.ts'
import { countHeld, describe, planFields, requireVersion, storeRollout } from './store-rollout.ts'
import { findVersion } from './versions.ts'

/** Each sync looks at all of them. */
const maxRunning = 20

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

  bind(getRolloutHours, async ({ params: { id } }) => {
    const row = await findRollout(services, id)
    const { halt, accept } = row.evidence?.test ?? bounds
    return { data: { hours: await readHours(services, id), halt, accept } }
  })

  bind(getRolloutReach, async ({ params: { id }, query: { state } }) => {
    const row = await findRollout(services, id)
    const reach = await countReach(services, row, state)
    const fleet = await countDevices(reader)
    return {
      data: {
        reach,
        first: state === 'running' ? await countFirst(services, row, reach) : reach,
        isLarge: reach > fleet * settings.reviewShare,
      },
    }
  })

  bind(changeRollout, async ({ params: { id }, query, body: { state }, headers, audit }) => {
    const row = await changeFields(
      describe(id),
      headers['if-match'],
      () => findRollout(services, id),
      (found) => moveTo(services, found, state, { ...query, audit }),
    )
    return { data: toRollout(row) }
  })

  bind(deleteRollout, async ({ params: { id }, query, headers, audit }) => {
    const row = await findRollout(services, id)
    requireRevision(describe(id), headers['if-match'], row.revision)
    if (row.state !== 'draft' && row.state !== 'halted')
      throw new Problem('rollout-state', `Cannot remove rollout "${id}": it is ${row.state}`)
    const { maxReach } = query
    await limitAffected(services, maxReach, () => countHeld(services, toPlan(row)))
    const mine = and(eq(rollouts.id, id), eq(rollouts.revision, row.revision))
    // Not with the rollout: its statement would delete them all at once.
    await forgetDevices(services, id, mine)
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

/** What the version is checked for before all devices get it. */
async function requireSuitable(
  services: Services,
  row: RolloutRow,
  state: RolloutChange,
  force?: boolean,
) {
  const planned = planVersion(await requireVersion(services, row.versionId), row, state)
  if (force) return
  if (planned.mandatory) await requireInstallers(services, planned)
  await requireAllowlist(services, planned, 'own')
}

/** The version as devices see it once all of them get it. */
const planVersion = (
  { id, recommended, mandatory, allowed, uris }: typeof versions.$inferSelect,
  { flag }: RolloutRow,
  state: RolloutChange,
): PlannedVersion => ({
  ...{ id, recommended, mandatory, allowed, uris, [flag]: true },
  isRolledOut: state === 'running',
})

/** Whether one more may start. Part of the statement that starts it: several may start at the same time. */
const areFewRunning = sql`(select count(*) from ${rollouts} where ${rollouts.state} in ('running', 'paused')) < ${sql.raw(String(maxRunning))}`

const createFullProblem = () =>
  new Problem(
    'rollout-state',
    `Cannot start the rollout: ${maxRunning} are running or paused, finish or halt one of them first`,
  )

/** The devices that get the version, one stage after the other or at once. */
async function countReach(
  services: Services,
  row: RolloutRow,
  state: RolloutChange,
): Promise<number> {
  if (state === 'paused' || state === 'halted' || row.state === 'finished') return 0
  const planned = planVersion(await findVersion(services, row.versionId), row, state)
  return (await readAffectedDevices(services, row.versionId, planned, 'own')).reach
}

/** Those of them that the current stage reaches, about. */
async function countFirst(
  services: Services,
  { plan, stage, versionId }: RolloutRow,
  reach: number,
): Promise<number> {
  const { share = 0, group } = plan.stages[stage] ?? {}
  if (group === undefined) return Math.round((reach * share) / 100)
  const { uris } = await findVersion(services, versionId)
  const rules = await readRules(services.db, group)
  const able = (await readDeviceGroups(services, { approved: true, rules })).filter(
    ({ version, platform }) =>
      compare(version, versionId) < 0 && uris.some(({ os }) => os === platform),
  )
  return Math.round((sumCounts(able) * share) / 100)
}

interface MoveOptions {
  readonly maxReach?: number | undefined
  readonly force?: boolean | undefined
  readonly audit: OperationAudit
}

/** Throws `revision-mismatch` when the rollout has changed since it was read. */
async function moveTo(
  services: Services,
  row: RolloutRow,
  state: RolloutChange,
  { maxReach, force, audit }: MoveOptions,
): Promise<RolloutRow> {
  if (row.state === state) {
    audit.markUnchanged()
    return row
  }
  if (!changes[row.state].includes(state)) throw createStateProblem(row, state)
  if (state === 'running' || state === 'finished') {
    await requireSuitable(services, row, state, force)
    await limitAffected(services, maxReach, () => countReach(services, row, state))
  }
  const changed = await change(services, row, state, audit)
  if (changed) return changed
  const { revision } = await findRollout(services, row.id)
  if (state === 'running' && revision === row.revision) throw createFullProblem()
  throw createRevisionProblem(describe(row.id), revision)
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
  const isAllowed = isOffering(row) ? undefined : areFewRunning
  // What halted it would do so again: the test begins anew, with devices that do not have the version yet.
  if (row.state === 'halted') {
    const mine = and(eq(rollouts.id, row.id), eq(rollouts.revision, row.revision), isAllowed)
    await forgetDevices(services, row.id, mine)
  }
  const options = { when: isAllowed, startsOver: row.state === 'halted' }
  return storeChange(services, row, { state, stageAt: now, halt: null }, audit, options)
}

/** `mine`: the rollout as it was read. What others have changed meanwhile keeps its devices. */
async function forgetDevices({ db }: Services, id: string, mine: SQL | undefined): Promise<void> {
  const { rolloutId, deviceId } = rolloutDevices
  const key = { rolloutId, deviceId }
  const where = sql`${rolloutId} = ${id} and ${exists(rollouts, mine)}`
  while ((await deletePart(db, rolloutDevices, key, where)).length > 0);
}

async function findRollout({ db }: Pick<Services, 'db'>, id: string): Promise<RolloutRow> {
  const [row] = await db.select().from(rollouts).where(eq(rollouts.id, id))
  if (!row) throw new Problem('rollout-unknown', `Cannot find rollout "${id}": it does not exist`)
  return row
}

const createStateProblem = ({ id, state }: RolloutRow, wanted: RolloutChange) =>
  new Problem('rollout-state', `Cannot change rollout "${id}" to "${wanted}": it is ${state}`)

export function toRollout(row: RolloutRow): Rollout {
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
