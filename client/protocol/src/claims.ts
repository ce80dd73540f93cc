/** The claims of a token, as they stand there: nothing verifies them. */

/** When a token was issued and when it expires, in seconds since 1970; empty when it cannot be read. */
export function readClaims(jwt: string): { readonly iat?: number; readonly exp?: number } {
  try {
    const part = jwt.split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof claims === 'object' && claims !== null ? claims : {}
  } catch {
    return {}
  }
}
