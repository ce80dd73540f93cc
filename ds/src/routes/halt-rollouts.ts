/** The emergency stop: halts all rollouts and blocks a version, in one batch. */
import {
  approverDays,
  getHaltReach,
  haltRollouts,
  Problem,
  type VersionReach,
} from '@cardwire/protocol'
import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { compare } from 'semver'
import type { OperationAudit } from '../db/audit.ts'
import { keepRevision, nextRevision } from '../db/revisions.ts'
import { countRolloutDevices, type RolloutRow, readOpenRollouts } from '../db/rollouts.ts'
import { revisions, rollouts, versions } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { createPersons } from '../http/one-person.ts'
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
    const affected = await readAffectedDevices(services, id, planned, 'all')
    await limitAffected(services, maxReach, async () => affected.reach)
    await requireNoRelease(services, id, affected, audit.author)
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

async function readBlockReach(services: Services, id: string) {
  const planned = { ...(await findVersion(services, id)), allowed: false }
  return readVersionReach(services, id, planned, 'all')
}

async function halt(services: Services, audit: OperationAudit): Promise<RolloutRow[]> {
  const [, halted] = await services.db.batch(createHalt(services, audit))
  return halted
}

/**
 * To block is one administrator's, but what devices get then may be a release, which takes two. It is one if this account, or one that
 * counts as the same person, has changed that version lately: whatever others could see for days is no surprise.
 */
async function requireNoRelease(
  services: Services,
  id: string,
  { changes }: Pick<VersionReach, 'changes'>,
  author: OperationAudit['author'],
): Promise<void> {
  const { twoAdministrators } = services.settings
  if (twoAdministrators === undefined) return
  const given = changes.filter(({ target }) => target !== undefined)
  const own = await findOwnVersions(
    services,
    given.flatMap(({ target }) => target ?? []),
    author,
  )
  const released = given.filter(
    ({ version, after, target = '' }) =>
      own.has(target) || (isStopped(after) && compare(target, version) > 0),
  )
  const reach = sumCounts(released)
  if (reach <= twoAdministrators) return
  const targets = [...new Set(released.map(({ target }) => target))].join(', ')
  throw new Problem(
    'second-administrator',
    `Cannot block version "${id}" with this account: ${reach} devices would get ${targets}, which is later, or which you, an API client of yours or a new account may have changed in the last ${approverDays} days; block that one first, or let another administrator do this`,
    { reach },
  )
}

/**
 * The versions that may have been changed lately by the same person: with this account, an API client, or an account that another one
 * has just made. A new account may be that of everyone.
 */
async function findOwnVersions(
  services: Services,
  ids: readonly string[],
  author: OperationAudit['author'],
): Promise<ReadonlySet<string>> {
  const persons = createPersons(services)
  const since = services.clock() - approverDays * 86_400_000
  const list = services.db.sqlDialect.eachText(JSON.stringify([...new Set(ids)]))
  const rows = await services.db
    .select({ id: revisions.id, subject: revisions.subject, issuer: revisions.issuer })
    .from(revisions)
    .where(
      and(
        ...[eq(revisions.kind, 'version'), gt(revisions.at, since)],
        sql`${revisions.id} in (select value from ${list})`,
      ),
    )
  const own = new Set<string>()
  const isNew = await persons.isNew(author)
  for (const row of rows) {
    if (isNew || (await persons.areOne(row, author)) || (await persons.isNew(row))) own.add(row.id)
  }
  return own
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
