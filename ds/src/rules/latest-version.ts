/** Finds the latest version, by the order of semantic versions. */
import type { Platform } from '@cardwire/protocol'
import { compareBuild, parse, SemVer } from 'semver'

interface Release {
  readonly id: string
  readonly allowed: boolean
  readonly uris: readonly { readonly os: Platform }[]
}

interface Version {
  readonly id: string
}

/** The highest version first (SemVer 2.0.0 §11). Each is read once: very many of them are compared very often. */
export const sortLatestFirst = <V extends Version>(versions: readonly V[]): V[] =>
  versions
    .map((version) => ({ version, parsed: new SemVer(version.id) }))
    .sort((a, b) => compareBuild(b.parsed, a.parsed))
    .map(({ version }) => version)

/** Not by sorting: strangers ask, and each comparison reads two versions. */
export const findHighest = <V extends Version>(versions: readonly V[]): V | undefined =>
  versions.reduce<V | undefined>(
    (highest, one) => (highest && compareBuild(one.id, highest.id) <= 0 ? highest : one),
    undefined,
  )

/**
 * The latest version, or the latest with an installer for `os`. A version that is not allowed is left out:
 * the connector would stop at its first synchronization.
 */
export const findLatest = <R extends Release>(
  releases: readonly R[],
  os?: Platform,
): R | undefined =>
  findHighest(
    releases.filter(
      ({ allowed, uris }) => allowed && (os === undefined || uris.some((uri) => uri.os === os)),
    ),
  )

/** The id without build metadata, which does not count in comparisons (§10); undefined when it is no version. */
export function toPrecedence(id: string): string | undefined {
  const version = parse(id)
  // `parse` is lenient: it takes a leading "v" and space around.
  return version && [version.version, version.build.join('.')].filter(Boolean).join('+') === id
    ? version.version
    : undefined
}
