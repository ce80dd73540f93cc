/** Files in the packages of the service: administrators upload, list and remove the installers of versions. */
import * as z from 'zod/mini'
import { data, operation, pageOf, paging, upserted } from './operation.ts'
import { Sha256 } from './version.ts'

/** The name of a file that is uploaded. It is a name alone: no folder, no dot at its start. */
export const InstallerName = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._+~-]{0,127}$/,
      'expected a name of 1 to 128 letters, digits and . _ + ~ -, with a letter or digit first',
    ),
    z.describe('The name of the file, without a folder'),
  )

/** A header as RFC 9530 §2 writes it, `sha-256=:…:`; digests of other kinds are ignored. */
const ContentDigest = z
  .string()
  .check(
    z.maxLength(1000),
    z.regex(
      /^(?!.*(^|[,\s])sha-256=(?!:[A-Za-z0-9+/]{43}=:\s*(;|,|$)))/,
      'expected sha-256=:…: with 32 bytes in base64 (RFC 9530)',
    ),
    z.describe('`sha-256=:…:` (RFC 9530): bytes with another digest are not stored'),
  )

const InstallerFile = z.object({
  name: z.string().check(z.describe('Its path in the packages')),
  uri: z.string().check(z.describe('The address to register it with')),
  size: z.int().check(z.describe('Bytes')),
})

const StoredInstaller = z.extend(InstallerFile, { sha256: Sha256 })

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
    'At most 500 MB, on Workers 95 MB. It is there as a whole when the response comes, in place of a file of that name, or not at all: then upload it again from its start. It has to come at 4 KiB/s or more, and within two hours. A file that a version or a keystore configuration names is not replaced.',
  params: z.object({ name: InstallerName }),
  headers: z.object({ 'content-digest': z.optional(ContentDigest) }),
  body: { type: 'stream', media: ['application/octet-stream'] },
  examples: [
    {
      summary: 'A file',
      params: { name: 'cardwire-0.0.1-example.deb' },
      body: 'the bytes of the file',
    },
  ],
  reply: upserted(StoredInstaller),
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
  reply: data(pageOf(InstallerFile)),
  problems: [],
})

export const getInstaller = operation({
  ...viewer,
  name: 'getInstaller',
  method: 'GET',
  path: '/v3/installers/{name}',
  summary: 'One file with its SHA-256, for which all of it is read',
  params,
  examples: [{ summary: 'One file', params: { name: 'cardwire-0.0.1-example.deb' } }],
  reply: data(StoredInstaller),
  problems: ['installer-unknown'],
})

export const deleteInstaller = operation({
  ...publisher,
  name: 'deleteInstaller',
  method: 'DELETE',
  path: '/v3/installers/{name}',
  summary: 'Remove a file that no version and no configuration names',
  params,
  examples: [{ summary: 'One file', params: { name: 'cardwire-0.0.1-example.deb' } }],
  reply: data(z.object({ name: z.string() })),
  problems: ['installer-unknown', 'installer-in-use', 'packages-unavailable'],
})
