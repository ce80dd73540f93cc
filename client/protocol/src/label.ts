/** Labels: each stands for an application, and has its API key. */
import * as z from 'zod/mini'
import { maxReach } from './max-reach.ts'
import { data, operation, pageOf, paging, upserted } from './operation.ts'
import { DisplayName } from './organization.ts'
import { IgnoredRevision, Revision, revisionHeaders } from './revision.ts'
import { ApiKey } from './version.ts'

export const LabelInput = z.strictObject({
  name: DisplayName,
  orgId: z.string().check(z.minLength(1), z.maxLength(200)),
  apiKey: z.optional(ApiKey),
  id: z.optional(z.string().check(z.maxLength(200))),
  revision: IgnoredRevision,
})

export const Label = z.object({
  id: z.string(),
  name: z.string(),
  orgId: z.string(),
  keyState: z
    .enum(['active', 'revoked'])
    .check(z.describe('revoked: no API key of the label is accepted until it gets a new one')),
  keyUsedAt: z
    .optional(z.iso.date())
    .check(z.describe('The last day (UTC) on which one of its API keys fetched a token')),
  replacedKeyUntil: z
    .optional(z.iso.datetime())
    .check(
      z.describe('When the last of its replaced API keys stops working; absent if none works'),
    ),
  revision: Revision,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Label = z.output<typeof Label>

const LabelWithKey = z.extend(Label, { apiKey: z.optional(ApiKey) })
const params = z.object({ id: z.string() })

export const putLabel = operation({
  name: 'putLabel',
  method: 'PUT',
  path: '/v3/labels',
  tag: 'Labels',
  summary: 'Create a label, rename it, or replace its key',
  description:
    'Without `id`, it creates a label (201), and only this response shows the API key. With `id`, it updates one (200), and a key in the request replaces the old one immediately. Without `maxReach`, the service rejects a new key (`reach-exceeded`) if an old one was used in the last 30 days, even if devices have not reported any uses yet. Label IDs are unique across all organizations.',
  access: 'administrator',
  query: z.object(maxReach),
  headers: revisionHeaders,
  body: { type: 'json', schema: LabelInput },
  examples: [
    {
      summary: 'A new label, with a generated key',
      body: { name: 'Example Application', orgId: 'exampleorganization' },
    },
    {
      summary: 'A new name for a label',
      body: {
        id: 'exampleapplication',
        name: 'Example Application, Beta',
        orgId: 'exampleorganization',
      },
    },
  ],
  reply: upserted(LabelWithKey),
  entityTag: true,
  problems: [
    'organization-unknown',
    'label-unknown',
    'label-taken',
    'label-moved',
    'api-key-taken',
    'changed-meanwhile',
    'revision-mismatch',
    'reach-exceeded',
  ],
})

export const listLabels = operation({
  name: 'listLabels',
  method: 'GET',
  path: '/v3/labels',
  tag: 'Labels',
  summary: 'List the labels',
  access: 'viewer',
  query: z.strictObject({
    ...paging,
    orgId: z.optional(z.string().check(z.maxLength(200))),
    name: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: data(pageOf(Label)),
  problems: [],
})

export const getLabel = operation({
  name: 'getLabel',
  method: 'GET',
  path: '/v3/labels/{id}',
  tag: 'Labels',
  summary: 'Get a label',
  access: 'viewer',
  params,
  examples: [{ summary: 'One label', params: { id: 'exampleapplication' } }],
  reply: data(Label),
  entityTag: true,
  problems: ['label-unknown'],
})

export const deleteLabel = operation({
  name: 'deleteLabel',
  method: 'DELETE',
  path: '/v3/labels/{id}',
  tag: 'Labels',
  summary: 'Remove a label and revoke its key',
  description:
    'Without `maxReach`, the service rejects the request (`reach-exceeded`) if one of its keys was used in the last 30 days, even if devices have not reported any uses yet.',
  access: 'administrator',
  query: z.object(maxReach),
  params,
  headers: revisionHeaders,
  examples: [{ summary: 'One label', params: { id: 'exampleapplication' } }],
  reply: data(z.object({ id: z.string() })),
  problems: ['label-unknown', 'revision-mismatch', 'reach-exceeded'],
})

/** A replaced key may stay valid for 30 days. */
export const maxOverlapS = 30 * 86_400

export const rotateLabelKey = operation({
  name: 'rotateLabelKey',
  method: 'POST',
  path: '/v3/labels/{id}/key',
  tag: 'Labels',
  summary: "Replace a label's API key",
  description:
    'Only this response shows the new key. The old one stays valid for `overlap` more seconds; default: 0. Without `maxReach`, the service rejects the request (`reach-exceeded`) if one of its keys was used in the last 30 days, even if devices have not reported any uses yet.',
  access: 'administrator',
  query: z.object(maxReach),
  params,
  body: {
    type: 'json',
    schema: z.strictObject({
      apiKey: z.optional(ApiKey),
      overlap: z._default(
        z.int().check(z.minimum(0), z.maximum(maxOverlapS), z.describe('Seconds')),
        0,
      ),
    }),
  },
  examples: [
    {
      summary: 'The old key stays valid for an hour',
      params: { id: 'exampleapplication' },
      body: { overlap: 3600 },
    },
  ],
  reply: data(LabelWithKey),
  problems: ['label-unknown', 'api-key-taken', 'reach-exceeded'],
})

export const revokeLabelKey = operation({
  name: 'revokeLabelKey',
  method: 'DELETE',
  path: '/v3/labels/{id}/key',
  tag: 'Labels',
  summary: "Revoke a label's API key, and replaced ones that are still valid",
  description:
    'Without `maxReach`, the service rejects the request (`reach-exceeded`) if one of its keys was used in the last 30 days, even if devices have not reported any uses yet.',
  access: 'administrator',
  query: z.object(maxReach),
  params,
  examples: [{ summary: 'One label', params: { id: 'exampleapplication' } }],
  reply: data(Label),
  problems: ['label-unknown', 'reach-exceeded'],
})
