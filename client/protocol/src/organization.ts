/** Organizations: the owners of labels. */
import * as z from 'zod/mini'
import { maxReach } from './max-reach.ts'
import { data, operation, pageOf, paging, upserted } from './operation.ts'
import { IgnoredRevision, Revision, revisionHeaders } from './revision.ts'

/** A name for people; the id is derived from the first one. */
export const DisplayName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1),
    z.maxLength(200),
    z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'expected no control characters'),
  )

export const OrganizationInput = z.strictObject({
  name: DisplayName,
  id: z.optional(z.string().check(z.maxLength(200))),
  revision: IgnoredRevision,
})

export const Organization = z.object({
  id: z.string(),
  name: z.string(),
  revision: Revision,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Organization = z.output<typeof Organization>

const params = z.object({ id: z.string() })

export const putOrganization = operation({
  name: 'putOrganization',
  method: 'PUT',
  path: '/v3/organizations',
  tag: 'Organizations',
  summary: 'Create an organization, or rename it',
  description:
    'Without `id`, it creates an organization (201). The ID is the name in lower case, with only a-z and 0-9, and never changes. With `id`, it updates one (200).',
  access: 'administrator',
  headers: revisionHeaders,
  body: { type: 'json', schema: OrganizationInput },
  examples: [
    { summary: 'A new organization', body: { name: 'Example Organization' } },
    {
      summary: 'A new name for an organization',
      body: { id: 'exampleorganization', name: 'Example Organization, Ltd.' },
    },
  ],
  reply: upserted(Organization),
  entityTag: true,
  problems: ['organization-unknown', 'organization-taken', 'revision-mismatch'],
})

export const listOrganizations = operation({
  name: 'listOrganizations',
  method: 'GET',
  path: '/v3/organizations',
  tag: 'Organizations',
  summary: 'List the organizations',
  access: 'viewer',
  query: z.strictObject({ ...paging, name: z.optional(z.string().check(z.maxLength(200))) }),
  reply: data(pageOf(Organization)),
  problems: [],
})

export const getOrganization = operation({
  name: 'getOrganization',
  method: 'GET',
  path: '/v3/organizations/{id}',
  tag: 'Organizations',
  summary: 'Get an organization',
  access: 'viewer',
  params,
  examples: [{ summary: 'One organization', params: { id: 'exampleorganization' } }],
  reply: data(Organization),
  entityTag: true,
  problems: ['organization-unknown'],
})

export const deleteOrganization = operation({
  name: 'deleteOrganization',
  method: 'DELETE',
  path: '/v3/organizations/{id}',
  tag: 'Organizations',
  summary: 'Remove an organization that has no labels',
  access: 'administrator',
  query: z.object(maxReach),
  params,
  headers: revisionHeaders,
  examples: [{ summary: 'One organization', params: { id: 'exampleorganization' } }],
  reply: data(z.object({ id: z.string() })),
  problems: ['organization-unknown', 'organization-in-use', 'revision-mismatch', 'reach-exceeded'],
})
