/** The header that no page can send to another origin without a preflight request; it authenticates nobody. */

/** The value of `X-CSRF-Token`, as legacy clients send it. */
export const csrfToken = 't1c-js'
