/** The configuration of the connectors of one version: allowlist and words for cards, file digests, keystore. */
import * as z from 'zod/mini'
import { CardSettings } from './card-settings.ts'
import {
  IgnoredCertificate,
  KeystoreCertificate,
  keystoreProblems,
} from './keystore-certificate.ts'
import { maxReach } from './max-reach.ts'
import { created, data, operation, pageOf, paging, upserted } from './operation.ts'
import { AllowedOrigin } from './origin.ts'
import { Platform } from './platform.ts'
import { IgnoredRevision, Revision, revisionHeaders } from './revision.ts'
import { PackageUri, Sha256, VersionId } from './version.ts'

const FileDigest = z.strictObject({
  path: z.string().check(
    z.minLength(1),
    z.maxLength(1024),
    z.refine(
      (path) =>
        // No drive, no backslash, no control character: a path that means the same on every system.
        !/^[a-z]:|[\\\p{Cc}]/iu.test(path) &&
        path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'),
      'expected a path relative to the installation folder, with / between its parts',
    ),
  ),
  digest: z
    .string()
    .check(
      z.regex(
        /^([0-9a-f]{32}|sha256:[0-9a-f]{64})$/i,
        'expected MD5 as 32 hex digits, or sha256: and 64 hex digits',
      ),
      z.toLowerCase(),
    ),
  os: z.optional(Platform),
})

/** They bound the size of a reply to a connector. */
const maxEntries = { files: 2000, origins: 2000 }

const ContextConfig = z.strictObject({
  cors: z
    .array(AllowedOrigin)
    .check(z.maxLength(maxEntries.origins), z.describe('Empty: no origin is allowed')),
  cards: z.optional(CardSettings.check(z.describe('Additional card permissions of pages'))),
})
const FileDigests = z.strictObject({
  files: z.array(FileDigest).check(z.maxLength(maxEntries.files)),
})
const keystoreFile = { uri: PackageUri, digest: z.optional(Sha256) }
const Keystore = z.strictObject({ ...keystoreFile, certificate: z.optional(KeystoreCertificate) })
const KeystoreInput = z.strictObject({
  ...keystoreFile,
  certificate: IgnoredCertificate,
  password: z.string().check(z.maxLength(1024), z.describe('Write-only: no response contains it')),
})

/** The value of each type, as the service returns it: without the keystore's password. */
export const configurationValues = {
  CONTEXT_CONFIG: ContextConfig,
  FILE_DIGESTS: FileDigests,
  SSL_KEYSTORE: Keystore,
} as const

const configurationFields = {
  versionId: VersionId,
  id: z.optional(z.uuid()),
  groupId: z
    .optional(z.uuid())
    .check(
      z.describe(
        'Only for the devices of this group, instead of the configuration for all devices',
      ),
    ),
  revision: IgnoredRevision,
}

export const ConfigurationInput = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('CONTEXT_CONFIG'),
    ...configurationFields,
    config: ContextConfig,
  }),
  z.strictObject({ type: z.literal('FILE_DIGESTS'), ...configurationFields, config: FileDigests }),
  z.strictObject({
    type: z.literal('SSL_KEYSTORE'),
    ...configurationFields,
    config: KeystoreInput,
  }),
])
export type ConfigurationInput = z.output<typeof ConfigurationInput>

const stored = {
  id: z.uuid(),
  versionId: z.string(),
  groupId: z.optional(z.uuid()),
  revision: Revision,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
}

/** A configuration as the service returns it: as it was put, without the keystore's password. */
export const Configuration = z.discriminatedUnion('type', [
  z.object({ type: z.literal('CONTEXT_CONFIG'), ...stored, config: ContextConfig }),
  z.object({ type: z.literal('FILE_DIGESTS'), ...stored, config: FileDigests }),
  z.object({ type: z.literal('SSL_KEYSTORE'), ...stored, config: Keystore }),
])
export type Configuration = z.output<typeof Configuration>

export const ConfigurationType = z.enum(['CONTEXT_CONFIG', 'FILE_DIGESTS', 'SSL_KEYSTORE'])
export type ConfigurationType = z.output<typeof ConfigurationType>

const params = z.object({ id: z.string() })
const storedConfiguration = { operation: 'putConfiguration', pointer: '/data/id' } as const

