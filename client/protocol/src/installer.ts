/** The files of installers: administrators upload, list and remove them, and anyone may download them. */
import * as z from 'zod/mini'
import { maxReach } from './max-reach.ts'
import { data, operation, pageOf, paging, upserted } from './operation.ts'
import { ContentDigest, ListedFile, StoredFile, StoredFileName, UsedFile } from './stored-file.ts'

const viewer = { tag: 'Installers', access: 'viewer' } as const
const publisher = { tag: 'Installers', access: 'publisher' } as const
const params = z.object({
  name: z.string().check(z.describe('Its path in the packages, `/` encoded as `%2F`')),
})

export const putInstaller = operation({
  ...publisher,
  name: 'putInstaller',
  method: 'PUT',
  path: '/v3/installers/{name}',
  summary: 'Upload an installer',
  description:
    'At most 500 MB, on Workers 95 MB. The service stores the file completely or not at all. If the upload fails, start it again from the beginning. Send at least 4 KiB/s, and finish within two hours. An upload replaces a file of the same name, unless a version uses that file. The manifest of a registered version decides which packages devices are offered, so it takes `maxReach`. Anyone can download it, so upload keystores with `putKeystore`.',
  params: z.object({ name: StoredFileName }),
  query: z.object(maxReach),
  headers: z.object({ 'content-digest': z.optional(ContentDigest) }),
  body: { type: 'stream', media: ['application/octet-stream'] },
  examples: [
    {
      summary: 'A file',
      params: { name: 'cardwire-0.0.1-example.deb' },
      body: 'the bytes of the file',
    },
  ],
  reply: upserted(StoredFile),
  problems: [
    'length-required',
    'digest-mismatch',
    'installer-in-use',
    'version-in-rollout',
    'reach-exceeded',
    'packages-unavailable',
  ],
})

export const listInstallers = operation({
  ...viewer,
  name: 'listInstallers',
  method: 'GET',
  path: '/v3/installers',
  summary: 'List the files in the packages, by name',
  description: 'Includes files that were not uploaded here.',
  query: z.strictObject({ ...paging, name: z.optional(z.string().check(z.maxLength(200))) }),
  reply: data(pageOf(ListedFile)),
  problems: ['packages-unavailable'],
})

export const getInstaller = operation({
  ...viewer,
  name: 'getInstaller',
  method: 'GET',
  path: '/v3/installers/{name}',
  summary: 'Get a file’s SHA-256, for which the service reads the whole file once, and its version',
  params,
  examples: [{ summary: 'One file', params: { name: 'cardwire-0.0.1-example.deb' } }],
  reply: data(UsedFile),
  problems: ['installer-unknown', 'packages-unavailable'],
})

export const deleteInstaller = operation({
  ...publisher,
  name: 'deleteInstaller',
  method: 'DELETE',
  path: '/v3/installers/{name}',
  summary: 'Remove a file that no version names',
  params,
  query: z.object(maxReach),
  examples: [{ summary: 'One file', params: { name: 'cardwire-0.0.1-example.deb' } }],
  reply: data(z.object({ name: z.string() })),
  problems: [
    'installer-unknown',
    'installer-in-use',
    'version-in-rollout',
    'reach-exceeded',
    'packages-unavailable',
  ],
})
