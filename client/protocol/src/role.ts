/** The roles of administrators. */

/** What one may do, the next may, too. */
export const roles = ['viewer', 'publisher', 'administrator'] as const

export type Role = (typeof roles)[number]

/** Whether `role` may do what `needed` may. Nobody may do anything without a role. */
export const includesRole = (role: Role | undefined, needed: Role): boolean =>
  role !== undefined && roles.indexOf(role) >= roles.indexOf(needed)
