/** Stores configurations that are new, changed or copied, and removes them. */
import { Problem, type RevisionCondition } from '@cardwire/protocol'
import { and, eq, sql } from 'drizzle-orm'
import { sealed } from '../auth/keys/sealed.ts'
import { exists, type OperationAudit } from '../db/audit.ts'
import { explainCondition, requireInBatch } from '../db/batch-conditions.ts'
import { type ConstraintViolation, mapConstraintError } from '../db/constraint-error.ts'
import type { Database } from '../db/database.ts'
import { keepRemoval, keepRevision, nextRevision } from '../db/revisions.ts'
import { configurations, versions } from '../db/schema.ts'
import { createRevisionProblem, matchesRevision } from '../http/preconditions.ts'
import {
  createConfigurationUnknownProblem,
  createVersionUnknownProblem,
} from '../rules/problems.ts'
import type { Services } from '../services.ts'
import {
  type Content,
  listNewFields,
  type Row,
  selectChangedConfigFields,
} from './configuration-content.ts'

export const describe = (id: string) => `configuration "${id}"`

export async function findConfiguration({ db }: Pick<Services, 'db'>, id: string): Promise<Row> {
  const [row] = await db.select().from(configurations).where(eq(configurations.id, id))
  if (!row) throw createConfigurationUnknownProblem(id)
  return row
}

type RowServices = Pick<Services, 'db' | 'clock' | 'settings'>

/** What stays as it is in each change. */
type Identity = Pick<Row, 'id' | 'type' | 'versionId' | 'groupId'>

/** What the change saves becomes part of the history. */
const keep = (
  services: RowServices,
  { id, type, versionId, groupId }: Identity,
  { config, secret, keepsSecret = false }: Content,
  { author }: OperationAudit,
) =>
  keepRevision(
    services,
    configurations,
    { kind: 'configuration', id, type, versionId, groupId, value: config, secret, keepsSecret },
    author,
  )

/** Adds a configuration. `revision`: more than 1 for one that was removed. */
export async function insertConfiguration(
  services: RowServices,
  { id, type, versionId, groupId, revision = 1 }: Identity & Partial<Row>,
  content: Content,
  audit: OperationAudit,
): Promise<Row> {
  const { db, clock } = services
  const now = clock()
  const { config, secret } = content
  const times = { createdAt: now, updatedAt: now }
  const row = { id, type, versionId, groupId, config, secret, revision, ...times }
  const fields = listNewFields(type, content.config)
  const stored = mapConstraintError(
    db.batch([
      audit.createEntry('configuration', id, fields).toStatement(),
      db.insert(configurations).values(row),
      ...keep(services, row, content, audit),
      requireRoomInBatch(db, versionId),
    ]),
    (refused) => createTakenProblem(db, refused, versionId, [row]),
  )
  await explainCondition(stored, () => createLargeProblem(versionId))
  return row
}

export async function updateConfiguration(
  services: RowServices,
  { id, type, versionId, groupId }: Identity,
  content: Content,
  condition: RevisionCondition | undefined,
  audit: OperationAudit,
): Promise<Row> {
  const { db, clock } = services
  const mine = and(
    eq(configurations.id, id),
    eq(configurations.versionId, versionId),
    eq(configurations.type, type),
    eq(configurations.groupId, groupId),
    matchesRevision(configurations.revision, condition),
  )
  const fields = selectChangedConfigFields(db, type, content, mine)
  const { config, secret } = content
  const revision = nextRevision(configurations.revision)
  const stored = db.batch([
    audit.createEntry('configuration', id, fields).toStatement(exists(configurations, mine)),
    db
      .update(configurations)
      .set({ config, secret, updatedAt: clock(), revision })
      .where(mine)
      .returning(),
    ...keep(services, { id, type, versionId, groupId }, content, audit),
    requireRoomInBatch(db, versionId),
  ])
  const [, [row]] = await explainCondition(stored, () => createLargeProblem(versionId))
  if (row) return row
  const current = await findConfiguration(services, id)
  if (current.type !== type || current.versionId !== versionId || current.groupId !== groupId)
    throw createMovedProblem(current)
  throw createRevisionProblem(describe(id), current.revision)
}

export async function removeConfiguration(
  services: RowServices,
  { id, type, versionId, groupId }: Identity,
  condition: RevisionCondition | undefined,
  audit: OperationAudit,
): Promise<void> {
  const { db } = services
  const mine = and(eq(configurations.id, id), matchesRevision(configurations.revision, condition))
  const isThere = exists(configurations, mine)
  const removed = { kind: 'configuration', id, type, versionId, groupId } as const
  const [, [row]] = await db.batch([
    audit.createEntry('configuration', id, ['config']).toStatement(isThere),
    db.delete(configurations).where(mine).returning(),
    ...keepRemoval(services, removed, audit.author),
  ])
  if (row) return
  throw createRevisionProblem(describe(id), (await findConfiguration(services, id)).revision)
}

/** Copies all configurations of a version to another one, or none. `confirm` throws where that reaches more than was confirmed. */
export async function copyAll(
  services: CopyServices,
  { from, to }: { readonly from: string; readonly to: string },
  audit: OperationAudit,
  confirm: (copies: readonly Row[]) => Promise<void>,
): Promise<readonly Row[]> {
  const { db } = services
  const { copies, statements } = await prepareCopies(services, { from, to }, audit)
  await requireFree(db, to, copies)
  await requireRoom(db, to, copies)
  await confirm(copies)
  const [first, ...others] = statements
  if (first === undefined) {
    await requireVersion(db, to)
    audit.markUnchanged()
  } else {
    const stored = mapConstraintError(
      db.batch([first, ...others, requireRoomInBatch(db, to)]),
      (refused) => createCopyProblem(db, refused, to, copies),
    )
    await explainCondition(stored, () => createLargeProblem(to))
  }
  return copies
}