export const putConfiguration = operation({
  name: 'putConfiguration',
  method: 'PUT',
  path: '/v3/configurations',
  tag: 'Configurations',
  summary: 'Create a configuration of a version, or change it',
  description:
    'Without `id`, it creates a configuration (201). With `id`, it updates one (200). A version has at most one of each type for all devices, and one for each group. The service opens a keystore that it stores (`file:///`) with its password, and shows its certificate. It rejects one that connectors cannot use. It does not read keystores at other URLs.',
  access: 'publisher',
  query: z.object(maxReach),
  headers: revisionHeaders,
  body: { type: 'json', schema: ConfigurationInput },
  examples: [
    {
      summary:
        'An allowlist of origins: CONTEXT_CONFIG with a cors list, and their card permissions',
      body: {
        type: 'CONTEXT_CONFIG',
        versionId: '0.0.1-example',
        config: {
          cors: ['https://shop.example', 'https://*.bank.example'],
          cards: {
            grants: [
              { origin: 'https://shop.example', allow: ['page-pin', 'bulk'] },
              { origin: 'https://www.bank.example', allow: ['raw'], aids: ['A0000000031010'] },
            ],
            libraries: [
              {
                os: 'UNIX',
                path: '/usr/lib/x86_64-linux-gnu/opensc-pkcs11.so',
                sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
                atrs: ['3BF81300008131FE15597562696B657934D4'],
              },
            ],
            folders: [
              {
                origin: 'https://shop.example',
                entity: 'shop',
                type: 'invoices',
                path: '/srv/invoices',
              },
            ],
          },
        },
      },
    },
    {
      summary: 'The hashes of files',
      body: {
        type: 'FILE_DIGESTS',
        versionId: '0.0.1-example',
        config: {
          files: [
            {
              path: 'bin/connector',
              digest: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
              os: 'UNIX',
            },
          ],
        },
      },
    },
    {
      summary: 'A keystore',
      body: {
        type: 'SSL_KEYSTORE',
        versionId: '0.0.1-example',
        config: {
          uri: 'https://downloads.example/keystore.p12',
          password: 'the-password-of-the-keystore',
        },
      },
    },
  ],
  reply: upserted(Configuration),
  entityTag: true,
  problems: [
    'version-unknown',
    'configuration-unknown',
    'configuration-taken',
    'configuration-moved',
    'configurations-large',
    'group-unknown',
    'group-untrusted',
    ...keystoreProblems,
    'revision-mismatch',
    'reach-exceeded',
  ],
})

export const listConfigurations = operation({
  name: 'listConfigurations',
  method: 'GET',
  path: '/v3/configurations',
  tag: 'Configurations',
  summary: 'List the configurations',
  access: 'viewer',
  query: z.strictObject({
    ...paging,
    versionId: z.optional(z.string()),
    type: z.optional(ConfigurationType),
    expiresBefore: z
      .optional(z.iso.datetime())
      .check(
        z.describe('Only keystores whose certificate expires before this time, or has expired'),
      ),
  }),
  reply: data(pageOf(Configuration)),
  problems: [],
})

export const getConfiguration = operation({
  name: 'getConfiguration',
  method: 'GET',
  path: '/v3/configurations/{id}',
  tag: 'Configurations',
  summary: 'Get a configuration',
  access: 'viewer',
  params,
  examples: [{ summary: 'The one that was created last', params: { id: storedConfiguration } }],
  reply: data(Configuration),
  entityTag: true,
  problems: ['configuration-unknown'],
})

export const deleteConfiguration = operation({
  name: 'deleteConfiguration',
  method: 'DELETE',
  path: '/v3/configurations/{id}',
  tag: 'Configurations',
  summary: 'Remove a configuration',
  access: 'publisher',
  query: z.object(maxReach),
  params,
  headers: revisionHeaders,
  examples: [{ summary: 'The one that was created last', params: { id: storedConfiguration } }],
  reply: data(z.object({ id: z.string() })),
  problems: ['configuration-unknown', 'revision-mismatch', 'reach-exceeded'],
})

export const copyConfigurations = operation({
  name: 'copyConfigurations',
  method: 'POST',
  path: '/v3/configurations/copy',
  tag: 'Configurations',
  summary: "Copy a version's configurations to another version, all or none",
  access: 'publisher',
  query: z.object(maxReach),
  body: { type: 'json', schema: z.strictObject({ from: VersionId, to: VersionId }) },
  examples: [
    { summary: 'To a newer version', body: { from: '0.0.1-example', to: '0.0.2-example' } },
  ],
  reply: created(z.array(Configuration)),
  problems: ['version-unknown', 'configuration-taken', 'configurations-large', 'reach-exceeded'],
})
