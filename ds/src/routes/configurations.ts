/** Configurations of versions. */
import {
  type Configuration,
  type ConfigurationType,
  copyConfigurations,
  deleteConfiguration,
  getConfiguration,
  type Input,
  listConfigurations,
  patchConfiguration,
  putConfiguration,
} from '@cardwire/client/protocol'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { isKeystore, selectExpiry } from '../db/keystore-expiry.ts'
import { configurations } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { maxPartWeight, sendList, splitByWeight } from '../http/list-response.ts'
import { toTimestamps } from '../http/pagination.ts'
import { changeFields, requireNoRevision } from '../http/preconditions.ts'
import type { Services } from '../services.ts'
import { type Content, patchContent, type Row, toContent } from './configuration-content.ts'
import { limitAffected, readConfigurationReach } from './count-affected.ts'
import {
  copyAll,
  describe,
  findConfiguration,
  insertConfiguration,
  removeConfiguration,
  requireFreeTypes,
  updateConfiguration,
} from './store-configuration.ts'

const order = [configurations.versionId, configurations.type]

export function bindConfigurationRoutes(bind: Bind, services: Services): void {
  const { random } = services

  /** Refuses a change that reaches more devices of a version than its caller was shown. */
  const limitDevices = (
    max: number | undefined,
    versionId: string,
    types: readonly ConfigurationType[],
    content?: Content,
  ) =>
    limitAffected(
      services,
      max,
      async () => (await readConfigurationReach(services, versionId, types)).reach,
      content && pickCertificate(content),
    )

  bind(putConfiguration, async ({ body, query, headers, audit }, context) => {
    const match = headers['if-match']
    const { type, versionId, id = random.uuid() } = body
    const content = await toContent({ ...services, signal: context.req.raw.signal }, body, id)
    if (body.id === undefined) await requireFreeTypes(services.db, versionId, [type])
    await limitDevices(query.maxReach, versionId, [type], content)
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

  bind(patchConfiguration, async ({ params: { id }, body, query, headers, audit }, context) => {
    const row = await changeFields(
      describe(id),
      headers['if-match'],
      () => findConfiguration(services, id),
      async (before, condition) => {
        const { signal } = context.req.raw
        const content = await patchContent({ ...services, signal }, before, body)
        await limitDevices(query.maxReach, before.versionId, [before.type], content)
        return updateConfiguration(services, before, content, condition, audit)
      },
    )
    return { data: toConfiguration(row) }
  })

  bind(listConfigurations, async ({ query }, context) =>
    sendList(context, await findPage(services, query)),
  )

  bind(getConfiguration, async ({ params: { id } }) => ({
    data: toConfiguration(await findConfiguration(services, id)),
  }))

  bind(deleteConfiguration, async ({ params: { id }, query, headers, audit }) => {
    const row = await findConfiguration(services, id)
    await limitDevices(query.maxReach, row.versionId, [row.type])
    await removeConfiguration(services, row, headers['if-match'], audit)
    return { data: { id } }
  })

  bind(copyConfigurations, async ({ body, query, audit }) => {
    const confirm = (types: readonly ConfigurationType[]) =>
      limitDevices(query.maxReach, body.to, types)
    return { data: (await copyAll(services, body, audit, confirm)).map(toConfiguration) }
  })
}

const pickCertificate = ({ config }: Content) =>
  'certificate' in config && config.certificate ? { certificate: config.certificate } : {}

/**
 * A page of the list, in parts that are read one after the other: a configuration may be large. A database knows its bytes without reading
 * it, but not its characters.
 */
async function findPage(
  { db }: Services,
  { versionId, type, expiresBefore, page, size }: Input<typeof listConfigurations>['query'],
) {
  const where = and(
    versionId === undefined ? undefined : eq(configurations.versionId, versionId),
    type === undefined ? undefined : eq(configurations.type, type),
    expiresBefore === undefined ? undefined : expires(db, expiresBefore),
  )
  const weighed = await db
    .select({ id: configurations.id, weight: sql<number>`octet_length(${configurations.config})` })
    .from(configurations)
    .where(where)
    .orderBy(...order)
    .limit(size)
    .offset((page - 1) * size)
  const read = async (ids: readonly string[]) => {
    const isOfPart = inArray(configurations.id, [...ids])
    const rows = await db
      .select()
      .from(configurations)
      .where(isOfPart)
      .orderBy(...order)
    return rows.map(toConfiguration)
  }
  const total = await db.$count(configurations, where)
  return { parts: splitByWeight(weighed, maxPartWeight), read, rest: { page, size, total } }
}

/** Only of a keystore that the service has opened. */
const expires = (db: Services['db'], before: string) =>
  and(isKeystore, sql`${selectExpiry(db)} < ${new Date(before).toISOString()}`)

export function toConfiguration(row: Row): Configuration {
  const { id, type, versionId, config, revision } = row
  // The column holds the config of this type; TypeScript cannot know that the two belong together.
  return { id, type, versionId, config, revision, ...toTimestamps(row) } as Configuration
}
