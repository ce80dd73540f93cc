/** Application tokens, and the signing keys of the service. */
import * as z from 'zod/mini'
import { maxReach } from './max-reach.ts'
import { created, data, operation } from './operation.ts'

/** The header types and audiences, which keep the kinds of tokens apart (RFC 8725 §3.11). */
export const tokenKinds = {
  application: { typ: 'cw-app+jwt', audience: 'cardwire-connector' },
  administrator: { typ: 'at+jwt', audience: 'cardwire-ds' },
  apiClient: { typ: 'cw-client+jwt', audience: 'cardwire-ds' },
} as const

/** Seconds until an application token expires. */
export const applicationTokenLifetimeS = 1200

export const applicationToken = operation({
  name: 'applicationToken',
  method: 'GET',
  path: '/v3/tokens/application',
  tag: 'Tokens',
  summary: "Exchange a label's API key for an application token",
  description:
    'Only for back ends. The service rejects requests from pages, because anyone could read a key in a page. `data` is a JWT for the connector that is valid for 20 minutes; `sub` is the label.',
  access: 'api-key',
  pages: 'refused',
  reply: data(z.string()),
  problems: [],
})

export const Jwk = z.looseObject({
  kty: z.string(),
  kid: z.string(),
  alg: z.string(),
  use: z.literal('sig'),
})
export const KeySet = z.object({ keys: z.array(Jwk) })

export const keySet = operation({
  name: 'keySet',
  method: 'GET',
  path: '/.well-known/jwks.json',
  tag: 'Tokens',
  summary: 'Get the public keys of application tokens (RFC 7517)',
  access: 'anyone',
  reply: { kind: 'document', schema: KeySet, media: 'application/jwk-set+json' },
  problems: [],
})

export const SigningKeyUse = z.enum(['application', 'administrator', 'reply'])
export type SigningKeyUse = z.output<typeof SigningKeyUse>

export const SigningKey = z.object({
  id: z.string().check(z.describe('The `kid` in the tokens and replies that it signs')),
  use: SigningKeyUse,
  algorithm: z.string(),
  state: z
    .enum(['standby', 'announced', 'signing', 'retiring'])
    .check(z.describe('standby: published, and signs when the signing key is revoked')),
  createdAt: z.iso.datetime(),
  signsFrom: z.optional(z.iso.datetime()).check(z.describe('Absent in the state standby')),
})

export const listSigningKeys = operation({
  name: 'listSigningKeys',
  method: 'GET',
  path: '/v3/signing-keys',
  tag: 'Tokens',
  summary: 'List the signing keys and their states',
  access: 'viewer',
  reply: data(z.array(SigningKey)),
  problems: [],
})

export const rotateSigningKey = operation({
  name: 'rotateSigningKey',
  method: 'POST',
  path: '/v3/signing-keys',
  tag: 'Tokens',
  summary: 'Rotate a signing key: announce a new one',
  description:
    'The new key is in the key set immediately, and signs after the overlap (`DS_KEY_OVERLAP`).',
  access: 'administrator',
  body: { type: 'json', schema: z.strictObject({ use: SigningKeyUse }) },
  examples: [{ summary: 'A key for application tokens', body: { use: 'application' } }],
  reply: created(SigningKey),
  problems: ['changed-meanwhile', 'too-many-requests'],
})

export const deleteSigningKey = operation({
  name: 'deleteSigningKey',
  method: 'DELETE',
  path: '/v3/signing-keys/{id}',
  tag: 'Tokens',
  summary: 'Revoke a signing key immediately, because it may be compromised',
  description:
    'Everything that it signed becomes invalid. If it was the key that currently signs, the announced key or a new one starts to sign immediately. `maxReach` limits the `reach` that `getSigningKeyReach` counts. Without it, the service rejects the request (`reach-exceeded`) for an application key while labels use its tokens, even if devices have not reported any uses yet.',
  access: 'administrator',
  query: z.object(maxReach),
  params: z.object({ id: z.string() }),
  examples: [
    {
      summary: 'The key that was announced last',
      params: { id: { operation: 'rotateSigningKey', pointer: '/data/id' } },
    },
  ],
  reply: data(z.array(SigningKey)),
  problems: ['signing-key-unknown', 'changed-meanwhile', 'reach-exceeded'],
})
