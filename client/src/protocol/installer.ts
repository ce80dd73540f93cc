/** The files of installers: administrators upload, list and remove them, and anyone may download them. */
import * as z from 'zod/mini'
import { data, operation, pageOf, paging, upserted } from './operation.ts'
import { ContentDigest, ListedFile, StoredFile, StoredFileName } from './stored-file.ts'

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
    'At most 500 MB, on Workers 95 MB. It is there as a whole when the response comes, in place of a file of that name, or not at all: then upload it again from its start. It has to come at 4 KiB/s or more, and within two hours. A file that a version names is not replaced. Anyone may download it: upload keystores with `putKeystore`.',
  params: z.object({ name: StoredFileName }),
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
  problems: ['length-required', 'digest-mismatch', 'installer-in-use', 'packages-unavailable'],
})

export const listInstallers = operation({
  ...viewer,
  name: 'listInstallers',
  method: 'GET',
  path: '/v3/installers',
  summary: 'List the files in the packages, by name',
  description: 'Those too that were put there in another way.',
  query: z.strictObject({ ...paging, name: z.optional(z.string().check(z.maxLength(200))) }),
  reply: data(pageOf(ListedFile)),
  problems: [],
})

export const getInstaller = operation({
  ...viewer,
  name: 'getInstaller',
  method: 'GET',
  path: '/v3/installers/{name}',
  summary: 'One file with its SHA-256, for which all of it is read once',
  params,
  examples: [{ summary: 'One file', params: { name: 'cardwire-0.0.1-example.deb' } }],
  reply: data(StoredFile),
  problems: ['installer-unknown'],
})

export const deleteInstaller = operation({
  ...publisher,
  name: 'deleteInstaller',
  method: 'DELETE',
  path: '/v3/installers/{name}',
  summary: 'Remove a file that no version names',
  params,
  examples: [{ summary: 'One file', params: { name: 'cardwire-0.0.1-example.deb' } }],
  reply: data(z.object({ name: z.string() })),
  problems: ['installer-unknown', 'installer-in-use', 'packages-unavailable'],
})
