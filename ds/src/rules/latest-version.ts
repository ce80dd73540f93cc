/** Finds the latest version, by the order of semantic versions. */
import type { Platform } from '@cardwire/client/protocol'
import { compareBuild, parse } from 'semver'

interface Release {
  readonly id: string
  readonly allowed: boolean
  readonly uris: readonly { readonly os: Platform }[]
}

/** The highest version first (SemVer 2.0.0 §11). */
export const compareVersionsDescending = (a: { readonly id: string }, b: { readonly id: string }) =>
  compareBuild(b.id, a.id)

/**
 * The latest version, or the latest with an installer for `os`. A version that is not allowed is left out:
 * the connector would stop at its first synchronization.
 */
export const findLatest = <R extends Release>(
  releases: readonly R[],
  os?: Platform,
): R | undefined =>
  releases
    .filter(
      ({ allowed, uris }) => allowed && (os === undefined || uris.some((uri) => uri.os === os)),
    )
    // Not sorted: strangers ask, and each comparison reads two versions.
    .reduce<R | undefined>(
      (latest, one) => (latest && compareVersionsDescending(latest, one) <= 0 ? latest : one),
      undefined,
    )

/** The id without build metadata, which does not count in comparisons (§10); undefined when it is no version. */
export function toPrecedence(id: string): string | undefined {
  const version = parse(id)
  // `parse` is lenient: it takes a leading "v" and space around.
  return version && [version.version, version.build.join('.')].filter(Boolean).join('+') === id
    ? version.version
    : undefined
}
