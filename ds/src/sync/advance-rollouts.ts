/**
 * Takes running rollouts further: halts those that do harm, begins the next stage after the hold time, and finishes them. There is
 * no timer: whichever node reads the versions again does it, and one of several nodes succeeds. Counting devices takes a while.
 */
import type { RolloutEvidence } from '@cardwire/protocol'
import { and, count, eq, gte, inArray, type SQL, sql } from 'drizzle-orm'
import { compare } from 'semver'
import {
  createAudit,
  exists,
  localSource,
  type OperationAudit,
  rolloutAdvance,
} from '../db/audit.ts'
import { deletePart } from '../db/delete-part.ts'
import { describeError } from '../db/describe-error.ts'
import { total } from '../db/device-counts.ts'
import { isEvidence } from '../db/evidence.ts'
import { fitsRules, readRules } from '../db/groups.ts'
import { keepRevision, nextRevision } from '../db/revisions.ts'
import { countRolloutDevices, type GroupCounts, type RolloutRow, toPlan } from '../db/rollouts.ts'
import {
  deviceCounts,
  devices,
  rolloutDevices,
  rolloutHours,
  rollouts,
  versions,
} from '../db/schema.ts'
import { isOffering } from '../rules/rollout.ts'
import { decideStep, type Step } from '../rules/rollout-step.ts'
import { type Counts, type TestResult, testRollout } from '../rules/sequential-test.ts'
import type { Services } from '../services.ts'
import { toDay } from './record-sync.ts'
import { noteHour } from './rollout-hours.ts'

export type RolloutServices = Pick<
  Services,
  'db' | 'reader' | 'clock' | 'log' | 'runInBackground' | 'metrics'
> & {
  readonly settings: Pick<Services['settings'], 'revisionsKept'>
}

type Change = Partial<Pick<RolloutRow, 'state' | 'stage' | 'stageAt' | 'halt'>>

/**
 * Resolves with whether a rollout has changed, where the request that reads the versions waits for it. Elsewhere none waits: what
 * changes is in the audit, so the versions are read again.
 */
export function createRolloutAdvance(
  services: RolloutServices,
): (rows: readonly RolloutRow[]) => Promise<boolean> {
  const { runInBackground } = services
  if (!runInBackground) return (rows) => advanceRollouts(services, rows)
  let isRunning = false
  return async (rows) => {
    if (isRunning) return false
    isRunning = true
    runInBackground(async () => {
      try {
        await advanceRollouts(services, rows)
      } finally {
        isRunning = false
      }
    })
    return false
  }
}

/** Never fails a request: what could not be stored now is tried again. Resolves with whether a rollout has changed. */
async function advanceRollouts(
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
  try {
    await noteHour(services, row, test.groups.reached, test.ratio)
  } catch (error) {
    // A rollout has to halt also where its hours cannot be stored.
    log.error('hour of a rollout not stored', { rollout: row.id, error: describeError(error) })
  }
  const step = decideStep(toPlan(row), {
    verdict: test.verdict,
    stageMs: now - (row.stageAt ?? now),
    // A halt needs no number, and must not fail with its statement.
    planned:
      test.verdict === 'halt'
        ? 0
        : await countPlanned(services, row, test.groups.reached.installed),
    reached: test.groups.reached.devices,
    fresh: test.groups.fresh,
  })
  if (step === 'stay') return false
  const next = await take(services, row, step, test)
  if (!next) return false
  const { failures, tested } = test
  const about = { rollout: row.id, version: row.versionId, stage: next.stage, failures, tested }
  if (step === 'halt') {
    services.metrics?.countHalt()
    log.warn('rollout halted', about)
  } else log.info('rollout advanced', about)
  return true
}

