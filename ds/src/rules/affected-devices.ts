/** Which devices get another verdict or installer after a change to the registered versions. */
import type { Platform, VerdictChange, VersionReach } from '@cardwire/protocol'
import type { DeviceGroup } from './devices-without-installer.ts'
import { isSameInstaller, type PlannedInstaller } from './same-installer.ts'
import { prepareVerdicts } from './verdict.ts'
import type { View } from './views.ts'

type Release = Parameters<typeof prepareVerdicts>[0][number] & {
  readonly uris: readonly PlannedInstaller[]
}
type Decide = ReturnType<typeof prepareVerdicts<Release>>

/** Whether a device with this verdict has to stop or to update. */
export const isStopped = (action: VerdictChange['after']) =>
  action === 'stop' || action === 'require'

const isNewlyStopped = ({ before, after }: VerdictChange) => isStopped(after) && !isStopped(before)

/** Whether a version has an allowlist. */
type HasAllowlist = (version: string) => boolean

/** Whether all else that the devices get is as before. */
const isOnlyInstaller = ({ before, after, otherInstaller }: VerdictChange) =>
  otherInstaller === true && before === after

/**
 * The groups whose verdict, target or installer changes, the largest first, and the sums over them. Rollouts reach some devices of
 * a group, and it is not known how many: all count where something changes in one of `views`, whose first changes are listed.
 */
export function findAffectedDevices(
  groups: readonly DeviceGroup[],
  views: readonly View<Release>[],
  hasAllowlist: HasAllowlist,
): Omit<VersionReach, 'unserved' | 'lostSites'> {
  const decisions = views.map(
    ({ before, after }) => [prepareVerdicts(before), prepareVerdicts(after)] as const,
  )
  const found = groups
    .map((group) => decisions.flatMap((decide) => findChange(group, ...decide)))
    .filter(([first]) => first !== undefined)
  const changes = found.flatMap((all) => all.slice(0, 1)).toSorted((a, b) => b.count - a.count)
  const sum = (counted: (change: VerdictChange) => boolean) =>
    found
      .filter((all) => all.some(counted))
      .reduce((total, [change]) => total + (change?.count ?? 0), 0)
  return {
    reach: sum(() => true),
    stopped: sum(isNewlyStopped),
    withoutAllowlist: sum(
      (change) =>
        change.target !== undefined &&
        !isOnlyInstaller(change) &&
        hasAllowlist(change.version) &&
        !hasAllowlist(change.target),
    ),
    withoutInstaller: sum((change) => isNewlyStopped(change) && change.target === undefined),
    stoppedWithoutInstaller: sum(
      ({ before, after, target }) => isStopped(before) && isStopped(after) && target === undefined,
    ),
    withOtherInstaller: sum(({ otherInstaller }) => otherInstaller === true),
    changes,
  }
}

function findChange(
  { version, platform, count }: DeviceGroup,
  decideBefore: Decide,
  decideAfter: Decide,
): readonly VerdictChange[] {
  const [old, next] = [decideBefore(version, platform), decideAfter(version, platform)]
  const target = next.target?.id
  const isSameTarget = old.target?.id === target
  const otherInstaller =
    isSameTarget &&
    !isSameInstaller(findInstaller(old.target, platform), findInstaller(next.target, platform))
  if (old.action === next.action && isSameTarget && !otherInstaller) return []
  return [
    {
      ...{ version, platform, count, before: old.action, after: next.action },
      ...(target !== undefined && { target }),
      ...(otherInstaller && { otherInstaller }),
    },
  ]
}

const findInstaller = (release: Release | undefined, platform: Platform) =>
  release?.uris.find(({ os }) => os === platform)
