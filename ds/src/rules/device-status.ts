/** The status of a device. */
import type { DeviceStanding } from '@cardwire/protocol'

interface StatusFacts {
  readonly blocked: boolean
  /** Whether its version is registered, or will be with its next synchronization. */
  readonly served: boolean
  readonly approved: boolean
  /** Days since 1970, UTC. */
  readonly lastSeenDay: number
}

/** Days without a synchronization after which a device counts as silent: a week, or two cycles where that is more. */
export const getSilentDays = (cycleS: number) => Math.max(7, Math.ceil((2 * cycleS) / 86_400))

/** The first that applies; a device is silent that was last seen before the day `silentBefore`. */
export function getDeviceStatus(
  { blocked, served, approved, lastSeenDay }: StatusFacts,
  silentBefore: number,
): DeviceStanding {
  if (blocked) return 'blocked'
  if (!served) return 'unserved'
  if (!approved) return 'waiting'
  return lastSeenDay < silentBefore ? 'silent' : 'active'
}
