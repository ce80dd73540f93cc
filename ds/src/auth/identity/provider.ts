/** The port to the identity provider of the administrators, and what all providers share. */
import { type FirstStep, type Role, roles, type TokenResponse } from '@cardwire/protocol'
import type { JWTPayload } from 'jose'
import type * as z from 'zod'
import type { AuthorizationCodeFlow } from './authorization-code.ts'
import type { ExternalSessions } from './external-sessions.ts'
import type { LoginAttempts } from './login-attempts.ts'

export interface IdentityProvider {
  /** The identity in `token`. Throws a JOSEError when the token is not valid, and a problem when it cannot be verified. */
  identify(token: string): Promise<Identity>
  /** Logins, when the provider is part of the service. */
  readonly embedded?: EmbeddedProvider
  /** The account of this service that signs in besides those of an external provider. */
  readonly breakGlass?: BreakGlass
  /** Logins of browsers at an external provider, where they are set up. */
  readonly browsers?: { readonly login: AuthorizationCodeFlow; readonly sessions: ExternalSessions }
}

export type Tokens = z.output<typeof TokenResponse>

export interface Credentials {
  readonly name: string
  readonly password: string
  /** Of the second factor, or a recovery code, where the account has one. */
  readonly code?: string | undefined
}

export interface LoginSource {
  readonly address: string
  readonly requestId: string
}

/** What the token endpoint needs of the provider that is part of the service. */
export interface EmbeddedProvider {
  readonly issuer: string
  readonly attempts: LoginAttempts
  /** Starts a session; the address and the id of the request are for limits and audit. */
  login(credentials: Credentials, from: LoginSource): Promise<Tokens>
  /** Starts a session of a browser; resolves with what its cookie holds, and whether a recovery code was used. */
  logInBrowser(
    credentials: Credentials,
    from: LoginSource & { readonly userAgent: string },
  ): Promise<{ readonly cookie: string; readonly recovered: boolean }>
  /** An access token for a request on behalf of a session. */
  issueAccessToken(session: AccessSession): Promise<string>
  /** Renews a login. A refresh token used twice ends its session (RFC 9700 §4.14.2). */
  refresh(token: string): Promise<Tokens>
  logout(token: string): Promise<void>
}

/** Its logins in browsers: there is no token endpoint with an external provider. */
export interface BreakGlass
  extends Pick<EmbeddedProvider, 'attempts' | 'logInBrowser' | 'issueAccessToken'> {
  readonly name: string
}

/** What an access token needs of the session that it belongs to. */
export interface AccessSession {
  readonly id: string
  readonly administrator: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

export interface Identity {
  /** The user name, for people to read. */
  readonly name: string
  /** The provider's identifier, never reassigned (OpenID Connect Core 1.0 §2). */
  readonly subject: string
  readonly issuer: string | null
  /** The session that the token belongs to; undefined where the provider's are not known. */
  readonly session: string | undefined
  /** Whether it is an account of this service. */
  readonly isLocal?: true
  /** Of an API client: the credential that its token came from. */
  readonly credential?: string
  /** The highest role that the provider gives; undefined: none. */
  readonly role: Role | undefined
  /** What the account has to do before anything else; never with an external provider, which knows its accounts itself. */
  readonly firstStep?: FirstStep | undefined
}

/** What a provider calls each role; undefined: it gives that role to nobody. */
export type RoleNames = Readonly<Record<Role, string | undefined>>

/**
 * The identity in verified claims. `roleClaim` is the name of a claim (`https://idp.example/roles`), or its path through
 * objects (`realm_access.roles`).
 */
export function readIdentity(
  claims: JWTPayload,
  roleNames: RoleNames,
  roleClaim: string,
): Identity {
  const found = Object.hasOwn(claims, roleClaim)
    ? claims[roleClaim]
    : roleClaim
        .split('.')
        .reduce<unknown>(
          (at, step) => (isRecord(at) && Object.hasOwn(at, step) ? at[step] : undefined),
          claims,
        )
  const names: unknown = typeof found === 'string' ? found.split(' ') : found
  const name = claims['preferred_username'] ?? claims.sub
  return {
    name: typeof name === 'string' ? name : '',
    subject: claims.sub ?? '',
    issuer: claims.iss ?? null,
    session: undefined,
    role: Array.isArray(names)
      ? roles.findLast((role) => roleNames[role] !== undefined && names.includes(roleNames[role]))
      : undefined,
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
