/** Changes of single fields, as a JSON merge patch (RFC 7396): what a patch does not name stays as it is. */
import * as z from 'zod/mini'
import { Configuration } from './configuration.ts'
import { keystoreProblems } from './keystore-certificate.ts'
import { Label } from './label.ts'
import { maxReach } from './max-reach.ts'
import { data, operation } from './operation.ts'
import { DisplayName, Organization } from './organization.ts'
import { revisionHeaders } from './revision.ts'
import { ApiKey, Version, VersionInput, versionChange } from './version.ts'

const params = z.object({ id: z.string() })

export const VersionPatch = z.partial(z.omit(VersionInput, { id: true, revision: true }))
export type VersionPatch = z.output<typeof VersionPatch>

export const patchVersion = operation({
  name: 'patchVersion',
  method: 'PATCH',
  path: '/v3/versions/{id}',
  tag: 'Versions',
  summary: 'Change single fields of a version',
  description:
    'A JSON merge patch. `uris` replaces the whole list. With `installationApiKey`, the version gets another key. A new key ends the old one immediately: computers with the old key that are not registered yet can no longer register. Registered devices do not need it again. `maxReach` does not count these computers. The checks are the same as for PUT.',
  access: 'publisher',
  params,
  query: z.strictObject(versionChange),
  headers: revisionHeaders,
  body: { type: 'merge-patch', schema: VersionPatch },
  examples: [
    {
      summary: 'Block a version',
      params: { id: '0.0.1-example' },
      body: { allowed: false },
    },
  ],
  reply: data(z.extend(Version, { installationApiKey: z.optional(ApiKey) })),
  entityTag: true,
  problems: [
    'version-unknown',
    'api-key-taken',
    'changed-meanwhile',
    'installers-missing',
    'allowlist-missing',
    'version-in-rollout',
    'reach-exceeded',
    'second-administrator',
    'approval-unknown',
    'approval-limit',
    'revision-mismatch',
  ],
})

/** More than a configuration of any type has. */
const maxMembers = 20

export const ConfigurationPatch = z.strictObject({
  config: z.record(z.string().check(z.maxLength(200)), z.unknown()).check(
    z.refine(
      (members) => Object.keys(members).length <= maxMembers,
      `expected at most ${maxMembers} members`,
    ),
    z.describe('The changes to `config`; null removes a member'),
  ),
})
export type ConfigurationPatch = z.output<typeof ConfigurationPatch>

export const patchConfiguration = operation({
  name: 'patchConfiguration',
  method: 'PATCH',
  path: '/v3/configurations/{id}',
  tag: 'Configurations',
  summary: 'Change single fields of a configuration',
  description:
    'A JSON merge patch. A list replaces the whole list, and null removes a member. A keystore keeps its password if the patch has none. A patch with a different `uri` needs the password.',
  access: 'publisher',
  params,
  query: z.object(maxReach),
  headers: revisionHeaders,
  body: { type: 'merge-patch', schema: ConfigurationPatch },
  examples: [
    {
      summary: 'Another list of origins, with unchanged card permissions',
      params: { id: { operation: 'putConfiguration', pointer: '/data/id' } },
      body: { config: { cors: ['https://shop.example'] } },
    },
  ],
  reply: data(Configuration),
  entityTag: true,
  problems: [
    'configuration-unknown',
    'configurations-large',
    'changed-meanwhile',
    ...keystoreProblems,
    'revision-mismatch',
    'reach-exceeded',
  ],
})

export const patchOrganization = operation({
  name: 'patchOrganization',
  method: 'PATCH',
  path: '/v3/organizations/{id}',
  tag: 'Organizations',
  summary: 'Change single fields of an organization',
  description: 'A JSON merge patch.',
  access: 'administrator',
  params,
  headers: revisionHeaders,
  body: { type: 'merge-patch', schema: z.strictObject({ name: z.optional(DisplayName) }) },
  examples: [
    {
      summary: 'Another name',
      params: { id: 'exampleorganization' },
      body: { name: 'Example Organization, Inc.' },
    },
  ],
  reply: data(Organization),
  entityTag: true,
  problems: ['organization-unknown', 'changed-meanwhile', 'revision-mismatch'],
})

export const patchLabel = operation({
  name: 'patchLabel',
  method: 'PATCH',
  path: '/v3/labels/{id}',
  tag: 'Labels',
  summary: 'Change single fields of a label',
  description:
    'A JSON merge patch. A key in the patch replaces the old one immediately. Without `maxReach`, the service rejects a new key (`reach-exceeded`) if an old one was used in the last 30 days, even if devices have not reported any uses yet.',
  access: 'administrator',
  query: z.object(maxReach),
  params,
  headers: revisionHeaders,
  body: {
    type: 'merge-patch',
    schema: z.strictObject({ name: z.optional(DisplayName), apiKey: z.optional(ApiKey) }),
  },
  examples: [
    {
      summary: 'Another name',
      params: { id: 'exampleapplication' },
      body: { name: 'Example Application, Release' },
    },
  ],
  reply: data(z.extend(Label, { apiKey: z.optional(ApiKey) })),
  entityTag: true,
  problems: [
    'label-unknown',
    'api-key-taken',
    'changed-meanwhile',
    'revision-mismatch',
    'reach-exceeded',
  ],
})
