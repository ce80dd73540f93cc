/** API clients: programs that manage the service, and the credentials that they get access tokens with (OAuth 2.0). */
import * as z from 'zod/mini'
import { isLoopbackHost } from './loopback.ts'
import { created, data, operation, pageOf, paging } from './operation.ts'
import { roles } from './role.ts'

export const clientLimits = {
  clients: 200,
  /** Of each client. */
  credentials: 10,
  claims: 10,
  description: 200,
  /** Days until a secret expires. */
  secretDays: { default: 365, max: 730 },
  /** Seconds for which the secrets before a new one still work. */
  overlapS: { max: 30 * 86_400 },
} as const

const ClientId = z
  .string()
  .check(
    z.regex(
      /^[a-z0-9][a-z0-9._-]{0,63}$/,
      'expected 1 to 64 lowercase letters, digits, dots, hyphens or underscores',
    ),
  )

const Role = z
  .enum(roles)
  .check(z.describe('viewer reads; publisher also changes versions, installers, configurations'))

const Description = z
  .string()
  .check(
    z.maxLength(clientLimits.description),
    z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'expected no control characters'),
  )

const ExpiresAt = z.iso
  .datetime()
  .check(z.maxLength(40), z.describe('The client gets no access from this time on'))

const IssuerUrl = z.url({ protocol: /^https?$/ }).check(
  z.maxLength(500),
  z.regex(/^[^?#]*$/, 'expected a URL without query and fragment'),
  z.refine(
    (text) => text.startsWith('https:') || isLoopbackHost(URL.parse(text)?.hostname ?? ''),
    'expected a URL with https',
  ),
  z.describe('As the tokens name it in `iss`; its keys are read from its discovery document'),
)

const ClaimText = z.string().check(z.minLength(1), z.maxLength(500))

/** Whether `*` stands only where a pattern may have it: for a whole part, and not for one of the first two, which name an owner. */
function isSubjectPattern(text: string): boolean {
  if (!text.includes('*')) return true
  const parts = text.split(/[:/]/)
  const [first = '', second = ''] = parts
  return (
    ![first, second].some((part) => part === '' || part.includes('*')) &&
    parts.every((part) => part === '*' || !part.includes('*'))
  )
}

const SubjectPattern = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(500),
    z.refine(
      isSubjectPattern,
      'expected * only as a whole part after the first two, such as repo:example/cards:ref:refs/tags/*',
    ),
    z.describe(
      'The subject of the tokens. `*` stands for a whole part between `:` or `/`, but not for one of the first two; at the end also for several parts with `/` between them',
    ),
  )

const PublicJwk = z.looseObject({ kty: z.enum(['EC', 'RSA', 'OKP']) }).check(
  z.refine(
    (jwk) => JSON.stringify(jwk).length <= 4000,
    'expected a key of at most 4000 characters',
  ),
  z.refine(
    (jwk) => !['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].some((name) => name in jwk),
    'expected a public key; this one has the private part, make a new one',
  ),
  z.describe('A public key (RFC 7517): EC P-256 or P-384, Ed25519, or RSA of 2048 bits or more'),
)

const NewSecret = z.strictObject({
  kind: z.literal('secret'),
  days: z
    .optional(z.int().check(z.minimum(1), z.maximum(clientLimits.secretDays.max)))
    .check(z.describe(`Days until it expires; default: ${clientLimits.secretDays.default}`)),
  retireOthersInS: z
    .optional(z.int().check(z.minimum(0), z.maximum(clientLimits.overlapS.max)))
    .check(
      z.describe(
        'To rotate: seconds until the other secrets of the client expire; default: they stay as they are',
      ),
    ),
})

const NewKey = z.strictObject({ kind: z.literal('key'), jwk: PublicJwk })

const Trust = {
  issuer: IssuerUrl,
  subject: SubjectPattern,
  audience: z
    .optional(ClaimText)
    .check(z.describe('What `aud` of the tokens has to name; default: the URL of this service')),
  claims: z
    .optional(
      z
        .record(z.string().check(z.minLength(1), z.maxLength(100)), ClaimText)
        .check(
          z.refine(
            (claims) => Object.keys(claims).length <= clientLimits.claims,
            `expected at most ${clientLimits.claims} claims`,
          ),
        ),
    )
    .check(z.describe('More claims that the tokens must have, with exactly these texts')),
}

const NewFederated = z.strictObject({ kind: z.literal('federated'), ...Trust })

export const NewCredential = z.discriminatedUnion('kind', [NewSecret, NewKey, NewFederated])
export type NewCredential = z.output<typeof NewCredential>

export const ClientCredential = z.object({
  id: z.uuid(),
  kind: z
    .enum(['secret', 'key', 'federated'])
    .check(
      z.describe(
        'secret: a client secret; key: a public key for `private_key_jwt`; federated: tokens of another issuer, such as that of a CI system',
      ),
    ),
  createdAt: z.iso.datetime(),
  createdBy: z.string().check(z.describe('The administrator who added it')),
  expiresAt: z.optional(z.iso.datetime()),
  lastUsedAt: z.optional(z.iso.datetime()),
  thumbprint: z
    .optional(z.string())
    .check(z.describe('Of a key: its SHA-256 (RFC 7638), base64url')),
  issuer: z.optional(z.string()),
  subject: z.optional(z.string()),
  audience: z.optional(z.string()),
  claims: z.optional(z.record(z.string(), z.string())),
})
export type ClientCredential = z.output<typeof ClientCredential>

export const ApiClient = z.object({
  id: z.string().check(z.describe('The `client_id`')),
  role: Role,
  description: z.optional(z.string()),
  expiresAt: z.optional(z.iso.datetime()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  lastUsedAt: z.optional(z.iso.datetime()).check(z.describe('When it last got an access token')),
  credentials: z.array(ClientCredential),
})
export type ApiClient = z.output<typeof ApiClient>

const clients = { tag: 'API clients', access: 'administrator', programs: 'refused' } as const
const base = '/v3/api-clients' as const
const params = z.object({ id: z.string() })
const example = { id: 'example-pipeline' }

export const listApiClients = operation({
  ...clients,
  name: 'listApiClients',
  method: 'GET',
  path: base,
  summary: 'List the API clients, by ID',
  query: z.strictObject(paging),
  reply: data(pageOf(ApiClient)),
  problems: [],
})

export const addApiClient = operation({
  ...clients,
  name: 'addApiClient',
  method: 'POST',
  path: base,
  summary: 'Add an API client with a role',
  description: 'It gets access when it has a credential.',
  body: {
    type: 'json',
    schema: z.strictObject({
      id: ClientId,
      role: Role,
      description: z.optional(Description),
      expiresAt: z.optional(ExpiresAt),
    }),
  },
  examples: [{ summary: 'A pipeline that publishes', body: { ...example, role: 'publisher' } }],
  reply: created(ApiClient),
  problems: ['api-client-taken', 'api-client-limit'],
})

export const getApiClient = operation({
  ...clients,
  name: 'getApiClient',
  method: 'GET',
  path: `${base}/{id}`,
  summary: 'Get an API client',
  params,
  examples: [{ summary: 'One client', params: example }],
  reply: data(ApiClient),
  problems: ['api-client-unknown'],
})

export const changeApiClient = operation({
  ...clients,
  name: 'changeApiClient',
  method: 'PUT',
  path: `${base}/{id}`,
  summary: 'Change the role, the description and the expiry of an API client immediately',
  params,
  body: {
    type: 'json',
    schema: z.strictObject({
      role: Role,
      description: z.optional(Description),
      expiresAt: z.optional(ExpiresAt),
    }),
  },
  examples: [{ summary: 'Read-only', params: example, body: { role: 'viewer' } }],
  reply: data(ApiClient),
  problems: ['api-client-unknown'],
})

export const removeApiClient = operation({
  ...clients,
  name: 'removeApiClient',
  method: 'DELETE',
  path: `${base}/{id}`,
  summary: 'Remove an API client; its access tokens stop working immediately',
  params,
  examples: [{ summary: 'One client', params: example }],
  reply: data(z.object({ id: z.string() })),
  problems: ['api-client-unknown'],
})

export const addClientCredential = operation({
  ...clients,
  name: 'addClientCredential',
  method: 'POST',
  path: `${base}/{id}/credentials`,
  summary: 'Add a credential to an API client, or rotate its secret',
  description:
    'A `secret` is generated, and only this response shows it. To rotate it without downtime, give `retireOthersInS`. A `key` is for client authentication with a signed JWT (`private_key_jwt`, RFC 7523). A `federated` credential trusts the tokens of another issuer, such as a CI system, which are exchanged for access tokens (RFC 8693), so that the program keeps no secret.',
  params,
  body: { type: 'json', schema: NewCredential },
  examples: [
    { summary: 'A secret for 90 days', params: example, body: { kind: 'secret', days: 90 } },
    {
      summary: 'Tokens of GitHub Actions, for the tags of one repository',
      params: example,
      body: {
        kind: 'federated',
        issuer: 'https://token.actions.githubusercontent.com',
        subject: 'repo:example/cards:ref:refs/tags/*',
      },
    },
  ],
  reply: created(
    z.extend(ClientCredential, {
      secret: z
        .optional(z.string())
        .check(z.describe('The secret that was generated; no other response shows it')),
    }),
  ),
  problems: ['api-client-unknown', 'api-client-limit'],
})

export const removeClientCredential = operation({
  ...clients,
  name: 'removeClientCredential',
  method: 'DELETE',
  path: `${base}/{id}/credentials/{credential}`,
  summary: 'Revoke a credential of an API client; access tokens from it stop working immediately',
  params: z.object({ id: z.string(), credential: z.uuid() }),
  examples: [
    {
      summary: 'A credential that was just added',
      params: {
        ...example,
        credential: { operation: 'addClientCredential', pointer: '/data/id' },
      },
    },
  ],
  reply: data(ApiClient),
  problems: ['api-client-unknown'],
})
