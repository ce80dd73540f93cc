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
import { changedFields, there } from '../db/audit.ts'
import { configurations, versions } from '../db/schema.ts'
import { refusing, type Violation } from '../db/violation.ts'
import { packageKey } from '../packages/packages.ts'
import type { Services } from '../services.ts'
import type { Bind } from './bind.ts'
import { pageOf, times } from './lists.ts'
import { versionUnknown } from './versions.ts'

type Row = typeof configurations.$inferSelect

export function configurationRoutes(
  bind: Bind,
  { db, clock, random, vault, packages }: Services,
): void {
  bind(putConfiguration, async ({ body, audit }) => {
    const now = clock()
    const id = body.id ?? random.uuid()
    const content = { config: await stored(body), secret: await secretOf(body, id), updatedAt: now }
    if (body.id !== undefined) {
      const mine = and(
        eq(configurations.id, id),
        eq(configurations.versionId, body.versionId),
        eq(configurations.type, body.type),
      )
      const [, [row]] = await db.batch([
        audit
          .entry('configuration', id, changed(body.type, content.config, mine))
          .statement(there(configurations, mine)),
        db.update(configurations).set(content).where(mine).returning(),
      ])
      if (!row) throw await moved(id)
      return { created: false, data: present(row) }
    }
    const row = { id, type: body.type, versionId: body.versionId, createdAt: now, ...content }
    await refusing(
      db.batch([
        audit.entry('configuration', id, fieldsOf(body.type)).statement(),
        db.insert(configurations).values(row),
      ]),
      (refused) => taken(refused, body.versionId, [body.type]),
    )
    return { created: true, data: present(row) }
  })

  bind(listConfigurations, async ({ query: { versionId, type, ...paging } }) => {
    const where = and(
      versionId === undefined ? undefined : eq(configurations.versionId, versionId),
      type === undefined ? undefined : eq(configurations.type, type),
    )
    const order = [configurations.versionId, configurations.type]
    const list = await pageOf(db, configurations, paging, where, order)
    return { data: { ...list, items: list.items.map(present) } }
  })

  bind(getConfiguration, async ({ params: { id } }) => {
    const [row] = await db.select().from(configurations).where(eq(configurations.id, id))
    if (!row) throw unknown(id)
    return { data: present(row) }
  })

  bind(deleteConfiguration, async ({ params: { id }, audit }) => {
    const mine = eq(configurations.id, id)
    const [, [row]] = await db.batch([
      audit.entry('configuration', id, ['config']).statement(there(configurations, mine)),
      db.delete(configurations).where(mine).returning(),
    ])
    if (!row) throw unknown(id)
    return { data: { id } }
  })

  bind(copyConfigurations, async ({ body: { from, to }, audit }) => {
    const rows = await db
      .select()
      .from(configurations)
      .where(eq(configurations.versionId, from))
      .orderBy(configurations.type)
    if (rows.length === 0) await mustExist(from)
    const now = clock()
    const copies = await Promise.all(
      rows.map(async (row) => {
        const id = random.uuid()
        // A secret is bound to its row: the copy wraps it for its own.
        const secret = row.secret && (await vault.wrap(await vault.unwrap(row.secret, row.id), id))
        return { ...row, id, secret, versionId: to, createdAt: now, updatedAt: now }
      }),
    )
    if (copies.length === 0) {
      await mustExist(to)
      audit.unchanged()
    } else {
      const types = copies.map(({ type }) => type)
      const entries = copies.map(({ id, type }) =>
        audit.entry('configuration', id, fieldsOf(type)).statement(),
      )
      await refusing(db.batch([db.insert(configurations).values(copies), ...entries]), (refused) =>
        taken(refused, to, types),
      )
    }
    return { data: copies.map(present) }
  })

  /** The part of an input that may be shown again; the digest pins a keystore to what it was when it was put. */
  async function stored(body: ConfigurationInput): Promise<Configuration['config']> {
    if (body.type !== 'SSL_KEYSTORE') return body.config
    const { uri, digest } = body.config
    if (digest !== undefined) return { uri, digest }
    if (!/^file:/i.test(uri)) return { uri }
    const key = packageKey(uri)
    const file = key === undefined ? undefined : await packages.find(key)
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

  const secretOf = async (body: ConfigurationInput, id: string) =>
    body.type === 'SSL_KEYSTORE' ? vault.wrap(body.config.password, id) : null

  async function mustExist(versionId: string): Promise<void> {
    const [row] = await db
      .select({ id: versions.id })
      .from(versions)
      .where(eq(versions.id, versionId))
    if (!row) throw versionUnknown(versionId)
  }

  async function taken(
    refused: Violation,
    versionId: string,
    types: readonly Configuration['type'][],
  ): Promise<Problem> {
    if (refused.kind === 'reference') return versionUnknown(versionId)
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

  async function moved(id: string): Promise<Problem> {
    const [row] = await db.select().from(configurations).where(eq(configurations.id, id))
    if (!row) return unknown(id)
    return new Problem(
      'configuration-moved',
      `Cannot move configuration "${id}": it is ${row.type} of version "${row.versionId}" and stays that`,
    )
  }
}

const unknown = (id: string) =>
  new Problem('configuration-unknown', `Cannot find configuration "${id}": it does not exist`)

function present(row: Row): Configuration {
  const { id, type, versionId, config } = row
  // The column holds what the input of this type left; the union is put together again here.
  return { id, type, versionId, config, ...times(row) } as Configuration
}

/** What a configuration of each type holds, as the audit names it. */
const fieldsOf = (type: Configuration['type']) =>
  ({
    CONTEXT_CONFIG: ['config.cors'],
    FILE_DIGESTS: ['config.files'],
    SSL_KEYSTORE: ['config.uri', 'config.digest', 'config.password'],
  })[type]

/** Of those the ones that differ from what is stored. A password counts as changed whenever it is put. */
function changed(type: Row['type'], config: Row['config'], where: SQL | undefined): SQL {
  const next = JSON.stringify(config)
  const differ = fieldsOf(type).map((field) => {
    if (field === 'config.password') return [field, sql`true`] as const
    const path = field.replace('config', '$')
    const now = sql`json_extract(${configurations.config}, ${path})`
    return [field, sql`${now} is not json_extract(${next}, ${path})`] as const
  })
  return changedFields(configurations, where, Object.fromEntries(differ))
}
