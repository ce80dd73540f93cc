/** How programs get access tokens: the token endpoint for API clients (OAuth 2.0), and its metadata. */
import * as z from 'zod/mini'
import { placeholders } from './identity.ts'
import { operation } from './operation.ts'

/** Seconds until an access token of an API client expires. */
export const clientTokenLifetimeS = 900

export const clientTokenPath = '/v3/oauth/token'

export const grantTypes = {
  credentials: 'client_credentials',
  exchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
} as const

/** The type of a client assertion (RFC 7523 §2.2). */
export const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** The types of tokens that are exchanged: a JWT in any case (RFC 8693 §3). */
export const subjectTokenTypes = [
  'urn:ietf:params:oauth:token-type:jwt',
  'urn:ietf:params:oauth:token-type:id_token',
] as const

export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'

const text = (max: number) => z.optional(z.string().check(z.maxLength(max)))

const Form = z.object({
  grant_type: z.string().check(z.maxLength(200)),
  client_id: text(200),
  client_secret: text(200),
  client_assertion_type: text(200),
  client_assertion: text(8192),
  subject_token_type: text(200),
  subject_token: text(16_384),
})
export type ClientTokenForm = z.output<typeof Form>

export const issueClientToken = operation({
  name: 'issueClientToken',
  method: 'POST',
  path: clientTokenPath,
  tag: 'API clients',
  summary: 'Get an access token for a program',
  description: `An API client authenticates with its secret (\`client_secret_basic\` or \`client_secret_post\`) or with a JWT that it signed (\`private_key_jwt\`), and sends grant_type \`${grantTypes.credentials}\` (RFC 6749 §4.4). A program that has a token of a trusted issuer, such as a CI job, sends grant_type \`${grantTypes.exchange}\` (RFC 8693) with \`client_id\`, \`subject_token\` and \`subject_token_type\`. The access token is valid for ${clientTokenLifetimeS / 60} minutes, or until the client loses its access.`,
  access: 'anyone',
  pages: 'refused',
  body: { type: 'form', schema: Form },
  examples: [
    {
      summary: 'With a secret',
      body: {
        grant_type: grantTypes.credentials,
        client_id: 'example-pipeline',
        client_secret: placeholders.clientSecret,
      },
    },
  ],
  reply: {
    kind: 'document',
    media: 'application/json',
    schema: z.object({
      access_token: z.string(),
      token_type: z.literal('Bearer'),
      expires_in: z.int().check(z.describe('Seconds')),
      issued_token_type: z
        .optional(z.literal(accessTokenType))
        .check(z.describe('Only when a token was exchanged')),
    }),
  },
  problems: [
    'client-refused',
    'grant-unsupported',
    'subject-token-refused',
    'issuer-unreachable',
    'too-many-requests',
  ],
  failures: 'oauth',
})

export const authorizationServerMetadata = operation({
  name: 'authorizationServerMetadata',
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  tag: 'API clients',
  summary: 'Get the metadata of the token endpoint for programs (RFC 8414)',
  access: 'anyone',
  reply: {
    kind: 'document',
    media: 'application/json',
    schema: z.object({
      issuer: z.url(),
      token_endpoint: z.url(),
      response_types_supported: z.array(z.string()),
      grant_types_supported: z.array(z.string()),
      token_endpoint_auth_methods_supported: z.array(z.string()),
      token_endpoint_auth_signing_alg_values_supported: z.array(z.string()),
    }),
  },
  problems: [],
})
