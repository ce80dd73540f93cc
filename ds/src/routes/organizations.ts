/** Organizations. */
import {
  deleteOrganization,
  getOrganization,
  listOrganizations,
  Problem,
  putOrganization,
} from '@cardwire/client/protocol'
import { eq } from 'drizzle-orm'
import { exists, isDistinctFrom, selectChangedFields } from '../db/audit.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { organizations } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { containsText, selectPage, toTimestamps } from '../http/pagination.ts'
import { deriveId } from '../rules/derive-id.ts'
import { createOrganizationUnknownProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'

type Row = typeof organizations.$inferSelect

export function bindOrganizationRoutes(bind: Bind, { db, clock }: Services): void {
  bind(putOrganization, async ({ body: { id, name }, audit }) => {
    const now = clock()
    if (id !== undefined) {
      const mine = eq(organizations.id, id)
      const fields = selectChangedFields(organizations, mine, {
        name: isDistinctFrom(organizations.name, name),
      })
      const [, [row]] = await db.batch([
        audit.createEntry('organization', id, fields).toStatement(exists(organizations, mine)),
        db.update(organizations).set({ name, updatedAt: now }).where(mine).returning(),
      ])
      if (!row) throw createOrganizationUnknownProblem(id)
      return { created: false, data: toOrganization(row) }
    }
    const derived = deriveId(name)
    const row = { id: derived, name, revision: 1, createdAt: now, updatedAt: now }
    await mapConstraintError(
      db.batch([
        audit.createEntry('organization', derived, ['name']).toStatement(),
        db.insert(organizations).values(row),
      ]),
      () =>
        new Problem(
          'organization-taken',
          `Cannot create organization "${name}": the id "${derived}" is taken`,
        ),
    )
    return { created: true, data: toOrganization(row) }
  })

  bind(listOrganizations, async ({ query: { name, ...paging } }) => {
    const list = await selectPage(
      db,
      organizations,
      paging,
      containsText(db, organizations.name, name),
      [organizations.id],
    )
    return { data: { ...list, items: list.items.map(toOrganization) } }
  })

  bind(getOrganization, async ({ params: { id } }) => {
    const [row] = await db.select().from(organizations).where(eq(organizations.id, id))
    if (!row) throw createOrganizationUnknownProblem(id)
    return { data: toOrganization(row) }
  })

  bind(deleteOrganization, async ({ params: { id }, audit }) => {
    const mine = eq(organizations.id, id)
    const [, [row]] = await mapConstraintError(
      db.batch([
        audit.createEntry('organization', id, ['name']).toStatement(exists(organizations, mine)),
        db.delete(organizations).where(mine).returning(),
      ]),
      () =>
        new Problem(
          'organization-in-use',
          `Cannot remove organization "${id}": it has labels, remove those first`,
        ),
    )
    if (!row) throw createOrganizationUnknownProblem(id)
    return { data: { id } }
  })
}

const toOrganization = (row: Row) => ({ id: row.id, name: row.name, ...toTimestamps(row) })
