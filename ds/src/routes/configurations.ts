/** Configurations of versions. */
import {
  type Configuration,
  type ConfigurationInput,
  copyConfigurations,
  deleteConfiguration,
  getConfiguration,
  listConfigurations,
  Problem,
  putConfiguration,
} from '@cardwire/client/protocol'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { exists, selectChangedFields } from '../db/audit.ts'
import { type ConstraintViolation, mapConstraintError } from '../db/constraint-error.ts'
import type { Database } from '../db/database.ts'
import { configurations, versions } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { selectPage, toTimestamps } from '../http/pagination.ts'
import { findPackage, isFileUri } from '../packages/packages.ts'
import { createVersionUnknownProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'

type Row = typeof configurations.$inferSelect

export function bindConfigurationRoutes(
  bind: Bind,
  { db, clock, random, vault, packages }: Services,
): void {
  bind(putConfiguration, async ({ body, audit }) => {
    const now = clock()
    const id = body.id ?? random.uuid()
    const content = {
      config: await toStoredConfig(body),
      secret: await wrapPassword(body, id),
      updatedAt: now,
    }
    if (body.id !== undefined) {
      const mine = and(
        eq(configurations.id, id),
        eq(configurations.versionId, body.versionId),
        eq(configurations.type, body.type),
      )
      const [, [row]] = await db.batch([
        audit
          .createEntry(
            'configuration',
            id,
            selectChangedConfigFields(db, body.type, content.config, mine),
          )
          .toStatement(exists(configurations, mine)),
        db.update(configurations).set(content).where(mine).returning(),
      ])
      if (!row) throw await createMovedProblem(id)
      return { created: false, data: toConfiguration(row) }
    }
    const { type, versionId } = body
    const row = { id, type, versionId, revision: 1, createdAt: now, ...content }
    await mapConstraintError(
      db.batch([
        audit
          .createEntry('configuration', id, listNewFields(body.type, content.config))
          .toStatement(),
        db.insert(configurations).values(row),
      ]),
      (refused) => createTakenProblem(refused, body.versionId, [body.type]),
    )
    return { created: true, data: toConfiguration(row) }
  })

  bind(listConfigurations, async ({ query: { versionId, type, ...paging } }) => {
    const where = and(
      versionId === undefined ? undefined : eq(configurations.versionId, versionId),
      type === undefined ? undefined : eq(configurations.type, type),
    )
    const order = [configurations.versionId, configurations.type]
    const list = await selectPage(db, configurations, paging, where, order)
    return { data: { ...list, items: list.items.map(toConfiguration) } }
  })

  bind(getConfiguration, async ({ params: { id } }) => {
    const [row] = await db.select().from(configurations).where(eq(configurations.id, id))
    if (!row) throw createUnknownProblem(id)
    return { data: toConfiguration(row) }
  })

  bind(deleteConfiguration, async ({ params: { id }, audit }) => {
    const mine = eq(configurations.id, id)
    const [, [row]] = await db.batch([
      audit.createEntry('configuration', id, ['config']).toStatement(exists(configurations, mine)),
      db.delete(configurations).where(mine).returning(),
    ])
    if (!row) throw createUnknownProblem(id)
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

  /** The part of an input that is shown again. A keystore in the packages folder gets the digest that its file has now. */
  async function toStoredConfig(body: ConfigurationInput): Promise<Configuration['config']> {
    if (body.type !== 'SSL_KEYSTORE') return body.config
    const { uri, digest } = body.config
    if (digest !== undefined) return { uri, digest }
    if (!isFileUri(uri)) return { uri }
    const file = await findPackage(packages, uri)
    if (!file) {
      throw new Problem(
        'input-invalid',
        `Cannot read the keystore "${uri}": put the file into the packages folder first`,
        {
          errors: [{ path: 'config.uri', message: 'No such file in the packages folder' }],
        },
      )
    }
    return { uri, digest: await file.digest() }
  }

  const wrapPassword = async (body: ConfigurationInput, id: string) =>
    body.type === 'SSL_KEYSTORE' ? vault.wrap(body.config.password, id) : null

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

  async function createMovedProblem(id: string): Promise<Problem> {
    const [row] = await db.select().from(configurations).where(eq(configurations.id, id))
    if (!row) return createUnknownProblem(id)
    return new Problem(
      'configuration-moved',
      `Cannot move configuration "${id}": it is ${row.type} of version "${row.versionId}" and stays that`,
    )
  }
}

const createUnknownProblem = (id: string) =>
  new Problem('configuration-unknown', `Cannot find configuration "${id}": it does not exist`)

function toConfiguration(row: Row): Configuration {
  const { id, type, versionId, config } = row
  // The column holds the config of this type; TypeScript cannot know that the two belong together.
  return { id, type, versionId, config, ...toTimestamps(row) } as Configuration
}

/** The fields of a configuration of each type, as the audit names them. */
const listFields = (type: Configuration['type']) =>
  ({
    CONTEXT_CONFIG: ['config.cors', 'config.cards'],
    FILE_DIGESTS: ['config.files'],
    SSL_KEYSTORE: ['config.uri', 'config.digest', 'config.password'],
  })[type]

/** Those of one that is new: the words for cards only where there are some. */
const listNewFields = (type: Row['type'], config: Row['config']) =>
  listFields(type).filter(
    (field) => field !== 'config.cards' || ('cors' in config && config.cards !== undefined),
  )

/** The fields whose new value differs from the stored one. A password always counts as changed. */
function selectChangedConfigFields(
  { sqlDialect }: Database,
  type: Row['type'],
  config: Row['config'],
  where: SQL | undefined,
): SQL {
  const next = JSON.stringify(config)
  const differ = listFields(type).map((field) => {
    if (field === 'config.password') return [field, sql`true`] as const
    const name = field.replace('config.', '')
    const [now, then] = [configurations.config, next].map((json) => sqlDialect.getField(json, name))
    return [field, sql`${now} is distinct from ${then}`] as const
  })
  return selectChangedFields(configurations, where, Object.fromEntries(differ))
}