async function take(
  services: RolloutServices,
  row: RolloutRow,
  step: Exclude<Step, 'stay'>,
  { ratio, failures, tested }: Pick<TestResult, 'ratio' | 'failures' | 'tested'>,
): Promise<RolloutRow | undefined> {
  const at = services.clock()
  if (step === 'halt') {
    const { subject, issuer, name } = localSource.identity
    const halt = { at, subject, issuer, name, test: { ratio, failures, tested } }
    const audit = createAudit(services, 'haltRollout', localSource)
    return changeRollout(services, row, { state: 'halted', halt }, audit)
  }
  const audit = createAudit(services, rolloutAdvance, localSource)
  return step === 'finish'
    ? finishRollout(services, row, audit)
    : changeRollout(services, row, { stage: row.stage + 1, stageAt: at }, audit)
}

/** Devices that have not synced for so many days are not waited for. */
const activeDays = 7

/** How many devices the current stage should have reached. */
async function countPlanned(
  { db, reader, clock }: Pick<Services, 'db' | 'reader' | 'clock'>,
  { versionId, plan, stage }: RolloutRow,
  installed: number,
): Promise<number> {
  const [release] = await db.select().from(versions).where(eq(versions.id, versionId))
  const { share = 0, group } = plan.stages[stage] ?? {}
  const rules = group === undefined ? undefined : await readRules(db, group)
  const table = rules ? devices : deviceCounts
  const { version, platform, lastSeenDay } = table
  const groups = await reader
    .select({ version, platform, count: rules ? count() : total })
    .from(table)
    .where(
      and(
        isEvidence(table),
        gte(lastSeenDay, toDay(clock()) - activeDays),
        rules && fitsRules(reader.sqlDialect, rules),
      ),
    )
    .groupBy(version, platform)
  const waiting = groups
    .filter((group) => release?.uris.some(({ os }) => os === group.platform))
    .filter((group) => compare(group.version, versionId) < 0)
    .reduce((sum, each) => sum + each.count, 0)
  return ((waiting + installed) * share) / 100
}

/** What is known of a rollout's devices; of a finished one, what was known when it finished. */
export async function readEvidence(
  services: Pick<Services, 'reader' | 'clock'>,
  row: RolloutRow,
): Promise<RolloutEvidence> {
  if (row.evidence) return row.evidence
  const { groups, ratio, halt, accept, failures, tested } = await readTest(services, row)
  const { reached, control } = groups
  return { reached, control, test: { ratio, halt, accept, failures, tested } }
}

async function readTest(
  { reader, clock }: Pick<Services, 'reader' | 'clock'>,
  row: Pick<RolloutRow, 'id' | 'stage' | 'plan'>,
) {
  const groups = await countRolloutDevices(reader, row, clock())
  const { goodRate, badRate } = row.plan
  const rates = { goodRate: goodRate / 100, badRate: badRate / 100 }
  const test = testRollout(
    {
      reached: toCounts(groups.reached),
      reachedInStage: toCounts(groups.reachedInStage),
      control: toCounts(groups.control),
    },
    rates,
  )
  return { ...test, groups }
}

const toCounts = ({ faults, wentBack, ...counts }: GroupCounts): Counts => ({
  ...counts,
  failures: faults + wentBack,
})

interface ChangeOptions {
  readonly when?: SQL | undefined
  /** Whether it no longer counts how it went so far. */
  readonly startsOver?: boolean
}

/** Stores a change, unless the row has changed since it was read, or `when` does not hold: then undefined. */
export async function changeRollout(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { id, revision }: Pick<RolloutRow, 'id' | 'revision'>,
  change: Change,
  audit: OperationAudit,
  { when, startsOver = false }: ChangeOptions = {},
): Promise<RolloutRow | undefined> {
  const mine = and(isRow(id, revision), when)
  const names = Object.keys(change).filter((name) => name === 'state' || name === 'stage')
  // Tells a halt from a pause: webhooks are told about halts.
  const fields = change.halt ? [...names, 'halt'] : names
  const isOver = startsOver ? exists(rollouts, mine) : sql`false`
  const [, , [stored]] = await db.batch([
    audit.createEntry('rollout', id, fields).toStatement(exists(rollouts, mine)),
    db.delete(rolloutHours).where(and(eq(rolloutHours.rolloutId, id), isOver)),
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
