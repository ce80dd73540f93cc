/** Where a login leads. */

/** A page of the administration, below `/admin/`; anything else leads to the overview. */
export const readTarget = (to: string): string => (/^[\w-]+(?:[/?][^\\\s]*)?$/.test(to) ? to : '')
