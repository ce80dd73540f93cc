/** Groups of devices: administrators save rules; each sync looks which of them fit. */
import {
  deleteGroup,
  type Group,
  type GroupInput,
  type GroupRule,
  getGroup,
  getGroupReach,
  listGroups,
  maxGroups,
  Problem,
  putGroup,
} from '@cardwire/protocol'
import { and, desc, eq, like, ne, not, or, type SQL, sql } from 'drizzle-orm'
import { exists, type OperationAudit } from '../db/audit.ts'
import { explainCondition, limitInBatch } from '../db/batch-conditions.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { countDevices } from '../db/device-counts.ts'
import { countDifference, countGroup, type GroupRow } from '../db/groups.ts'
import { nextRevision } from '../db/revisions.ts'
import { configurations, deviceGroups, rollouts } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { selectPage, toTimestamps } from '../http/pagination.ts'
import {
  createRevisionProblem,
  matchesRevision,
  requireNoRevision,
  requireRevision,
} from '../http/preconditions.ts'
import { isTrusted } from '../rules/group.ts'
import type { Services } from '../services.ts'
import { limitAffected } from './count-affected.ts'

const describe = (id: string) => `group "${id}"`

const fields = ['name', 'rules', 'priority']

export function bindGroupRoutes(bind: Bind, services: Services): void {
  const { db, reader, settings } = services

  bind(putGroup, async ({ params: { id }, query: { maxReach }, body, headers, audit }) => {
    const [before] = await db.select().from(deviceGroups).where(eq(deviceGroups.id, id))
    if (before) requireRevision(describe(id), headers['if-match'], before.revision)
    else requireNoRevision(describe(id), headers['if-match'])
    if (!before && (await db.$count(deviceGroups)) >= maxGroups) throw createLimitProblem()
    await requireTrusted(services, id, body)
    await limitAffected(services, maxReach, () => countReach(services, before, body))
    const row = await storeGroup(services, id, body, before, audit)
    return { created: before === undefined, data: toGroup(row) }
  })

  bind(listGroups, async ({ query }) => {
    const order = [desc(deviceGroups.priority), deviceGroups.createdAt, deviceGroups.id]
    const list = await selectPage(reader, deviceGroups, query, undefined, order)
    return { data: { ...list, items: list.items.map(toGroup) } }
  })

  bind(getGroup, async ({ params: { id } }) => {
    const row = await findGroup(services, id)
    const uses = await readUses(services, id)
    return { data: { ...toGroup(row), devices: await countGroup(reader, row.rules), uses } }
  })

  bind(getGroupReach, async ({ params: { id }, query: { rules, priority } }) => {
    const [before] = await db.select().from(deviceGroups).where(eq(deviceGroups.id, id))
    const planned = { rules, priority: priority ?? before?.priority ?? 0 }
    const reach = await countReach(services, before, planned)
    const isLarge = reach > (await countDevices(reader)) * settings.reviewShare
    return { data: { devices: await countGroup(reader, rules), reach, isLarge } }
  })

  bind(deleteGroup, async ({ params: { id }, headers, audit }) => {
    const { revision } = await findGroup(services, id)
    requireRevision(describe(id), headers['if-match'], revision)
    const mine = and(
      eq(deviceGroups.id, id),
      matchesRevision(deviceGroups.revision, [revision]),
      not(isUsed(id)),
    )
    const [, [removed]] = await db.batch([
      audit.createEntry('group', id, fields).toStatement(exists(deviceGroups, mine)),
      db.delete(deviceGroups).where(mine).returning(),
    ])
    if (removed) return { data: { id } }
    const now = await findGroup(services, id)
    if (now.revision !== revision) throw createRevisionProblem(describe(id), now.revision)
    throw createInUseProblem(id, await readUses(services, id))
  })
}

