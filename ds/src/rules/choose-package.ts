/** Chooses among the packages of a version for one system: by the processor of a machine, and by what it installs. */
import type { PackageManifest, Platform } from '@cardwire/protocol'

export type ListedFile = PackageManifest['files'][number]

/** As far as it is known; on Linux alone there is a choice. */
export interface Machine {
  readonly architecture?: 'x64' | 'arm64' | undefined
  readonly format?: 'deb' | 'rpm' | undefined
}

/** What a device or a request says, whose texts can be anything. */
export const toMachine = (
  os: Platform,
  architecture: string | undefined,
  format: string | undefined,
): Machine =>
  os === 'UNIX'
    ? {
        architecture: (['x64', 'arm64'] as const).find((one) => one === architecture),
        format: (['deb', 'rpm'] as const).find((one) => one === format),
      }
    : {}

/** The packages for a system that the machine can install. `usual`: the name of the one that is registered, which comes first. */
export function choosePackages(
  files: readonly ListedFile[],
  os: Platform,
  { architecture, format }: Machine,
  usual: string,
): readonly ListedFile[] {
  const isUsual = ({ file }: ListedFile) => file === usual
  const hasUsualEnding = ({ file }: ListedFile) => findEnding(file) === findEnding(usual)
  const rank = (file: ListedFile) => Number(isUsual(file)) * 2 + Number(hasUsualEnding(file))
  return files
    .filter(
      (one) =>
        one.system === os &&
        (architecture === undefined || one.architecture === architecture) &&
        (format === undefined || findEnding(one.file) === format),
    )
    .toSorted((a, b) => rank(b) - rank(a))
}

export const findEnding = (file: string): string => file.slice(file.lastIndexOf('.') + 1)
