/** The embedded identity provider, with the endpoints of an OpenID provider. */
import * as z from 'zod/mini'
import { operation } from './operation.ts'
import { KeySet } from './token.ts'

/** The realm, and the client in it, of the embedded provider. */
export const realm = 'cardwire'
export const clientId = 'cardwire'

/** What the examples have in place of secrets. */
export const placeholders = {
  password: 'the-password-that-was-printed',
  newPassword: 'a-password-of-twelve-characters-or-more',
  code: '123456',
  nextCode: '654321',
  refreshToken: 'the-refresh-token-of-the-last-response',
  clientSecret: 'the-secret-that-was-shown',
} as const

const base = `/auth/realms/${realm}` as const

export const TokenResponse = z.object({
  access_token: z.string(),
  expires_in: z.int().check(z.describe('Seconds')),
  refresh_expires_in: z.int().check(z.describe('Seconds')),
  refresh_token: z.string(),
  token_type: z.literal('bearer'),
  'not-before-policy': z.int(),
  session_state: z.string(),
  scope: z.string(),
})

const ClientId = z.string().check(z.maxLength(200))

const Grant = z.object({
  client_id: ClientId,
  grant_type: z.string().check(z.maxLength(200), z.describe('password or refresh_token')),
  username: z.optional(z.string().check(z.maxLength(200))),
  password: z.optional(z.string().check(z.maxLength(1024))),
  totp: z
    .optional(z.string().check(z.maxLength(40)))
    .check(z.describe('The code of the second factor, or a recovery code, if the account has one')),
  refresh_token: z.optional(z.string().check(z.maxLength(4096))),
})

export const issueToken = operation({
  name: 'issueToken',
  method: 'POST',
  path: `${base}/protocol/openid-connect/token`,
  tag: 'Identity provider',
  summary: 'Sign in, or renew a session',
  description:
    'grant_type `password` with username and password, or `refresh_token` with refresh_token (RFC 6749 §4.3, §6). A refresh token works once. If it is used again, its session ends. If an account has a second factor, send its code in `totp`. Without it, the correct password gets the error `mfa_required`.',
  access: 'anyone',
  pages: 'refused',
  body: { type: 'form', schema: Grant },
  examples: [
    {
      summary: 'Sign in',
      body: {
        client_id: clientId,
        grant_type: 'password',
        username: 'admin',
        password: placeholders.password,
      },
    },
    {
      summary: 'Renew a session',
      body: {
        client_id: clientId,
        grant_type: 'refresh_token',
        refresh_token: placeholders.refreshToken,
      },
    },
  ],
  reply: { kind: 'document', schema: TokenResponse, media: 'application/json' },
  problems: [
    'grant-refused',
    'grant-unsupported',
    'client-refused',
    'second-factor-required',
    'too-many-requests',
  ],
  failures: 'oauth',
})

export const endSession = operation({
  name: 'endSession',
  method: 'POST',
  path: `${base}/protocol/openid-connect/logout`,
  tag: 'Identity provider',
  summary: 'Sign out: end the session of a refresh token',
  access: 'anyone',
  pages: 'refused',
  body: {
    type: 'form',
    schema: z.object({
      client_id: ClientId,
      refresh_token: z.string().check(z.maxLength(4096)),
    }),
  },
  examples: [
    {
      summary: 'The session of a sign-in',
      body: { client_id: clientId, refresh_token: placeholders.refreshToken },
    },
  ],
  reply: { kind: 'document', schema: z.object({}), media: 'application/json' },
  problems: ['grant-refused', 'client-refused'],
  failures: 'oauth',
})

export const identityKeySet = operation({
  name: 'identityKeySet',
  method: 'GET',
  path: `${base}/protocol/openid-connect/certs`,
  tag: 'Identity provider',
  summary: 'Get the public keys of administrator tokens (RFC 7517)',
  access: 'anyone',
  reply: { kind: 'document', schema: KeySet, media: 'application/jwk-set+json' },
  problems: [],
})

export const identityDiscovery = operation({
  name: 'identityDiscovery',
  method: 'GET',
  path: `${base}/.well-known/openid-configuration`,
  tag: 'Identity provider',
  summary: 'Get the metadata of the provider (OpenID Connect Discovery 1.0)',
  access: 'anyone',
  reply: {
    kind: 'document',
    schema: z.object({
      issuer: z.url(),
      token_endpoint: z.url(),
      end_session_endpoint: z.url(),
      jwks_uri: z.url(),
      grant_types_supported: z.array(z.string()),
      token_endpoint_auth_methods_supported: z.array(z.string()),
    }),
    media: 'application/json',
  },
  problems: [],
})
