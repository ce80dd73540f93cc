/** The roles of administrators: what one may do, the next may, too. */

export const roles = ['viewer', 'publisher', 'administrator'] as const

export type Role = (typeof roles)[number]
