/** Which devices a mandatory version would stop without an installer to update with. */
import type { Platform } from '@cardwire/client/protocol'
import { prepareVerdicts } from './verdict.ts'

type Releases = Parameters<typeof prepareVerdicts>[0]
type Decide = ReturnType<typeof prepareVerdicts>

/** Devices that have the same version and system. */
export interface DeviceGroup {
  readonly version: string
  readonly platform: Platform
  readonly count: number
}

/**
 * The number of devices of each system that have to update once `after` is registered, have nothing to update to, and were
 * not in that state with `before`.
 */
export function countDevicesWithoutInstaller(
  groups: readonly DeviceGroup[],
  before: Releases,
  after: Releases,
): ReadonlyMap<Platform, number> {
  const [decideBefore, decideAfter] = [prepareVerdicts(before), prepareVerdicts(after)]
  const counts = new Map<Platform, number>()
  for (const { version, platform, count } of groups) {
    const lacksInstaller = (decide: Decide) => {
      const { action, target } = decide(version, platform)
      return action === 'require' && target === undefined
    }
    if (lacksInstaller(decideAfter) && !lacksInstaller(decideBefore)) {
      counts.set(platform, (counts.get(platform) ?? 0) + count)
    }
  }
  return counts
}
