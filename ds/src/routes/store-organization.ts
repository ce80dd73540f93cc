/** Finds an organization, and stores one that is new or renamed. */
import { Problem, type RevisionCondition } from '@cardwire/protocol'
import { and, eq } from 'drizzle-orm'
import { exists, isDistinctFrom, type OperationAudit, selectChangedFields } from '../db/audit.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { nextRevision } from '../db/revisions.ts'
import { organizations } from '../db/schema.ts'
import { createRevisionProblem, matchesRevision, requireNoRevision } from '../http/preconditions.ts'
import { deriveId } from '../rules/derive-id.ts'
import { createOrganizationUnknownProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'

export type OrganizationRow = typeof organizations.$inferSelect

export const describe = (id: string) => `organization "${id}"`

export const matches = (id: string, condition: RevisionCondition | undefined) =>
  and(eq(organizations.id, id), matchesRevision(organizations.revision, condition))

export async function findOrganization(
  { db }: Pick<Services, 'db'>,
  id: string,
): Promise<OrganizationRow> {
  const [row] = await db.select().from(organizations).where(eq(organizations.id, id))
  if (!row) throw createOrganizationUnknownProblem(id)
  return row
}

/** Why a change has found no row that matches. */
export const createMissedProblem = async (services: Pick<Services, 'db'>, id: string) =>
  createRevisionProblem(describe(id), (await findOrganization(services, id)).revision)

/** Adds an organization, whose id comes from its name. */
export async function insertOrganization(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  name: string,
  condition: RevisionCondition | undefined,
  audit: OperationAudit,
): Promise<OrganizationRow> {
  const id = deriveId(name)
  requireNoRevision(describe(id), condition)
  const now = clock()
  const row = { id, name, revision: 1, createdAt: now, updatedAt: now }
  await mapConstraintError(
    db.batch([
      audit.createEntry('organization', id, ['name']).toStatement(),
      db.insert(organizations).values(row),
    ]),
    () =>
      new Problem(
        'organization-taken',
        `Cannot create organization "${name}": the id "${id}" is taken`,
      ),
  )
  return row
}

export async function renameOrganization(
  services: Pick<Services, 'db' | 'clock'>,
  id: string,
  name: string,
  condition: RevisionCondition | undefined,
  audit: OperationAudit,
): Promise<OrganizationRow> {
  const { db, clock } = services
  const mine = matches(id, condition)
  const fields = selectChangedFields(organizations, mine, {
    name: isDistinctFrom(organizations.name, name),
  })
  const changes = { name, updatedAt: clock(), revision: nextRevision(organizations.revision) }
  const [, [row]] = await db.batch([
    audit.createEntry('organization', id, fields).toStatement(exists(organizations, mine)),
    db.update(organizations).set(changes).where(mine).returning(),
  ])
  if (!row) throw await createMissedProblem(services, id)
  return row
}
