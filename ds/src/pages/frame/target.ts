/** Where a login leads. */

/** A page of the admin console, below `/admin/`; anything else leads to the overview. */
export const readTarget = (to: string): string =>
  /^[\w-]+(?:[/?][!-[\]-~]*)?$/.test(to) && !/(^|\/)(\.|%2e){1,2}(\/|\?|$)/i.test(to) ? to : ''
