/** The files of keystores: administrators upload, list and remove them. Only devices get one, with `downloadKeystore`. */
import * as z from 'zod/mini'
import { data, operation, pageOf, paging, upserted } from './operation.ts'
import { ContentDigest, ListedKeystore, StoredFile, StoredFileName } from './stored-file.ts'

const viewer = { tag: 'Keystores', access: 'viewer' } as const
const publisher = { tag: 'Keystores', access: 'publisher' } as const
const params = z.object({
  name: z.string().check(z.describe('Its path in the keystores folder, `/` encoded as `%2F`')),
})

export const putKeystore = operation({
  ...publisher,
  name: 'putKeystore',
  method: 'PUT',
  path: '/v3/keystores/{name}',
  summary: 'Upload a keystore',
  description:
    'The limits of size and speed are those of `putInstaller`. You cannot replace a file that a keystore configuration names. No operation for administrators returns its bytes, and no version can name it as an installer. The service opens the file when a configuration names it, and opens files of at most 512 KiB.',
  params: z.object({ name: StoredFileName }),
  headers: z.object({ 'content-digest': z.optional(ContentDigest) }),
  body: { type: 'stream', media: ['application/octet-stream'] },
  examples: [
    {
      summary: 'A file',
      params: { name: 'keystore-0.0.1-example.p12' },
      body: 'the bytes of the file',
    },
  ],
  reply: upserted(StoredFile),
  problems: ['length-required', 'digest-mismatch', 'keystore-in-use', 'packages-unavailable'],
})

export const listKeystores = operation({
  ...viewer,
  name: 'listKeystores',
  method: 'GET',
  path: '/v3/keystores',
  summary: 'List the keystore files, by name',
  description: 'Includes files that were not uploaded here.',
  query: z.strictObject({ ...paging, name: z.optional(z.string().check(z.maxLength(200))) }),
  reply: data(pageOf(ListedKeystore)),
  problems: ['packages-unavailable'],
})

export const deleteKeystore = operation({
  ...publisher,
  name: 'deleteKeystore',
  method: 'DELETE',
  path: '/v3/keystores/{name}',
  summary: 'Remove a keystore that no configuration names',
  description:
    'An earlier revision of a configuration that names it, or one that was removed, can’t be restored then. `GET /v3/keystores` lists the versions of such revisions as `revisionsOf`.',
  params,
  examples: [{ summary: 'One file', params: { name: 'keystore-0.0.1-example.p12' } }],
  reply: data(z.object({ name: z.string() })),
  problems: ['keystore-unknown', 'keystore-in-use', 'packages-unavailable'],
})
