/** The files that the service stores for `file:///` addresses: installers, which anyone downloads, and keystores. */
import * as z from 'zod/mini'
import { Sha256 } from './version.ts'

/** The name of a file that is uploaded. It is only a name: no folder, no dot at its start. */
export const StoredFileName = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._+~-]{0,127}$/,
      'expected a name of 1 to 128 letters, digits and . _ + ~ -, with a letter or digit first',
    ),
    z.describe('The name of the file, without a folder'),
  )

/** A header as RFC 9530 §2 writes it, `sha-256=:…:`; digests of other kinds are ignored. */
export const ContentDigest = z
  .string()
  .check(
    z.maxLength(1000),
    z.regex(
      /^(?!.*(^|[,\s])sha-256=(?!:[A-Za-z0-9+/]{43}=:\s*(;|,|$)))/,
      'expected sha-256=:…: with 32 bytes in base64 (RFC 9530)',
    ),
    z.describe('`sha-256=:…:` (RFC 9530); a file with another hash is not stored'),
  )

export const ListedFile = z.object({
  name: z.string().check(z.describe('Its path in the folder')),
  uri: z.string().check(z.describe('The URL to register it with')),
  size: z.int().check(z.describe('Bytes')),
})

export const StoredFile = z.extend(ListedFile, { sha256: Sha256 })

const revisionsOf = z
  .optional(z.array(z.string()))
  .check(
    z.describe(
      'Versions with a revision that names the file, and that can’t be restored without it',
    ),
  )

export const ListedKeystore = z.extend(ListedFile, { revisionsOf })

/** An installer, what keeps it from a change, and whom a change reaches. */
export const UsedFile = z.extend(StoredFile, {
  usedBy: z.optional(
    z
      .string()
      .check(z.describe('The version that uses the file, which can’t be replaced or removed then')),
  ),
  revisionsOf,
  reach: z.optional(
    z
      .int()
      .check(
        z.describe(
          'Where it is the manifest of a registered version: the devices that its removal, or another manifest, affects',
        ),
      ),
  ),
})
