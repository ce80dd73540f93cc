/** Whose pages may read what cards say about their holders: the user's answers, which end with the consent that they are kept with. */
import type { Database } from 'bun:sqlite'
import { changeForGood } from '../../system/state/revision.ts'
import type { ActiveConsents } from './active-consents.ts'

export interface IdentityPermissions {
  /** Whether pages of this origin may read the identity data of cards of this module. */
  has(origin: string, module: string): boolean
  /** Is on disk when this returns. Nothing is kept with a consent that has ended. */
  add(consentId: string, module: string): void
}

export function createIdentityPermissions(
  database: Database,
  activeConsents: Pick<ActiveConsents, 'isActive'>,
): IdentityPermissions {
  const findConsents = database.query<{ id: string }, [string, string]>(
    'SELECT consents.id FROM consents JOIN identity_permissions ON consent_id = id WHERE ended_at IS NULL AND origin = ? AND module = ?',
  )
  const insert = database.query(
    'INSERT INTO identity_permissions (consent_id, module) VALUES ($id, $module) ON CONFLICT DO NOTHING',
  )
  return {
    has: (origin, module) =>
      findConsents.all(origin, module).some(({ id }) => activeConsents.isActive(id)),
    add(consentId, module) {
      if (activeConsents.isActive(consentId)) insert.run({ id: consentId, module })
    },
  }
}

/** The modules whose identity data pages of this origin may read, of consents that have not ended. */
export const listIdentityModules = (database: Database, origin: string): readonly string[] =>
  database
    .query<{ module: string }, [string]>(
      'SELECT DISTINCT module FROM identity_permissions JOIN consents ON consent_id = id WHERE ended_at IS NULL AND origin = ? ORDER BY module',
    )
    .all(origin)
    .map(({ module }) => module)

/** Ends them for an origin; its consents stay. Returns how many. */
export function revokeIdentityPermissions(database: Database, origin: string): number {
  const remove = database.query(
    'DELETE FROM identity_permissions WHERE consent_id IN (SELECT id FROM consents WHERE origin = ?)',
  )
  return changeForGood(database, () => remove.run(origin).changes)
}
