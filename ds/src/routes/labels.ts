/** Labels and their API keys. */
import {
  deleteLabel,
  getLabel,
  listLabels,
  Problem,
  putLabel,
  revokeLabelKey,
  rotateLabelKey,
} from '@cardwire/client/protocol'
import { and, eq } from 'drizzle-orm'
import { type Audit, changedFields, differs, there } from '../db/audit.ts'
import { labels } from '../db/schema.ts'
import { refusing } from '../db/violation.ts'
import type { Services } from '../services.ts'
import type { Bind } from './bind.ts'
import { derivedId } from './derived-id.ts'
import { keysOf } from './keys.ts'
import { contains, pageOf, times } from './lists.ts'
import { organizationUnknown } from './organizations.ts'

type Row = typeof labels.$inferSelect

/** What a label is made of beside its key, which is changed apart from it. */
const ownFields = ['name', 'orgId']

export function labelRoutes(bind: Bind, { db, clock, random, gateway }: Services): void {
  const keys = keysOf(gateway, random)
  const consumer = (id: string) => ({ kind: 'application', id }) as const

  const unknown = (id: string) =>
    new Problem('label-unknown', `Cannot find label "${id}": it does not exist`)

  async function find(id: string): Promise<Row> {
    const [row] = await db.select().from(labels).where(eq(labels.id, id))
    if (!row) throw unknown(id)
    return row
  }

  /** Gives the label a key. One that was removed at the same moment must not leave a key behind that opens. */
  async function replaceKey(
    id: string,
    given: string | undefined,
    overlapS: number,
    audit: Audit,
  ): Promise<string> {
    const entry = audit.entry('label', id, ['apiKey'])
    const key = await keys.replace(consumer(id), given, overlapS, entry)
    const [row] = await db.select().from(labels).where(eq(labels.id, id))
    if (row) return key
    await gateway.remove(consumer(id), audit.undone('label', id, ['apiKey']))
    throw unknown(id)
  }

  bind(putLabel, async ({ body: { id, name, orgId, apiKey: given }, audit }) => {
    const now = clock()
    if (id !== undefined) {
      const before = await find(id)
      if (before.orgId !== orgId) {
        throw new Problem(
          'label-moved',
          `Cannot move label "${id}": it belongs to organization "${before.orgId}"`,
        )
      }
      const apiKey = given && (await replaceKey(id, given, 0, audit))
      const mine = eq(labels.id, id)
      const fields = changedFields(labels, mine, { name: differs(labels.name, name) })
      const [, [row]] = await db.batch([
        audit.entry('label', id, fields).statement(there(labels, mine)),
        db.update(labels).set({ name, updatedAt: now }).where(mine).returning(),
      ])
      if (!row) throw unknown(id)
      return { created: false, data: { ...present(row), ...(apiKey && { apiKey }) } }
    }
    const derived = derivedId(name)
    const row = { id: derived, name, orgId, createdAt: now, updatedAt: now }
    await keys.mustBeFree(consumer(derived), given)
    await refusing(
      db.batch([
        audit.entry('label', derived, ownFields).statement(),
        db.insert(labels).values(row),
      ]),
      ({ kind }) =>
        kind === 'reference'
          ? organizationUnknown(orgId)
          : new Problem(
              'label-taken',
              `Cannot create label "${name}": the id "${derived}" is taken, ids are unique across all organizations; choose another name`,
            ),
    )
    const mine = and(eq(labels.id, derived), eq(labels.updatedAt, now))
    const undo = () =>
      db.batch([
        audit.undone('label', derived, ownFields).statement(there(labels, mine)),
        db.delete(labels).where(mine),
      ])
    const untouched = async () => (await db.$count(labels, mine)) === 1
    const entry = audit.entry('label', derived, ['apiKey'])
    const apiKey = await keys.create(consumer(derived), given, { undo, untouched }, entry)
    return { created: true, data: { ...present(row), apiKey } }
  })

  bind(listLabels, async ({ query: { name, orgId, ...paging } }) => {
    const where = and(
      contains(labels.name, name),
      orgId === undefined ? undefined : eq(labels.orgId, orgId),
    )
    const list = await pageOf(db, labels, paging, where, [labels.id])
    return { data: { ...list, items: list.items.map(present) } }
  })

  bind(getLabel, async ({ params: { id } }) => ({ data: present(await find(id)) }))

  bind(deleteLabel, async ({ params: { id }, audit }) => {
    await find(id)
    // The key first: a label without a key can be given one again, a key without a label would still open.
    await gateway.remove(consumer(id), audit.entry('label', id, ['apiKey']))
    const mine = eq(labels.id, id)
    await db.batch([
      audit.entry('label', id, ownFields).statement(there(labels, mine)),
      db.delete(labels).where(mine),
    ])
    return { data: { id } }
  })

  bind(rotateLabelKey, async ({ params: { id }, body: { apiKey: given, overlap }, audit }) => {
    const row = await find(id)
    const apiKey = await replaceKey(id, given, overlap, audit)
    return { data: { ...present(row), apiKey } }
  })

  bind(revokeLabelKey, async ({ params: { id }, audit }) => {
    const row = await find(id)
    await gateway.disable(consumer(id), audit.entry('label', id, ['apiKey']))
    return { data: present(row) }
  })
}

const present = (row: Row) => ({ id: row.id, name: row.name, orgId: row.orgId, ...times(row) })
