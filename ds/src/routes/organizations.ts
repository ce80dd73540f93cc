/** Organizations. */
import {
  deleteOrganization,
  getOrganization,
  listOrganizations,
  Problem,
  patchOrganization,
  putOrganization,
  type RevisionCondition,
} from '@cardwire/client/protocol'
import { and, eq } from 'drizzle-orm'
import { exists, isDistinctFrom, type OperationAudit, selectChangedFields } from '../db/audit.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { organizations } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { containsText, selectPage, toTimestamps } from '../http/pagination.ts'
import {
  changeFields,
  createRevisionProblem,
  matchesRevision,
  nextRevision,
  requireNoRevision,
} from '../http/preconditions.ts'
import { deriveId } from '../rules/derive-id.ts'
import { createOrganizationUnknownProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import { limitAffected, readLabelIds } from './count-affected.ts'

type Row = typeof organizations.$inferSelect

export function bindOrganizationRoutes(bind: Bind, services: Services): void {
  const { db, clock } = services
  const findOrganization = async (id: string): Promise<Row> => {
    const [row] = await db.select().from(organizations).where(eq(organizations.id, id))
    if (!row) throw createOrganizationUnknownProblem(id)
    return row
  }

  const matches = (id: string, condition: RevisionCondition | undefined) =>
    and(eq(organizations.id, id), matchesRevision(organizations.revision, condition))

  /** Why a change has found no row that matches. */
  const createMissedProblem = async (id: string) =>
    createRevisionProblem(describe(id), (await findOrganization(id)).revision)

  async function rename(
    id: string,
    name: string,
    condition: RevisionCondition | undefined,
    audit: OperationAudit,
  ): Promise<Row> {
    const mine = matches(id, condition)
    const fields = selectChangedFields(organizations, mine, {
      name: isDistinctFrom(organizations.name, name),
    })
    const changes = { name, updatedAt: clock(), revision: nextRevision(organizations.revision) }
    const [, [row]] = await db.batch([
      audit.createEntry('organization', id, fields).toStatement(exists(organizations, mine)),
      db.update(organizations).set(changes).where(mine).returning(),
    ])
    if (!row) throw await createMissedProblem(id)
    return row
  }

  bind(putOrganization, async ({ body: { id, name }, headers: { 'if-match': match }, audit }) => {
    if (id !== undefined)
      return { created: false, data: toOrganization(await rename(id, name, match, audit)) }
    const derived = deriveId(name)
    requireNoRevision(describe(derived), match)
    const now = clock()
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

  bind(patchOrganization, async ({ params: { id }, body, headers, audit }) => ({
    data: toOrganization(
      await changeFields(
        describe(id),
        headers['if-match'],
        () => findOrganization(id),
        (row, condition) => rename(id, body.name ?? row.name, condition, audit),
      ),
    ),
  }))

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

  bind(getOrganization, async ({ params: { id } }) => ({
    data: toOrganization(await findOrganization(id)),
  }))

  bind(deleteOrganization, async ({ params: { id }, query, headers, audit }) => {
    const match = headers['if-match']
    await limitAffected(query.maxReach, async () => (await readLabelIds(services, id)).length)
    const mine = matches(id, match)
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
    if (!row) throw await createMissedProblem(id)
    return { data: { id } }
  })
}

const describe = (id: string) => `organization "${id}"`

const toOrganization = ({ id, name, revision, ...times }: Row) => ({
  id,
  name,
  revision,
  ...toTimestamps(times),
})
