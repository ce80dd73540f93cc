/** Which devices get another verdict after a change to the registered versions. */
import type { VerdictChange, VersionReach } from '@cardwire/client/protocol'
import type { DeviceGroup } from './devices-without-installer.ts'
import { prepareVerdicts } from './verdict.ts'

type Releases = Parameters<typeof prepareVerdicts>[0]
type Decide = ReturnType<typeof prepareVerdicts>

/** Whether a device with this verdict has to stop or to update. */
export const isStopped = (action: VerdictChange['after']) =>
  action === 'stop' || action === 'require'

/** Whether a version has an allowlist. */
type HasAllowlist = (version: string) => boolean

/** The groups whose verdict or target changes, the largest first, and the sums over them. */
export function findAffectedDevices(
  groups: readonly DeviceGroup[],
  before: Releases,
  after: Releases,
  hasAllowlist: HasAllowlist,
): Omit<VersionReach, 'unserved'> {
  const [decideBefore, decideAfter] = [prepareVerdicts(before), prepareVerdicts(after)]
  const changes = groups
    .flatMap((group) => findChange(group, decideBefore, decideAfter))
    .toSorted((a, b) => b.count - a.count)
  const sum = (counted: (change: VerdictChange) => boolean) =>
    changes.filter(counted).reduce((total, { count }) => total + count, 0)
  return {
    reach: sum(() => true),
    stopped: sum((change) => isStopped(change.after) && !isStopped(change.before)),
    withoutAllowlist: sum(
      ({ version, target }) =>
        target !== undefined && hasAllowlist(version) && !hasAllowlist(target),
    ),
    withoutInstaller: sum(({ after, target }) => isStopped(after) && target === undefined),
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
  if (old.action === next.action && old.target?.id === target) return []
  return [
    {
      ...{ version, platform, count, before: old.action, after: next.action },
      ...(target !== undefined && { target }),
    },
  ]
}
