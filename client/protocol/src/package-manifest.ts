/** The manifest of a version's packages: it is signed by a key that no service has (docs/decisions/0070). */
import * as z from 'zod/mini'
import { Platform } from './platform.ts'
import { Sha256, VersionId } from './version.ts'

const natural = z.int().check(z.minimum(0))

/** Enough for several packages for each system. The service reads manifests of any publisher when a stranger downloads. */
const maxFiles = 64

/** A file that was built, before anything is written into its slot. */
const ManifestFile = z.object({
  file: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._+~-]{0,127}$/)),
  system: Platform,
  architecture: z.string().check(z.maxLength(32)),
  size: natural,
  sha256: Sha256,
  /** Where its slot is, in bytes. */
  slot: z.optional(z.object({ offset: natural, length: natural })),
})

/** The text of `manifest.json`; later versions may add members. Beside it is `manifest.json.sig`: an Ed25519 signature over its bytes, base64. */
export const PackageManifest = z.object({
  version: VersionId,
  files: z.array(ManifestFile).check(z.maxLength(maxFiles)),
})
export type PackageManifest = z.output<typeof PackageManifest>

/** Both in one file, as a service has and sends them: they are replaced together. */
export const SignedManifest = z.object({
  manifest: z.string().check(z.describe('The text of `manifest.json`, whose bytes are signed')),
  signature: z.string().check(z.describe('Ed25519, base64')),
})
export type SignedManifest = z.output<typeof SignedManifest>

/** The name of that file in the packages of a service. */
export const createManifestName = (version: string) => `cardwire-${version}.manifest.json`
