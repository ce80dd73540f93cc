/** Downloads of installers. */
import * as z from 'zod/mini'
import { CountsByDay, data, operation, pageOf, paging } from './operation.ts'
import { SignedManifest } from './package-manifest.ts'
import { Platform, PlatformSegment } from './platform.ts'
import { VersionId } from './version.ts'

const reply = {
  kind: 'response',
  media: 'application/octet-stream',
  description:
    'Sends the installer, or redirects (302) if it is on another server. Range, If-Range, If-None-Match and HEAD are supported (RFC 9110).',
} as const

const query = z.object({
  architecture: z
    .optional(z.enum(['x64', 'arm64']))
    .check(
      z.describe('Linux: the package for this processor, if the manifest of the version lists it'),
    ),
  format: z
    .optional(z.enum(['deb', 'rpm']))
    .check(z.describe('Linux: the package of this kind, if the manifest of the version lists it')),
  stamp: z
    .optional(z.string())
    .check(
      z.describe(
        '`off`: the package as it was built, even if the service stamps its values into packages',
      ),
    ),
})

const downloadOperation = {
  method: 'GET',
  tag: 'Downloads',
  access: 'anyone',
  pages: 'allowed',
  query,
  reply,
} as const

export const downloadInstaller = operation({
  ...downloadOperation,
  name: 'downloadInstaller',
  path: '/v3/downloads/installer',
  summary: 'Download the latest installer for the system of the caller',
  description:
    'The service recognizes the system by the client hints, otherwise by the User-Agent. If it does not recognize the system, or on phones and tablets, browsers get a page of choices, and programs get a problem that lists the choices.',
  problems: [
    'os-undetermined',
    'installer-unknown',
    'range-unsatisfiable',
    'too-many-requests',
    'packages-unavailable',
  ],
})

export const downloadInstallerFor = operation({
  ...downloadOperation,
  name: 'downloadInstallerFor',
  path: '/v3/downloads/installers/{os}',
  summary: 'Download the latest installer for a system',
  params: z.object({ os: PlatformSegment }),
  examples: [{ summary: 'Linux', params: { os: 'unix' } }],
  problems: [
    'installer-unknown',
    'range-unsatisfiable',
    'too-many-requests',
    'packages-unavailable',
  ],
})

export const downloadInstallerOf = operation({
  ...downloadOperation,
  name: 'downloadInstallerOf',
  path: '/v3/downloads/installers/{os}/versions/{version}',
  summary: 'Download the installer of a version for a system',
  params: z.object({ os: PlatformSegment, version: z.string() }),
  examples: [{ summary: 'Linux', params: { os: 'unix', version: '0.0.1-example' } }],
  problems: [
    'version-unknown',
    'installer-unknown',
    'range-unsatisfiable',
    'too-many-requests',
    'packages-unavailable',
  ],
})

export const downloadManifest = operation({
  name: 'downloadManifest',
  method: 'GET',
  path: '/v3/downloads/manifest',
  tag: 'Downloads',
  access: 'anyone',
  pages: 'allowed',
  summary: 'Get the package manifest of a version, with its signature',
  description:
    'As published. The key that signs the manifest is offline, and this service does not have it.',
  query: z.strictObject({ version: VersionId }),
  reply: data(SignedManifest),
  problems: ['installer-unknown', 'packages-unavailable'],
})

export const DownloadCount = z.object({
  versionId: z.string(),
  os: Platform,
  day: z.iso.date(),
  count: z.int(),
})

const countFilter = {
  versionId: z.optional(z.string()),
  os: z.optional(Platform),
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
}

export const listDownloads = operation({
  name: 'listDownloads',
  method: 'GET',
  path: '/v3/downloads',
  tag: 'Downloads',
  summary: 'List downloads by version, system and day (UTC), newest day first',
  access: 'viewer',
  query: z.strictObject({
    ...paging,
    ...countFilter,
  }),
  reply: data(pageOf(DownloadCount)),
  problems: [],
})

export const summarizeDownloads = operation({
  name: 'summarizeDownloads',
  method: 'GET',
  path: '/v3/downloads/summary',
  tag: 'Downloads',
  summary: 'Get downloads by day (UTC), oldest day first, and their total',
  description: 'At most the 400 newest days with downloads.',
  access: 'viewer',
  query: z.strictObject(countFilter),
  reply: data(CountsByDay),
  problems: [],
})