async function storeGroup(
  services: Services,
  id: string,
  { name, rules, priority }: GroupInput,
  before: GroupRow | undefined,
  audit: OperationAudit,
): Promise<GroupRow> {
  const { db, clock } = services
  const now = clock()
  const values = { name, rules, priority, updatedAt: now }
  const isOther = and(eq(deviceGroups.id, id), ne(deviceGroups.revision, before?.revision ?? 0))
  const stored = mapConstraintError(
    db.batch([
      audit.createEntry('group', id, fields).toStatement(not(exists(deviceGroups, isOther))),
      db
        .insert(deviceGroups)
        .values({ id, ...values, createdAt: now })
        .onConflictDoUpdate({
          target: deviceGroups.id,
          set: { ...values, revision: nextRevision(deviceGroups.revision) },
          setWhere: eq(deviceGroups.revision, before?.revision ?? 0),
        })
        .returning(),
      ...(before ? [] : [limitInBatch(db, deviceGroups, undefined, maxGroups)]),
    ]),
    () =>
      new Problem(
        'group-taken',
        `Cannot save the group: another one has the name "${name}", choose another name`,
      ),
  )
  const [, [row]] = await explainCondition(stored, createLimitProblem)
  if (row) return row
  throw createRevisionProblem(describe(id), (await findGroup(services, id)).revision)
}

const createLimitProblem = () =>
  new Problem(
    'group-limit',
    `Cannot create the group: there are ${maxGroups}, remove one that you no longer need`,
  )

/** The devices for which something changes when the group is saved. */
async function countReach(
  services: Services,
  before: GroupRow | undefined,
  { rules, priority }: { readonly rules: readonly GroupRule[]; readonly priority: number },
): Promise<number> {
  if (!before) return 0
  const { configurations, rollouts } = await readUses(services, before.id)
  if (configurations.length + rollouts.length === 0) return 0
  const changed = await countDifference(services.reader, before.rules, rules)
  if (before.priority === priority || configurations.length === 0) return changed
  return changed + (await countGroup(services.reader, rules))
}

/** A device says itself what its host name is: no keystore is given away for that. */
async function requireTrusted(
  services: Services,
  id: string,
  { rules }: Pick<GroupInput, 'rules'>,
): Promise<void> {
  if (isTrusted(rules)) return
  const { configurations } = await readUses(services, id)
  if (configurations.some(({ type }) => type === 'SSL_KEYSTORE')) throw createUntrustedProblem(id)
}

/** Throws `group-unknown`, or for a keystore `group-untrusted`. */
export async function requireGroup(
  services: Pick<Services, 'db'>,
  id: string,
  type: string | undefined,
): Promise<GroupRow> {
  const group = await findGroup(services, id)
  if (type === 'SSL_KEYSTORE' && !isTrusted(group.rules)) throw createUntrustedProblem(id)
  return group
}

const createUntrustedProblem = (id: string) =>
  new Problem(
    'group-untrusted',
    `Cannot give a keystore to ${describe(id)}: devices report all that its rules look at, so each rule needs "tags", which only administrators give`,
  )

export async function findGroup({ db }: Pick<Services, 'db'>, id: string): Promise<GroupRow> {
  const [row] = await db.select().from(deviceGroups).where(eq(deviceGroups.id, id))
  if (!row) throw new Problem('group-unknown', `Cannot find ${describe(id)}: it does not exist`)
  return row
}

const namesGroup = (id: string): SQL | undefined =>
  and(ne(rollouts.state, 'finished'), like(rollouts.plan, `%"${id}"%`))

const isUsed = (id: string): SQL =>
  sql`(${or(exists(configurations, eq(configurations.groupId, id)), exists(rollouts, namesGroup(id)))})`

async function readUses({ db }: Pick<Services, 'db'>, id: string) {
  const { id: configuration, versionId, type } = configurations
  return {
    configurations: await db
      .select({ id: configuration, versionId, type })
      .from(configurations)
      .where(eq(configurations.groupId, id))
      .orderBy(versionId, type),
    rollouts: await db
      .select({ id: rollouts.id, version: rollouts.versionId })
      .from(rollouts)
      .where(namesGroup(id))
      .orderBy(rollouts.createdAt),
  }
}

function createInUseProblem(
  id: string,
  { configurations, rollouts }: Awaited<ReturnType<typeof readUses>>,
): Problem {
  const [first] = [
    ...configurations.map((one) => `${one.type} of version "${one.versionId}"`),
    ...rollouts.map(({ version }) => `the rollout of version "${version}"`),
  ]
  return new Problem(
    'group-in-use',
    `Cannot remove ${describe(id)}: ${first ?? 'something'} refers to it, change that first`,
  )
}

const toGroup = (row: GroupRow): Group => {
  const { id, name, rules, priority, revision } = row
  return { id, name, rules: [...rules], priority, revision, ...toTimestamps(row) }
}
