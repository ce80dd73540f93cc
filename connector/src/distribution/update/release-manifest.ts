/** The manifest of a release: which files belong to a version, signed by a key that no service has (docs/decisions/0069). */
import { createPublicKey, verify } from 'node:crypto'
import { PackageManifest } from '@cardwire/protocol/package-manifest'
import * as z from 'zod/mini'

/** The names of the manifest and of its signature, beside the packages. */
export const manifestNames = { manifest: 'manifest.json', signature: 'manifest.json.sig' } as const

/** Raw Ed25519 public keys, base64url, with commas between them: what the build of this program was told. */
declare const CARDWIRE_BUILD_RELEASE_KEYS: string | undefined

/** Empty: an unsigned build. Several: the next key is known before it signs. */
export const releaseKeys: readonly string[] = (
  typeof CARDWIRE_BUILD_RELEASE_KEYS === 'string' ? CARDWIRE_BUILD_RELEASE_KEYS : ''
)
  .split(',')
  .filter(Boolean)

/** The manifest cannot be trusted; the message says why. */
export class ManifestRefused extends Error {}

/**
 * Reads a manifest that one of `keys` has signed. `signature`: Ed25519 (RFC 8032), base64, as in `manifest.json.sig`. `keys`: raw
 * public keys, base64url; by default those of this build. Throws ManifestRefused.
 */
export function readReleaseManifest(
  manifest: Uint8Array,
  signature: string,
  keys: readonly string[] = releaseKeys,
): PackageManifest {
  if (keys.length === 0) throw new ManifestRefused('this build knows no key that signs releases')
  const signed = Buffer.from(signature, 'base64')
  if (!keys.some((key) => verify(null, manifest, toPublicKey(key), signed)))
    throw new ManifestRefused('no key of the releases has signed the manifest')
  const result = PackageManifest.safeParse(parseJson(manifest))
  if (result.success) return result.data
  throw new ManifestRefused(`the manifest is not one: ${z.prettifyError(result.error)}`)
}

/** RFC 8037. */
const toPublicKey = (x: string) =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })

function parseJson(text: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(text).toString())
  } catch {
    return undefined
  }
}
