/** The application token in force, and how another one comes in its place. */
import { isToken } from './configuration.ts'
import { CardwireError, type CardwireFailure } from './error.ts'

export interface Token {
  current(): string | undefined
  replace(jwt: string): void
  /** Another one than `used`, when the page can get one: many calls that need it ask once. Rejects as the page's hook does. */
  renew(used: string | undefined): Promise<void>
  readonly renewable: boolean
}

export function tokenHolder(
  jwt: string | undefined,
  fetchToken: (() => Promise<string>) | undefined,
): Token {
  let current = jwt
  let renewal: Promise<void> | undefined
  const fetchOne = async (): Promise<void> => {
    current = acceptToken(await fetchToken?.(), expired, 'onTokenExpired')
  }
  return {
    current: () => current,
    replace(next) {
      current = next
    },
    renewable: fetchToken !== undefined,
    async renew(used) {
      if (current !== used) return
      renewal ??= fetchOne().finally(() => {
        renewal = undefined
      })
      await renewal
    },
  }
}

/** What a token says of its time, in seconds since 1970; nothing when it cannot be read. */
export function claimsOf(jwt: string): { readonly iat?: number; readonly exp?: number } {
  try {
    const part = jwt.split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof claims === 'object' && claims !== null ? claims : {}
  } catch {
    return {}
  }
}

/** The text itself when it has the form of a token, which is then for the connector to judge. */
export function acceptToken(jwt: unknown, failure: CardwireFailure, from: string): string {
  if (isToken(jwt)) return jwt
  throw new CardwireError(failure, `Cannot use what ${from} was given: it is no JSON web token`)
}

const expired: CardwireFailure = { code: '100', reason: 'token-expired' }
