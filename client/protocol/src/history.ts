/** The history of configurations and versions: each revision with its author, and the way back to it. */
import * as z from 'zod/mini'
import { Actor } from './audit.ts'
import { Configuration, configurationValues } from './configuration.ts'
import { keystoreProblems } from './keystore-certificate.ts'
import { maxReach } from './max-reach.ts'
import { data, operation, pageOf, paging } from './operation.ts'
import { Revision, revisionHeaders } from './revision.ts'
import { Version, versionChange, versionValues } from './version.ts'

/** What every entry of a history has. */
const entry = {
  revision: Revision,
  at: z.iso.datetime(),
  who: Actor,
  operation: z.string().check(z.describe('The operation that saved it, as in the audit')),
}

const removed = z
  .optional(z.literal(true))
  .check(z.describe('The configuration was removed, so this revision has no value'))

export const ConfigurationRevisionEntry = z.object({ ...entry, removed })
export type ConfigurationRevisionEntry = z.output<typeof ConfigurationRevisionEntry>

const missingFiles = z
  .optional(z.array(z.string()))
  .check(
    z.describe(
      'Its `file:///` URLs whose file no longer exists; a restore is refused until the files are back',
    ),
  )

const passwordFrom = z
  .optional(Revision)
  .check(
    z.describe('The revision that set the password of a keystore; the password is never shown'),
  )

const named = {
  id: z.uuid(),
  versionId: z.string(),
  groupId: z
    .optional(z.uuid())
    .check(z.describe('The group whose devices get it; absent: all devices with the version')),
}

/** A revision with its value. */
export const ConfigurationRevision = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('CONTEXT_CONFIG'),
    ...{ ...named, ...entry, removed },
    config: z.optional(configurationValues.CONTEXT_CONFIG),
  }),
  z.object({
    type: z.literal('FILE_DIGESTS'),
    ...{ ...named, ...entry, removed },
    config: z.optional(configurationValues.FILE_DIGESTS),
  }),
  z.object({
    type: z.literal('SSL_KEYSTORE'),
    ...{ ...named, ...entry, removed, passwordFrom, missingFiles },
    config: z.optional(configurationValues.SSL_KEYSTORE),
  }),
])
export type ConfigurationRevision = z.output<typeof ConfigurationRevision>

export const VersionRevisionEntry = z.object(entry)
export type VersionRevisionEntry = z.output<typeof VersionRevisionEntry>

export const VersionRevision = z.object({
  id: z.string(),
  ...entry,
  ...versionValues,
  missingFiles,
})
export type VersionRevision = z.output<typeof VersionRevision>

const ofResource = z.object({ id: z.string() })

/** The number of a revision in a path. */
const RevisionNumber = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,8}$/, 'expected the number of a revision')),
  z.transform((text: string) => Number(text)),
)
const ofRevision = z.object({ id: z.string(), revision: RevisionNumber })

const configurationId = { operation: 'putConfiguration', pointer: '/data/id' } as const
const kept = 'The service keeps the newest revisions, up to `DS_REVISIONS_KEPT`.'

export const listConfigurationRevisions = operation({
  name: 'listConfigurationRevisions',
  method: 'GET',
  path: '/v3/configurations/{id}/revisions',
  tag: 'Configurations',
  summary: 'List the revisions of a configuration, newest first',
  description: `${kept} A removed configuration keeps its history until its version is removed.`,
  access: 'viewer',
  params: ofResource,
  query: z.strictObject(paging),
  examples: [
    { summary: 'The configuration that was created last', params: { id: configurationId } },
  ],
  reply: data(pageOf(ConfigurationRevisionEntry)),
  problems: ['configuration-unknown'],
})

export const getConfigurationRevision = operation({
  name: 'getConfigurationRevision',
  method: 'GET',
  path: '/v3/configurations/{id}/revisions/{revision}',
  tag: 'Configurations',
  summary: 'Get a configuration from one of its revisions',
  access: 'viewer',
  params: ofRevision,
  examples: [{ summary: 'The first one', params: { id: configurationId, revision: '1' } }],
  reply: data(ConfigurationRevision),
  problems: ['configuration-unknown', 'revision-unknown'],
})

export const restoreConfiguration = operation({
  name: 'restoreConfiguration',
  method: 'POST',
  path: '/v3/configurations/{id}/revisions/{revision}/restore',
  tag: 'Configurations',
  summary: 'Restore an earlier revision as a new one',
  description:
    'A removed configuration gets its old ID, and a keystore gets the password of that revision. The service checks the keystore in the same way as `putConfiguration`.',
  access: 'publisher',
  params: ofRevision,
  query: z.object(maxReach),
  headers: revisionHeaders,
  examples: [{ summary: 'The first one', params: { id: configurationId, revision: '1' } }],
  reply: data(Configuration),
  entityTag: true,
  problems: [
    'configuration-unknown',
    'configuration-taken',
    'configurations-large',
    'group-unknown',
    'group-untrusted',
    'version-unknown',
    'revision-unknown',
    ...keystoreProblems,
    'revision-mismatch',
    'reach-exceeded',
  ],
})

export const listVersionRevisions = operation({
  name: 'listVersionRevisions',
  method: 'GET',
  path: '/v3/versions/{id}/revisions',
  tag: 'Versions',
  summary: 'List the revisions of a version, newest first',
  description: `${kept} The history of a version is removed with the version.`,
  access: 'viewer',
  params: ofResource,
  query: z.strictObject(paging),
  examples: [{ summary: 'Of one version', params: { id: '0.0.1-example' } }],
  reply: data(pageOf(VersionRevisionEntry)),
  problems: ['version-unknown'],
})

export const getVersionRevision = operation({
  name: 'getVersionRevision',
  method: 'GET',
  path: '/v3/versions/{id}/revisions/{revision}',
  tag: 'Versions',
  summary: 'Get a version from one of its revisions',
  access: 'viewer',
  params: ofRevision,
  examples: [{ summary: 'The first one', params: { id: '0.0.1-example', revision: '1' } }],
  reply: data(VersionRevision),
  problems: ['version-unknown', 'revision-unknown'],
})

export const restoreVersion = operation({
  name: 'restoreVersion',
  method: 'POST',
  path: '/v3/versions/{id}/revisions/{revision}/restore',
  tag: 'Versions',
  summary: 'Restore an earlier revision as a new one',
  description: 'The installation key does not change. The checks are those of `putVersion`.',
  access: 'publisher',
  params: ofRevision,
  query: z.strictObject(versionChange),
  headers: revisionHeaders,
  examples: [{ summary: 'The first one', params: { id: '0.0.1-example', revision: '1' } }],
  reply: data(Version),
  entityTag: true,
  problems: [
    'version-unknown',
    'revision-unknown',
    'installers-missing',
    'allowlist-missing',
    'version-in-rollout',
    'revision-mismatch',
    'changed-meanwhile',
    'reach-exceeded',
    'second-administrator',
    'approval-unknown',
    'approval-limit',
  ],
})
