/** Which devices a mandatory version would stop without an installer to update with. */
import type { Platform } from '@cardwire/protocol'
import { prepareVerdicts } from './verdict.ts'
import type { View } from './views.ts'

type Release = Parameters<typeof prepareVerdicts>[0][number]
type Decide = ReturnType<typeof prepareVerdicts>

/** Devices that have the same version and system. */
export interface DeviceGroup {
  readonly version: string
  readonly platform: Platform
  readonly count: number
}

/**
 * The number of devices of each system that, in one of `views`, have to update after the change, have nothing to update to, and were
 * not in that state before.
 */
export function countDevicesWithoutInstaller(
  groups: readonly DeviceGroup[],
  views: readonly View<Release>[],
): ReadonlyMap<Platform, number> {
  const decisions = views.map(
    ({ before, after }) => [prepareVerdicts(before), prepareVerdicts(after)] as const,
  )
  const counts = new Map<Platform, number>()
  for (const { version, platform, count } of groups) {
    const lacksInstaller = (decide: Decide) => {
      const { action, target } = decide(version, platform)
      return action === 'require' && target === undefined
    }
    if (decisions.some(([before, after]) => lacksInstaller(after) && !lacksInstaller(before))) {
      counts.set(platform, (counts.get(platform) ?? 0) + count)
    }
  }
  return counts
}
