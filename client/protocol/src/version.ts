/** Versions of the connector: administrators register them, applications read them. */
import * as z from 'zod/mini'
import { maxReach } from './max-reach.ts'
import { data, operation, pageOf, paging, upserted } from './operation.ts'
import { Platform } from './platform.ts'
import { IgnoredRevision, Revision, revisionHeaders } from './revision.ts'

// The expression that semver.org gives for a whole version (FAQ, last question); node-semver takes 256 characters.
const semver =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/

export const VersionId = z
  .string()
  .check(
    z.maxLength(256),
    z.regex(semver, 'expected a version of Semantic Versioning 2.0.0, such as 4.0.1'),
    z.describe('A version of Semantic Versioning 2.0.0'),
  )

/** An API key: a UUID, but neither of the two that anybody can guess (RFC 9562 §5.9, §5.10). */
export const ApiKey = z
  .uuid()
  .check(
    z.refine(
      (key) => !/^(0{8}-(0{4}-){3}0{12}|f{8}-(f{4}-){3}f{12})$/i.test(key),
      'expected a UUID that is neither nil nor max',
    ),
  )

/** The address of an installer or a keystore: online, or in the packages folder of the service. */
export const PackageUri = z.string().check(
  z.maxLength(2048),
  z.refine(
    (uri) =>
      /^(https?:\/\/[^/\s]+|file:\/\/\/\S)/i.test(uri) &&
      URL.canParse(uri) &&
      // It is sent in the header Location; `URL` alone would ignore line ends.
      !/\p{Cc}/u.test(uri) &&
      uri.isWellFormed(),
    'expected an https, http or file:///path/package address',
  ),
  z.describe('https://…, http://… or file:///path/package'),
)

export const Sha256 = z
  .string()
  .check(z.regex(/^[0-9a-f]{64}$/i, 'expected SHA-256 as 64 hex digits'), z.toLowerCase())

export const Installer = z.strictObject({
  os: Platform,
  uri: PackageUri,
  sha256: z.optional(Sha256),
  size: z.optional(z.int().check(z.minimum(1), z.describe('Bytes'))),
})
export type Installer = z.output<typeof Installer>

const flags = {
  recommended: z
    .boolean()
    .check(z.describe('Older versions show a dialog with a download link at their next check')),
  mandatory: z
    .boolean()
    .check(
      z.describe('Older versions show a message with a link and shut down at their next check'),
    ),
  allowed: z
    .boolean()
    .check(z.describe('false: exactly this version shuts down at its next check')),
}

/** More than there are systems, one entry for each. */
const maxInstallers = 20

export const VersionInput = z.strictObject({
  id: VersionId,
  ...flags,
  uris: z.array(Installer).check(
    z.maxLength(maxInstallers),
    z.refine((uris) => new Set(uris.map(({ os }) => os)).size === uris.length, {
      error: 'expected one entry per operating system',
    }),
  ),
  installationApiKey: z.optional(ApiKey),
  revision: IgnoredRevision,
})
export type VersionInput = z.output<typeof VersionInput>

/** What a version says; the rest is about its row. */
export const versionValues = { ...flags, uris: z.array(Installer) } as const

