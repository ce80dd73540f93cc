/** Organizations. */
import {
  deleteOrganization,
  getOrganization,
  listOrganizations,
  Problem,
  patchOrganization,
  putOrganization,
} from '@cardwire/protocol'
import { exists } from '../db/audit.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { organizations } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { containsText, selectPage, toTimestamps } from '../http/pagination.ts'
import { changeFields } from '../http/preconditions.ts'
import type { Services } from '../services.ts'
import { limitAffected, readLabelIds } from './count-affected.ts'
import {
  createMissedProblem,
  describe,
  findOrganization,
  insertOrganization,
  matches,
  type OrganizationRow,
  renameOrganization,
} from './store-organization.ts'

export function bindOrganizationRoutes(bind: Bind, services: Services): void {
  const { db } = services

  bind(putOrganization, async ({ body: { id, name }, headers: { 'if-match': match }, audit }) => {
    if (id !== undefined)
      return {
        created: false,
        data: toOrganization(await renameOrganization(services, id, name, match, audit)),
      }
    const row = await insertOrganization(services, name, match, audit)
    return { created: true, data: toOrganization(row) }
  })

  bind(patchOrganization, async ({ params: { id }, body, headers, audit }) => ({
    data: toOrganization(
      await changeFields(
        describe(id),
        headers['if-match'],
        () => findOrganization(services, id),
        (row, condition) =>
          renameOrganization(services, id, body.name ?? row.name, condition, audit),
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
    data: toOrganization(await findOrganization(services, id)),
  }))

  bind(deleteOrganization, async ({ params: { id }, query, headers, audit }) => {
    const match = headers['if-match']
    // Without a limit, an organization with labels is refused as in use, whatever the setting.
    const { maxReach = Number.POSITIVE_INFINITY } = query
    const countLabels = async () => (await readLabelIds(services, id)).length
    await limitAffected(services, maxReach, countLabels, { counts: 'labels' })
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
    if (!row) throw await createMissedProblem(services, id)
    return { data: { id } }
  })
}

const toOrganization = ({ id, name, revision, ...times }: OrganizationRow) => ({
  id,
  name,
  revision,
  ...toTimestamps(times),
})
