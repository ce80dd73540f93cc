/** What the access of an operation means for the roles of administrators. */
import type { Access, Operation } from './operation.ts'
import { type Role, roles } from './role.ts'

const rolesByAccess: Readonly<Partial<Record<Access, Role>>> = {
  viewer: 'viewer',
  publisher: 'publisher',
  administrator: 'administrator',
  application: 'viewer',
  local: 'viewer',
}

/** The least role whose access token an operation accepts; undefined where no role helps. */
export const getLeastRole = ({ access }: Pick<Operation, 'access'>): Role | undefined =>
  rolesByAccess[access]

/** Whether an administrator changes something with it: the audit then has an entry. */
export const isManagement = ({ access, method }: Pick<Operation, 'access' | 'method'>): boolean =>
  method !== 'GET' && (roles as readonly string[]).includes(access)