export const Version = z.object({
  id: z.string(),
  ...versionValues,
  revision: Revision,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Version = z.output<typeof Version>

const params = z.object({ id: z.string() })

/** The query of each change to a version. */
export const versionChange = {
  ...maxReach,
  force: z
    .optional(z.stringbool())
    .check(
      z.describe(
        'Make the change even if devices stop and have nothing to update to, or update to a version without an allowlist',
      ),
    ),
}

export const putVersion = operation({
  name: 'putVersion',
  method: 'PUT',
  path: '/v3/versions',
  tag: 'Versions',
  summary: 'Register a version, or change it',
  description:
    'A new `id` creates a version (201). A known `id` updates one (200). Only this response shows the installation key. If the request has none, a new version gets a generated key, and an update keeps the old one. A new key ends the old one immediately: computers with the old key that are not registered yet can no longer register. Registered devices do not need it again. `maxReach` does not count these computers. A new `file:///` URL has to name a file in the packages folder. A mandatory version needs an installer for each system whose devices it would stop. A version that devices update to needs an allowlist if they have one now. `force=true` skips these two checks.',
  access: 'publisher',
  query: z.strictObject({
    ...versionChange,
    copyFrom: z
      .optional(VersionId)
      .check(z.describe('Copy the configurations of this version to the new one')),
  }),
  headers: revisionHeaders,
  body: { type: 'json', schema: VersionInput },
  examples: [
    {
      summary: 'With an installer for each system',
      body: {
        id: '0.0.1-example',
        recommended: false,
        mandatory: false,
        allowed: true,
        uris: [
          { os: 'WIN64', uri: 'https://downloads.example/0.0.1/connector.msi' },
          { os: 'MACOSARM', uri: 'https://downloads.example/0.0.1/connector.pkg' },
          { os: 'UNIX', uri: 'https://downloads.example/0.0.1/connector.deb' },
        ],
      },
    },
    {
      summary: 'Without installers yet',
      body: {
        id: '0.0.2-example',
        recommended: false,
        mandatory: false,
        allowed: true,
        uris: [],
      },
    },
    {
      summary: 'A version that is no longer allowed',
      body: {
        id: '0.0.3-example',
        recommended: false,
        mandatory: false,
        allowed: false,
        uris: [],
      },
    },
  ],
  reply: upserted(z.extend(Version, { installationApiKey: z.optional(ApiKey) })),
  entityTag: true,
  problems: [
    'version-taken',
    'api-key-taken',
    'changed-meanwhile',
    'installers-missing',
    'allowlist-missing',
    'version-in-rollout',
    'version-unknown',
    'configuration-taken',
    'revision-mismatch',
    'reach-exceeded',
    'second-administrator',
    'approval-unknown',
    'approval-limit',
  ],
})

export const listVersions = operation({
  name: 'listVersions',
  method: 'GET',
  path: '/v3/versions',
  tag: 'Versions',
  summary: 'List the versions, latest first',
  description:
    'Applications don’t see versions that a rollout decides about, until it is finished or removed.',
  access: 'application',
  query: z.strictObject({ ...paging, allowed: z.optional(z.stringbool()) }),
  reply: data(pageOf(Version)),
  problems: [],
})

export const latestVersion = operation({
  name: 'latestVersion',
  method: 'GET',
  path: '/v3/versions/latest',
  tag: 'Versions',
  summary: 'Get the latest version, for one operating system or for any',
  access: 'application',
  pages: 'allowed',
  query: z.strictObject({ os: z.optional(Platform) }),
  reply: data(Version),
  problems: ['version-unknown'],
})

export const getVersion = operation({
  name: 'getVersion',
  method: 'GET',
  path: '/v3/versions/{id}',
  tag: 'Versions',
  summary: 'Get a version',
  description: 'Applications see the versions that `listVersions` gives them.',
  access: 'application',
  params,
  examples: [{ summary: 'One version', params: { id: '0.0.1-example' } }],
  reply: data(Version),
  entityTag: true,
  problems: ['version-unknown'],
})

export const deleteVersion = operation({
  name: 'deleteVersion',
  method: 'DELETE',
  path: '/v3/versions/{id}',
  tag: 'Versions',
  summary: 'Remove a version that nothing depends on',
  access: 'publisher',
  query: z.object(maxReach),
  params,
  headers: revisionHeaders,
  examples: [{ summary: 'One version', params: { id: '0.0.3-example' } }],
  reply: data(z.object({ id: z.string() })),
  problems: [
    'version-unknown',
    'version-in-use',
    'version-in-rollout',
    'revision-mismatch',
    'reach-exceeded',
    'second-administrator',
    'approval-unknown',
    'approval-limit',
  ],
})
