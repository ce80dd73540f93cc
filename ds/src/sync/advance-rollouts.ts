/**
 * Takes running rollouts further: halts those that do harm, begins the next stage after the hold time, and finishes them. There is
 * no timer: whichever node reads the versions again does it, and one of several nodes succeeds.
 */
import type { RolloutEvidence } from '@cardwire/client/protocol'
import { and, eq, inArray, type SQL } from 'drizzle-orm'
import { createAudit, exists, localSource, type OperationAudit } from '../db/audit.ts'
import { deletePart } from '../db/delete-part.ts'
import { describeError } from '../db/describe-error.ts'
import { keepRevision, nextRevision } from '../db/revisions.ts'
import { countRolloutDevices, type GroupCounts, type RolloutRow } from '../db/rollouts.ts'
import { rolloutDevices, rollouts, versions } from '../db/schema.ts'

import { isOffering } from '../rules/rollout.ts'
import { type Counts, testRollout } from '../rules/sequential-test.ts'
import type { Services } from '../services.ts'

export type RolloutServices = Pick<Services, 'db' | 'reader' | 'clock' | 'log'> & {
  readonly settings: Pick<Services['settings'], 'revisionsKept'>
}

type Change = Partial<Pick<RolloutRow, 'state' | 'stage' | 'stageAt' | 'halt'>>

/** Never fails a request: what could not be stored now is tried again. Resolves with whether a rollout has changed. */
export async function advanceRollouts(
  services: RolloutServices,
  rows: readonly RolloutRow[],
): Promise<boolean> {
  let isChanged = false
  await removeOldDevices(services)
  for (const row of rows.filter(isOffering)) {
    try {
      isChanged = (await advance(services, row)) || isChanged
    } catch (error) {
      services.log.error('rollout not advanced', { rollout: row.id, error: describeError(error) })
    }
  }
  return isChanged
}

/** Devices of finished rollouts, a part at a time: there may be a million. */
async function removeOldDevices({ db, log }: RolloutServices): Promise<void> {
  const { rolloutId, deviceId } = rolloutDevices
  const finished = db
    .select({ id: rollouts.id })
    .from(rollouts)
    .where(eq(rollouts.state, 'finished'))
  const isOld = inArray(rolloutId, finished)
  try {
    // Most readings find none, and write nothing.
    const found = await db.select({ deviceId }).from(rolloutDevices).where(isOld).limit(1)
    if (found.length > 0) await deletePart(db, rolloutDevices, { rolloutId, deviceId }, isOld)
  } catch (error) {
    log.error('devices of rollouts not removed', { error: describeError(error) })
  }
}

async function advance(services: RolloutServices, row: RolloutRow): Promise<boolean> {
  const { clock, log } = services
  const now = clock()
  const test = await readTest(services, row)
  if (test.verdict === 'halt') {
    const { ratio, failures, tested } = test
    const { subject, issuer, name } = localSource.identity
    const halt = { at: now, subject, issuer, name, test: { ratio, failures, tested } }
    const audit = createAudit(services, 'haltRollout', localSource)
    const halted = await changeRollout(services, row, { state: 'halted', halt }, audit)
    if (halted)
      log.warn('rollout halted', { rollout: row.id, version: row.versionId, failures, tested })
    return halted !== undefined
  }
  const hold = row.plan.stages[row.stage]?.holdS ?? 0
  if (row.state !== 'running' || row.stageAt === null || now < row.stageAt + hold * 1000)
    return false
  const audit = createAudit(services, 'advanceRollout', localSource)
  const isLast = row.stage + 1 >= row.plan.stages.length
  const next = isLast
    ? await finishRollout(services, row, audit)
    : await changeRollout(services, row, { stage: row.stage + 1, stageAt: now }, audit)
  if (next)
    log.info('rollout advanced', { rollout: row.id, version: row.versionId, stage: next.stage })
  return next !== undefined
}

/** What is known of a rollout's devices; of a finished one, what was known when it finished. */
export async function readEvidence(
  services: Pick<Services, 'reader' | 'clock'>,
  row: RolloutRow,
): Promise<RolloutEvidence> {
  if (row.evidence) return row.evidence
  const { groups, ratio, halt, accept, failures, tested } = await readTest(services, row)
  return { ...groups, test: { ratio, halt, accept, failures, tested } }
}

async function readTest(
  { reader, clock }: Pick<Services, 'reader' | 'clock'>,
  { id, plan }: Pick<RolloutRow, 'id' | 'plan'>,
) {
  const groups = await countRolloutDevices(reader, id, clock())
  const rates = { goodRate: plan.goodRate / 100, badRate: plan.badRate / 100 }
  return { ...testRollout(toCounts(groups.reached), toCounts(groups.control), rates), groups }
}

const toCounts = ({ devices, successes, faults, wentBack, silent }: GroupCounts): Counts => ({
  ...{ devices, successes, silent },
  failures: faults + wentBack,
})

/** Stores a change, unless the row has changed since it was read: then undefined. */
export async function changeRollout(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { id, revision }: Pick<RolloutRow, 'id' | 'revision'>,
  change: Change,
  audit: OperationAudit,
): Promise<RolloutRow | undefined> {
  const mine = isRow(id, revision)
  const fields = Object.keys(change).filter((name) => name === 'state' || name === 'stage')
  const [, [stored]] = await db.batch([
    audit.createEntry('rollout', id, fields).toStatement(exists(rollouts, mine)),
    db
      .update(rollouts)
      .set({ ...change, updatedAt: clock(), revision: nextRevision(rollouts.revision) })
      .where(mine)
      .returning(),
  ])
  return stored
}

/** Gives the version its flag, for all devices. Undefined: the rollout or its version has changed since it was read. */
export async function finishRollout(
  services: Pick<RolloutServices, 'db' | 'reader' | 'clock' | 'settings'>,
  row: RolloutRow,
  audit: OperationAudit,
): Promise<RolloutRow | undefined> {
  const { db, clock } = services
  const { id, revision, versionId, flag } = row
  const [version] = await db.select().from(versions).where(eq(versions.id, versionId))
  if (!version?.allowed) return undefined
  const isSame = and(eq(versions.id, versionId), eq(versions.revision, version.revision))
  const mine = and(isRow(id, revision), exists(versions, isSame))
  const { recommended, mandatory, allowed, uris } = version
  const value = { recommended, mandatory, allowed, uris: [...uris], [flag]: true }
  const times = { updatedAt: clock() }
  const evidence = await readEvidence(services, row)
  const results = await db.batch([
    audit.createEntry('rollout', id, ['state']).toStatement(exists(rollouts, mine)),
    audit.createEntry('version', versionId, [flag]).toStatement(exists(rollouts, mine)),
    // The rollout first: its condition names the revision of the version.
    db
      .update(rollouts)
      .set({ state: 'finished', evidence, ...times, revision: nextRevision(rollouts.revision) })
      .where(mine)
      .returning(),
    db
      .update(versions)
      .set({ [flag]: true, ...times, revision: nextRevision(versions.revision) })
      .where(
        and(isSame, exists(rollouts, and(isRow(id, revision + 1), eq(rollouts.state, 'finished')))),
      ),
    ...keepRevision(services, versions, { kind: 'version', id: versionId, value }, audit.author),
  ])
  const [stored] = results[2]
  return stored
}

const isRow = (id: string, revision: number): SQL | undefined =>
  and(eq(rollouts.id, id), eq(rollouts.revision, revision))
