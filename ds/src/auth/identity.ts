/** The port behind which administrators are recognised, and what is common to every provider. */
import type { TokenResponse } from '@cardwire/client/protocol'
import type { JWTPayload } from 'jose'
import type * as z from 'zod'

export interface IdentityProvider {
  /** Who the bearer of `token` is; throws a problem, or whatever the verification threw. */
  identify(token: string): Promise<Identity>
  /** The provider's own endpoints, when the service carries it. */
  readonly embedded?: EmbeddedProvider
}

export type Tokens = z.output<typeof TokenResponse>

/** What the token endpoint of the specification is made of. */
export interface EmbeddedProvider {
  readonly issuer: string
  /** Logs in from an address, by a request. */
  login(
    name: string,
    password: string,
    from: { readonly address: string; readonly requestId: string },
  ): Promise<Tokens>
  /** Renews a login. A refresh token used twice ends its session (RFC 9700 §4.14.2). */
  refresh(token: string): Promise<Tokens>
  logout(token: string): Promise<void>
}

export interface Identity {
  /** What people call the administrator. */
  readonly name: string
  /** What the provider calls it, never somebody else later (OpenID Connect Core 1.0 §2). */
  readonly subject: string
  readonly issuer: string | null
  readonly isAdministrator: boolean
}

/**
 * The identity in verified claims. `roleClaim` is the name of a claim (`https://idp.example/roles`), or the way to one
 * through objects (`realm_access.roles`).
 */
export function identityOf(claims: JWTPayload, role: string, roleClaim: string): Identity {
  const found = Object.hasOwn(claims, roleClaim)
    ? claims[roleClaim]
    : roleClaim
        .split('.')
        .reduce<unknown>(
          (at, step) => (isRecord(at) && Object.hasOwn(at, step) ? at[step] : undefined),
          claims,
        )
  const roles = typeof found === 'string' ? found.split(' ') : found
  const name = claims['preferred_username'] ?? claims.sub
  return {
    name: typeof name === 'string' ? name : '',
    subject: claims.sub ?? '',
    issuer: claims.iss ?? null,
    isAdministrator: Array.isArray(roles) && roles.includes(role),
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
