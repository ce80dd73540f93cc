/** Organizations. */
import {
  deleteOrganization,
  getOrganization,
  listOrganizations,
  Problem,
  putOrganization,
} from '@cardwire/client/protocol'
import { eq } from 'drizzle-orm'
import { changedFields, differs, there } from '../db/audit.ts'
import { organizations } from '../db/schema.ts'
import { refusing } from '../db/violation.ts'
import type { Services } from '../services.ts'
import type { Bind } from './bind.ts'
import { derivedId } from './derived-id.ts'
import { contains, pageOf, times } from './lists.ts'

type Row = typeof organizations.$inferSelect

export function organizationRoutes(bind: Bind, { db, clock }: Services): void {
  bind(putOrganization, async ({ body: { id, name }, audit }) => {
    const now = clock()
    if (id !== undefined) {
      const mine = eq(organizations.id, id)
      const fields = changedFields(organizations, mine, {
        name: differs(organizations.name, name),
      })
      const [, [row]] = await db.batch([
        audit.entry('organization', id, fields).statement(there(organizations, mine)),
        db.update(organizations).set({ name, updatedAt: now }).where(mine).returning(),
      ])
      if (!row) throw organizationUnknown(id)
      return { created: false, data: present(row) }
    }
    const derived = derivedId(name)
    const row = { id: derived, name, createdAt: now, updatedAt: now }
    await refusing(
      db.batch([
        audit.entry('organization', derived, ['name']).statement(),
        db.insert(organizations).values(row),
      ]),
      () =>
        new Problem(
          'organization-taken',
          `Cannot create organization "${name}": the id "${derived}" is taken`,
        ),
    )
    return { created: true, data: present(row) }
  })

  bind(listOrganizations, async ({ query: { name, ...paging } }) => {
    const list = await pageOf(db, organizations, paging, contains(organizations.name, name), [
      organizations.id,
    ])
    return { data: { ...list, items: list.items.map(present) } }
  })

  bind(getOrganization, async ({ params: { id } }) => {
    const [row] = await db.select().from(organizations).where(eq(organizations.id, id))
    if (!row) throw organizationUnknown(id)
    return { data: present(row) }
  })

  bind(deleteOrganization, async ({ params: { id }, audit }) => {
    const mine = eq(organizations.id, id)
    const [, [row]] = await refusing(
      db.batch([
        audit.entry('organization', id, ['name']).statement(there(organizations, mine)),
        db.delete(organizations).where(mine).returning(),
      ]),
      () =>
        new Problem(
          'organization-in-use',
          `Cannot remove organization "${id}": it has labels, remove those first`,
        ),
    )
    if (!row) throw organizationUnknown(id)
    return { data: { id } }
  })
}

export const organizationUnknown = (id: string) =>
  new Problem('organization-unknown', `Cannot find organization "${id}": it does not exist`)

const present = (row: Row) => ({ id: row.id, name: row.name, ...times(row) })
