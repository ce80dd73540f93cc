/** Tokens that have the form of an application token, for a connector that asks for one. */

/** Creates an unsigned token. `lifetimeS`: seconds until it expires. A negative number makes an expired token. */
export function createTestToken(lifetimeS = 1200): string {
  const now = Math.floor(Date.now() / 1000)
  return [{ alg: 'none' }, { iat: now, exp: now + lifetimeS }, 'unsigned'].map(encode).join('.')
}

const encode = (value: unknown): string =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
