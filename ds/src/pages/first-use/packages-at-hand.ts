/** What the names of uploaded files say: for which system each is, and of which version. */
import type { Platform } from '@cardwire/client/protocol'

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

/** The newest file of each system, by its name; later ones win, as the list has them. */
export function suggestInstallers(
  files: readonly PackageFile[],
): Readonly<Partial<Record<Platform, string>>> {
  return Object.fromEntries(
    files.flatMap(({ name, uri }) => {
      const platform = endings.find(([ending]) => ending.test(name))?.[1]
      return platform === undefined ? [] : [[platform, uri]]
    }),
  )
}

/** The version in the name of a file, as packages have it: `cardwire_4.0.1_amd64.deb`. */
export const suggestVersion = (files: readonly PackageFile[]): string | undefined =>
  files
    .map(({ name }) => /(?:^|[_\-/])(\d+\.\d+\.\d+)(?=[_\-./]|$)/.exec(name)?.[1])
    .find((version) => version !== undefined)