type CopyServices = RowServices & Pick<Services, 'random' | 'vault'>

/** The copies, and what stores them with their histories; nothing where `from` has no configurations. */
export async function prepareCopies(
  services: CopyServices,
  { from, to }: { readonly from: string; readonly to: string },
  audit: OperationAudit,
) {
  const { db, clock, random, vault } = services
  const rows = await db
    .select()
    .from(configurations)
    .where(eq(configurations.versionId, from))
    .orderBy(configurations.type)
  if (rows.length === 0) await requireVersion(db, from)
  const now = clock()
  const copies: readonly Row[] = await Promise.all(
    rows.map(async (row) => {
      const id = random.uuid()
      // A wrapped password is bound to the id of its row: the copy wraps it again for its own id.
      const { toRow } = sealed.keystorePassword
      const secret =
        row.secret && (await vault.wrap(await vault.unwrap(row.secret, toRow(row.id)), toRow(id)))
      return { ...row, id, secret, versionId: to, revision: 1, createdAt: now, updatedAt: now }
    }),
  )
  const statements = copies.flatMap((copy) => [
    db.insert(configurations).values(copy),
    audit
      .createEntry('configuration', copy.id, listNewFields(copy.type, copy.config))
      .toStatement(),
    ...keep(services, copy, copy, audit),
  ])
  return { copies, statements }
}

/** The problem of copies that were refused. */
export const createCopyProblem = (
  db: Database,
  refused: ConstraintViolation,
  to: string,
  copies: readonly Row[],
): Promise<Problem> => createTakenProblem(db, refused, to, copies)

async function requireVersion(db: Database, versionId: string): Promise<void> {
  const [row] = await db
    .select({ id: versions.id })
    .from(versions)
    .where(eq(versions.id, versionId))
  if (!row) throw createVersionUnknownProblem(versionId)
}

async function createTakenProblem(
  db: Database,
  refused: ConstraintViolation,
  versionId: string,
  wanted: readonly Slot[],
): Promise<Problem> {
  if (refused.kind === 'reference') return createVersionUnknownProblem(versionId)
  return describeTaken(versionId, await listTaken(db, versionId, wanted))
}

/** The most bytes of all configurations of a version, as the database has them: each sync may need all of them in memory. */
const maxBytes = 4_000_000

/** Throws `configurations-large` where a version would have more bytes than it can. Rows with the same IDs are replaced. */
export async function requireRoom(
  db: Database,
  versionId: string,
  rows: readonly Pick<Row, 'id' | 'config'>[],
): Promise<void> {
  const { id, config } = configurations
  const ids = rows.map((row) => row.id)
  const [stored] = await db
    .select({ bytes: sql<number>`coalesce(sum(octet_length(${config})), 0)` })
    .from(configurations)
    .where(
      and(
        eq(configurations.versionId, versionId),
        // One parameter for all of them: D1 takes a hundred of a statement.
        sql`${id} not in (select value from ${db.sqlDialect.eachText(JSON.stringify(ids))})`,
      ),
    )
  const encoder = new TextEncoder()
  const added = rows.map((row) => encoder.encode(JSON.stringify(row.config)).byteLength)
  if (added.reduce((sum, bytes) => sum + bytes, Number(stored?.bytes ?? 0)) <= maxBytes) return
  throw createLargeProblem(versionId)
}

/** The same behind a change, for its batch: others may have taken the room since. */
const requireRoomInBatch = (db: Database, versionId: string) => {
  const bytes = sql`(select coalesce(sum(octet_length(${configurations.config})), 0) from ${configurations} where ${eq(configurations.versionId, versionId)})`
  return requireInBatch(db, sql`${bytes} <= ${maxBytes}`)
}

const createLargeProblem = (versionId: string) =>
  new Problem(
    'configurations-large',
    `Cannot give version "${versionId}" so much: its configurations, for all devices and for groups, can have ${maxBytes} bytes together`,
  )

/** Where a version has at most one configuration. */
type Slot = Pick<Row, 'type' | 'groupId'>

/** Throws `configuration-taken` where a version has one of these already. The table refuses a second one, but only once a change was confirmed. */
export async function requireFree(
  db: Database,
  versionId: string,
  wanted: readonly Slot[],
): Promise<void> {
  const taken = await listTaken(db, versionId, wanted)
  if (taken.length > 0) throw describeTaken(versionId, taken)
}

type Taken = Pick<Row, 'id' | 'type' | 'groupId'>

async function listTaken(
  db: Database,
  versionId: string,
  wanted: readonly Slot[],
): Promise<readonly Taken[]> {
  const { id, type, groupId } = configurations
  const rows = await db
    .select({ id, type, groupId })
    .from(configurations)
    .where(eq(configurations.versionId, versionId))
  return rows.filter((row) =>
    wanted.some((slot) => slot.type === row.type && slot.groupId === row.groupId),
  )
}

const describeTaken = (versionId: string, taken: readonly Taken[]) =>
  new Problem(
    'configuration-taken',
    `Cannot give version "${versionId}" this configuration: it has ${taken.map(({ type, id, groupId }) => `${type}${nameGroup(groupId)} ("${id}")`).join(', ')}, update that by its id`,
  )

const nameGroup = (groupId: string) => (groupId === '' ? '' : ` for group "${groupId}"`)

const createMovedProblem = ({ id, type, versionId, groupId }: Row) =>
  new Problem(
    'configuration-moved',
    `Cannot move configuration "${id}": it is ${type} of version "${versionId}"${nameGroup(groupId)} and stays that`,
  )
