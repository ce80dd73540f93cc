/** Configurations of versions. */
import {
  type Configuration,
  copyConfigurations,
  deleteConfiguration,
  getConfiguration,
  listConfigurations,
  patchConfiguration,
  putConfiguration,
} from '@cardwire/client/protocol'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { exists } from '../db/audit.ts'
import { configurations } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { maxPartWeight, sendList, splitByWeight } from '../http/list-response.ts'
import { toTimestamps } from '../http/pagination.ts'
import {
  changeFields,
  createRevisionProblem,
  matchesRevision,
  requireNoRevision,
} from '../http/preconditions.ts'
import type { Services } from '../services.ts'
import { patchContent, type Row, toContent } from './configuration-content.ts'
import { limitAffected, readPlatforms, sumCounts } from './count-affected.ts'
import {
  copyAll,
  describe,
  findConfiguration,
  insertConfiguration,
  updateConfiguration,
} from './store-configuration.ts'

const order = [configurations.versionId, configurations.type]

export function bindConfigurationRoutes(bind: Bind, services: Services): void {
  const { db, random } = services

  bind(putConfiguration, async ({ body, headers: { 'if-match': match }, audit }, context) => {
    const { type, versionId, id = random.uuid() } = body
    const content = await toContent({ ...services, signal: context.req.raw.signal }, body, id)
    if (body.id !== undefined) {
      const row = await updateConfiguration(
        services,
        { id, type, versionId },
        content,
        match,
        audit,
      )
      return { created: false, data: toConfiguration(row) }
    }
    requireNoRevision(describe(id), match)
    const row = await insertConfiguration(services, { id, type, versionId }, content, audit)
    return { created: true, data: toConfiguration(row) }
  })

  bind(patchConfiguration, async ({ params: { id }, body, headers, audit }, context) => {
    const row = await changeFields(
      describe(id),
      headers['if-match'],
      () => findConfiguration(services, id),
      async (before, condition) =>
        updateConfiguration(
          services,
          before,
          await patchContent({ ...services, signal: context.req.raw.signal }, before, body),
          condition,
          audit,
        ),
    )
    return { data: toConfiguration(row) }
  })

  bind(listConfigurations, async ({ query: { versionId, type, page, size } }, context) => {
    const where = and(
      versionId === undefined ? undefined : eq(configurations.versionId, versionId),
      type === undefined ? undefined : eq(configurations.type, type),
    )
    const weighed = await db
      .select({ id: configurations.id, weight: sql<number>`length(${configurations.config})` })
      .from(configurations)
      .where(where)
      .orderBy(...order)
      .limit(size)
      .offset((page - 1) * size)
    return sendList(context, {
      parts: splitByWeight(weighed, maxPartWeight),
      read: async (ids) =>
        (
          await db
            .select()
            .from(configurations)
            .where(inArray(configurations.id, [...ids]))
            .orderBy(...order)
        ).map(toConfiguration),
      rest: { page, size, total: await db.$count(configurations, where) },
    })
  })

  bind(getConfiguration, async ({ params: { id } }) => ({
    data: toConfiguration(await findConfiguration(services, id)),
  }))

  bind(deleteConfiguration, async ({ params: { id }, query, headers, audit }) => {
    const match = headers['if-match']
    await limitAffected(query.maxReach, async () => {
      const { versionId } = await findConfiguration(services, id)
      return sumCounts(await readPlatforms(services, versionId))
    })
    const mine = and(eq(configurations.id, id), matchesRevision(configurations.revision, match))
    const [, [row]] = await db.batch([
      audit.createEntry('configuration', id, ['config']).toStatement(exists(configurations, mine)),
      db.delete(configurations).where(mine).returning(),
    ])
    if (!row)
      throw createRevisionProblem(describe(id), (await findConfiguration(services, id)).revision)
    return { data: { id } }
  })

  bind(copyConfigurations, async ({ body, audit }) => ({
    data: (await copyAll(services, body, audit)).map(toConfiguration),
  }))
}

function toConfiguration(row: Row): Configuration {
  const { id, type, versionId, config, revision } = row
  // The column holds the config of this type; TypeScript cannot know that the two belong together.
  return { id, type, versionId, config, revision, ...toTimestamps(row) } as Configuration
}
