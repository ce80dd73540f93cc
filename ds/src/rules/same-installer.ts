/** Whether a change to a version leaves an installer as it is. */
import type { Installer, Platform } from '@cardwire/protocol'

/** An installer as it would be; without a URL it is another one than each that is registered. */
export type PlannedInstaller = Pick<Installer, 'os'> & Partial<Installer>

/** Devices download what the URL names, and refuse what has another hash or size. */
export const isSameInstaller = (
  before: PlannedInstaller | undefined,
  after: PlannedInstaller | undefined,
): boolean =>
  before?.uri === after?.uri && before?.sha256 === after?.sha256 && before?.size === after?.size

/** The systems that have an installer before and after a change, and not the same one. */
export const listOtherInstallers = (
  before: readonly PlannedInstaller[],
  after: readonly PlannedInstaller[],
): Platform[] =>
  after
    .filter((next) => {
      const old = before.find(({ os }) => os === next.os)
      return old !== undefined && !isSameInstaller(old, next)
    })
    .map(({ os }) => os)
