/** What the names of uploaded files say: for which system each is, and of which version. */
import type { Platform } from '@cardwire/protocol'
import { findHighest, toPrecedence } from '../../rules/latest-version.ts'

export interface PackageFile {
  readonly name: string
  readonly uri: string
}

/** The endings that the packages of the connector have, with the systems they are for. */
const endings: readonly (readonly [RegExp, Platform])[] = [
  [/\.(deb|rpm)$/i, 'UNIX'],
  [/\.msi$/i, 'WIN64'],
  [/arm64\.pkg$/i, 'MACOSARM'],
  [/\.pkg$/i, 'MACOS'],
]

/** A file of this version for each system, by its name; later ones win, as the list has them. */
export function suggestInstallers(
  files: readonly PackageFile[],
  version: string | undefined,
): Readonly<Partial<Record<Platform, string>>> {
  return Object.fromEntries(
    files.flatMap(({ name, uri }) => {
      if (readVersion(name) !== version) return []
      const platform = endings.find(([ending]) => ending.test(name))?.[1]
      return platform === undefined ? [] : [[platform, uri]]
    }),
  )
}

/** The highest version that a file names. */
export const suggestVersion = (files: readonly PackageFile[]): string | undefined =>
  findHighest(
    files.flatMap(({ name }) => {
      const id = readVersion(name)
      return id === undefined || toPrecedence(id) === undefined ? [] : [{ id }]
    }),
  )?.id

/** The version in the name of a file, as packages have it: `cardwire_4.0.1_amd64.deb`. */
const readVersion = (name: string): string | undefined =>
  /(?:^|[_\-/])(\d+\.\d+\.\d+)(?=[_\-./]|$)/.exec(name)?.[1]
