/** Configurations of versions. */
import {
  type Configuration,
  copyConfigurations,
  deleteConfiguration,
  getConfiguration,
  listConfigurations,
  Problem,
  patchConfiguration,
  putConfiguration,
  type RevisionCondition,
} from '@cardwire/client/protocol'
import { and, eq } from 'drizzle-orm'
import { exists, type OperationAudit } from '../db/audit.ts'
import { type ConstraintViolation, mapConstraintError } from '../db/constraint-error.ts'
import { configurations, versions } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { selectPage, toTimestamps } from '../http/pagination.ts'
import {
  changeFields,
  createRevisionProblem,
  matchesRevision,
  nextRevision,
  requireNoRevision,
} from '../http/preconditions.ts'
import {
  createConfigurationUnknownProblem,
  createVersionUnknownProblem,
} from '../rules/problems.ts'
import type { Services } from '../services.ts'
import {
  type Content,
  listNewFields,
  patchContent,
  type Row,
  selectChangedConfigFields,
  toContent,
} from './configuration-content.ts'
import { limitAffected, readPlatforms, sumCounts } from './count-affected.ts'

export function bindConfigurationRoutes(bind: Bind, services: Services): void {
  const { db, clock, random, vault } = services

  const findConfiguration = async (id: string): Promise<Row> => {
    const [row] = await db.select().from(configurations).where(eq(configurations.id, id))
    if (!row) throw createConfigurationUnknownProblem(id)
    return row
  }

  bind(putConfiguration, async ({ body, headers: { 'if-match': match }, audit }) => {
    const { type, versionId, id = random.uuid() } = body
    const content = await toContent(services, body, id)
    if (body.id !== undefined) {
      const row = await update({ id, type, versionId }, content, match, audit)
      return { created: false, data: toConfiguration(row) }
    }
    requireNoRevision(describe(id), match)
    const now = clock()
    const row = { id, type, versionId, revision: 1, createdAt: now, updatedAt: now, ...content }
    const fields = listNewFields(type, content.config)
    await mapConstraintError(
      db.batch([
        audit.createEntry('configuration', id, fields).toStatement(),
        db.insert(configurations).values(row),
      ]),
      (refused) => createTakenProblem(refused, versionId, [type]),
    )
    return { created: true, data: toConfiguration(row) }
  })

  bind(patchConfiguration, async ({ params: { id }, body, headers, audit }) => {
    const row = await changeFields(
      describe(id),
      headers['if-match'],
      () => findConfiguration(id),
      async (before, condition) =>
        update(before, await patchContent(services, before, body), condition, audit),
    )
    return { data: toConfiguration(row) }
  })

  async function update(
    { id, type, versionId }: Pick<Row, 'id' | 'type' | 'versionId'>,
    content: Content,
    condition: RevisionCondition | undefined,
    audit: OperationAudit,
  ): Promise<Row> {
    const mine = and(
      eq(configurations.id, id),
      eq(configurations.versionId, versionId),
      eq(configurations.type, type),
      matchesRevision(configurations.revision, condition),
    )
    const fields = selectChangedConfigFields(db, type, content, mine)
    const revision = nextRevision(configurations.revision)
    const [, [row]] = await db.batch([
      audit.createEntry('configuration', id, fields).toStatement(exists(configurations, mine)),
      db
        .update(configurations)
        .set({ ...content, updatedAt: clock(), revision })
        .where(mine)
        .returning(),
    ])
    if (row) return row
    const current = await findConfiguration(id)
    if (current.type !== type || current.versionId !== versionId) throw createMovedProblem(current)
    throw createRevisionProblem(describe(id), current.revision)
  }

  bind(listConfigurations, async ({ query: { versionId, type, ...paging } }) => {
    const where = and(
      versionId === undefined ? undefined : eq(configurations.versionId, versionId),
      type === undefined ? undefined : eq(configurations.type, type),
    )
    const order = [configurations.versionId, configurations.type]
    const list = await selectPage(db, configurations, paging, where, order)
    return { data: { ...list, items: list.items.map(toConfiguration) } }
  })

  bind(getConfiguration, async ({ params: { id } }) => ({
    data: toConfiguration(await findConfiguration(id)),
  }))

  bind(deleteConfiguration, async ({ params: { id }, query, headers, audit }) => {
    const match = headers['if-match']
    await limitAffected(query.maxReach, async () => {
      const { versionId } = await findConfiguration(id)
      return sumCounts(await readPlatforms(services, versionId))
    })
    const mine = and(eq(configurations.id, id), matchesRevision(configurations.revision, match))
    const [, [row]] = await db.batch([
      audit.createEntry('configuration', id, ['config']).toStatement(exists(configurations, mine)),
      db.delete(configurations).where(mine).returning(),
    ])
    if (!row) throw createRevisionProblem(describe(id), (await findConfiguration(id)).revision)
    return { data: { id } }
  })

  bind(copyConfigurations, async ({ body: { from, to }, audit }) => {
    const rows = await db
      .select()
      .from(configurations)
      .where(eq(configurations.versionId, from))
      .orderBy(configurations.type)
    if (rows.length === 0) await requireVersion(from)
    const now = clock()
    const copies = await Promise.all(
      rows.map(async (row) => {
        const id = random.uuid()
        // A wrapped password is bound to the id of its row: the copy wraps it again for its own id.
        const secret = row.secret && (await vault.wrap(await vault.unwrap(row.secret, row.id), id))
        return { ...row, id, secret, versionId: to, revision: 1, createdAt: now, updatedAt: now }
      }),
    )
    if (copies.length === 0) {
      await requireVersion(to)
      audit.markUnchanged()
    } else {
      const types = copies.map(({ type }) => type)
      const entries = copies.map(({ id, type, config }) =>
        audit.createEntry('configuration', id, listNewFields(type, config)).toStatement(),
      )
      await mapConstraintError(
        db.batch([db.insert(configurations).values(copies), ...entries]),
        (refused) => createTakenProblem(refused, to, types),
      )
    }
    return { data: copies.map(toConfiguration) }
  })

  async function requireVersion(versionId: string): Promise<void> {
    const [row] = await db
      .select({ id: versions.id })
      .from(versions)
      .where(eq(versions.id, versionId))
    if (!row) throw createVersionUnknownProblem(versionId)
  }

  async function createTakenProblem(
    refused: ConstraintViolation,
    versionId: string,
    types: readonly Configuration['type'][],
  ): Promise<Problem> {
    if (refused.kind === 'reference') return createVersionUnknownProblem(versionId)
    const rows = await db
      .select()
      .from(configurations)
      .where(eq(configurations.versionId, versionId))
    const there = rows
      .filter(({ type }) => types.includes(type))
      .map(({ type, id }) => `${type} ("${id}")`)
    return new Problem(
      'configuration-taken',
      `Cannot give version "${versionId}" this configuration: it has ${there.join(', ')}, update that by its id`,
    )
  }
}

const describe = (id: string) => `configuration "${id}"`

const createMovedProblem = ({ id, type, versionId }: Row) =>
  new Problem(
    'configuration-moved',
    `Cannot move configuration "${id}": it is ${type} of version "${versionId}" and stays that`,
  )

function toConfiguration(row: Row): Configuration {
  const { id, type, versionId, config, revision } = row
  // The column holds the config of this type; TypeScript cannot know that the two belong together.
  return { id, type, versionId, config, revision, ...toTimestamps(row) } as Configuration
}
