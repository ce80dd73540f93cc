/** The emergency stop: halts all rollouts and blocks a version, in one batch. */
import { getHaltReach, haltRollouts, Problem, type VersionReach } from '@cardwire/client/protocol'
import { and, eq, inArray } from 'drizzle-orm'
import { compare } from 'semver'
import type { OperationAudit } from '../db/audit.ts'
import { keepRevision, nextRevision } from '../db/revisions.ts'
import { countRolloutDevices, type RolloutRow, readOpenRollouts } from '../db/rollouts.ts'
import { rollouts, versions } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { changeFields, createRevisionProblem } from '../http/preconditions.ts'
import { isStopped } from '../rules/affected-devices.ts'
import { isOffering } from '../rules/rollout.ts'
import type { Services } from '../services.ts'
import {
  limitAffected,
  readAffectedDevices,
  readVersionReach,
  sumCounts,
} from './count-affected.ts'
import { toRollout } from './rollouts.ts'
import { describe, type Row } from './store-version.ts'
import { findVersion, toVersion } from './versions.ts'

export function bindHaltRoutes(bind: Bind, services: Services): void {
  bind(getHaltReach, async ({ query: { version: id } }) => {
    const open = (await readOpenRollouts(services.db)).filter(isOffering)
    const halted = await Promise.all(open.map((row) => countOffered(services, row)))
    const block = id === undefined ? undefined : await readBlockReach(services, id)
    const offered = halted.reduce((total, one) => total + one.offered, 0)
    const reach = offered + (block?.reach ?? 0)
    return { data: { reach, rollouts: halted, ...(block && { block }) } }
  })

  bind(haltRollouts, async ({ query: { maxReach }, body: { version: id }, audit }) => {
    if (id === undefined) return { data: { halted: (await halt(services, audit)).map(toRollout) } }
    const planned = { ...(await findVersion(services, id)), allowed: false }
    const affected = await readAffectedDevices(services, id, planned)
    await limitAffected(services, maxReach, async () => affected.reach)
    requireNoRelease(services, id, affected)
    const halted: RolloutRow[] = []
    const version = await changeFields(
      describe(id),
      undefined,
      () => findVersion(services, id),
      async (row) => {
        const stopped = await haltAndBlock(services, row, audit)
        halted.push(...stopped.halted)
        if (stopped.version) return stopped.version
        // Another change of the version came first; what is halted stays so.
        throw createRevisionProblem(describe(id), row.revision)
      },
    )
    return { data: { halted: halted.map(toRollout), version: toVersion(version) } }
  })
}

async function countOffered({ reader, clock }: Services, row: RolloutRow) {
  const { id, versionId: version, flag, state } = row
  const { devices, installed } = (await countRolloutDevices(reader, row, clock())).reached
  return { id, version, flag, state, offered: devices - installed, installed }
}

const readBlockReach = async (services: Services, id: string) =>
  readVersionReach(services, id, { ...(await findVersion(services, id)), allowed: false })

async function halt(services: Services, audit: OperationAudit): Promise<RolloutRow[]> {
  const [, halted] = await services.db.batch(createHalt(services, audit))
  return halted
}

/** To block is one administrator's, but what devices have to update to then is a release, which may be two's. */
function requireNoRelease(
  { settings: { twoAdministrators = Number.POSITIVE_INFINITY } }: Services,
  id: string,
  { changes }: Pick<VersionReach, 'changes'>,
): void {
  const released = changes.filter(
    ({ version, after, target }) =>
      isStopped(after) && target !== undefined && compare(target, version) > 0,
  )
  const reach = sumCounts(released)
  if (reach <= twoAdministrators) return
  const targets = [...new Set(released.map(({ target }) => target))].join(', ')
  throw new Problem(
    'second-administrator',
    `Cannot block version "${id}" with one administrator: ${reach} devices would have to update to a later version (${targets}); block that one first`,
    { reach },
  )
}

/** `version` is undefined when it has changed since it was read. */
async function haltAndBlock(
  services: Services,
  row: Row,
  audit: OperationAudit,
): Promise<{ readonly halted: RolloutRow[]; readonly version: Row | undefined }> {
  const { id, revision, recommended, mandatory, allowed, uris } = row
  if (!allowed) return { halted: await halt(services, audit), version: row }
  const { db, clock } = services
  const mine = and(eq(versions.id, id), eq(versions.revision, revision))
  const value = { recommended, mandatory, allowed: false, uris: [...uris] }
  const [, halted, , [version]] = await db.batch([
    ...createHalt(services, audit),
    audit.createEntryOfEach('version', versions, versions.id, mine, ['allowed']),
    db
      .update(versions)
      .set({ allowed: false, updatedAt: clock(), revision: nextRevision(versions.revision) })
      .where(mine)
      .returning(),
    ...keepRevision(services, versions, { kind: 'version', id, value }, audit.author),
  ])
  return { halted, version }
}

/** Without a condition on their revisions: to halt is right whatever a rollout has become. */
function createHalt({ db, clock }: Services, audit: OperationAudit) {
  const isOpen = inArray(rollouts.state, ['running', 'paused'])
  const [now, { subject, issuer, name }] = [clock(), audit.author]
  return [
    audit.createEntryOfEach('rollout', rollouts, rollouts.id, isOpen, ['state']),
    db
      .update(rollouts)
      .set({
        ...{ state: 'halted', halt: { at: now, subject, issuer, name }, updatedAt: now },
        revision: nextRevision(rollouts.revision),
      })
      .where(isOpen)
      .returning(),
  ] as const
}
