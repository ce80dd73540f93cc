/** The application token in force, and how the page's hook replaces it. */
import { isToken } from './configuration.ts'
import { CardwireError, type Failure } from './error.ts'

export interface TokenStore {
  current(): string | undefined
  replace(jwt: string): void
  /** Replaces `usedToken`, once for all calls that need it. Rejects as the page's hook does. */
  renew(usedToken: string | undefined): Promise<void>
  /** Whether the page has a hook that fetches another token. */
  readonly renewable: boolean
}

export function createTokenStore(
  jwt: string | undefined,
  fetchToken: (() => Promise<string>) | undefined,
): TokenStore {
  let current = jwt
  let renewal: Promise<void> | undefined
  const fetchNewToken = async (): Promise<void> => {
    current = requireToken(await fetchToken?.(), tokenExpired, 'onTokenExpired')
  }
  return {
    current: () => current,
    replace(next) {
      current = next
    },
    renewable: fetchToken !== undefined,
    async renew(usedToken) {
      if (current !== usedToken) return
      renewal ??= fetchNewToken().finally(() => {
        renewal = undefined
      })
      await renewal
    },
  }
}

/** The value itself when it has the form of a token, which the connector then verifies; else throws `failure`. */
export function requireToken(value: unknown, failure: Failure, source: string): string {
  if (isToken(value)) return value
  throw new CardwireError(
    failure,
    `Cannot use the token from ${source}: it is not a JSON Web Token`,
  )
}

const tokenExpired: Failure = { code: '100', reason: 'token-expired' }
