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
} from '@cardwire/protocol'
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
import { requireGroup } from './groups.ts'
import {
  copyAll,
  describe,
  findConfiguration,
  insertConfiguration,
  removeConfiguration,
  requireFree,
  requireRoom,
  updateConfiguration,
} from './store-configuration.ts'

const order = [configurations.versionId, configurations.type]

export function bindConfigurationRoutes(bind: Bind, services: Services): void {
  const { random } = services

  /** Refuses a change that reaches more devices of a version than its caller was shown. */
  const limitDevices = (
    max: number | undefined,
    versionId: string,
    slots: readonly { readonly type: ConfigurationType; readonly groupId: string }[],
    content?: Content,
  ) =>
    limitAffected(
      services,
      max,
      () => countReach(services, versionId, slots),
      content && pickCertificate(content),
    )

  bind(putConfiguration, async ({ body, query, headers, audit }, context) => {
    const match = headers['if-match']
    const { type, versionId, id = random.uuid(), groupId = '' } = body
    const identity = { id, type, versionId, groupId }
    if (groupId !== '') await requireGroup(services, groupId, type)
    const content = await toContent({ ...services, signal: context.req.raw.signal }, body, id)
    if (body.id === undefined) await requireFree(services.db, versionId, [identity])
    await requireRoom(services.db, versionId, [{ id, ...content }])
    await limitDevices(query.maxReach, versionId, [identity], content)
    if (body.id !== undefined) {
      const row = await updateConfiguration(services, identity, content, match, audit)
      return { created: false, data: toConfiguration(row) }
    }
    requireNoRevision(describe(id), match)
    const row = await insertConfiguration(services, identity, content, audit)
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
        await requireRoom(services.db, before.versionId, [{ id, ...content }])
        await limitDevices(query.maxReach, before.versionId, [before], content)
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
    await limitDevices(query.maxReach, row.versionId, [row])
    await removeConfiguration(services, row, headers['if-match'], audit)
    return { data: { id } }
  })

  bind(copyConfigurations, async ({ body, query, audit }) => {
    const confirm = (copies: readonly Row[]) => limitDevices(query.maxReach, body.to, copies)
    return { data: (await copyAll(services, body, audit, confirm)).map(toConfiguration) }
  })
}

/** The devices that get at least one of these configurations. */
async function countReach(
  services: Services,
  versionId: string,
  slots: readonly { readonly type: ConfigurationType; readonly groupId: string }[],
): Promise<number> {
  const groups = [...Map.groupBy(slots, ({ groupId }) => groupId)]
  // What all devices get reaches those of the groups, too.
  const counted = groups.filter(([id]) => id === '' || !groups.some(([other]) => other === ''))
  const counts = await Promise.all(
    counted.map(async ([groupId, ofGroup]) => {
      const types = ofGroup.map(({ type }) => type)
      return (await readConfigurationReach(services, versionId, types, groupId)).reach
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
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
  const { id, type, versionId, groupId, config, revision } = row
  const group = groupId === '' ? {} : { groupId }
  // The column holds the config of this type; TypeScript cannot know that the two belong together.
  return {
    ...{ id, type, versionId, ...group, config, revision },
    ...toTimestamps(row),
  } as Configuration
}
