/** What the connector reports about itself, its machine and its user. */
import type { Platform } from '@cardwire/protocol/platform'
import type { DeviceContext } from '@cardwire/protocol/sync'
import type { User } from '../../system/user.ts'
import { version } from '../../version.ts'

export interface DeviceInfo {
  readonly version: string
  readonly platform: Platform
  readonly device: Readonly<DeviceContext>
  readonly user: Readonly<Record<string, string>>
}

/** The registry of the machine: it runs as a service, for no user. */
export function toMachineInfo(user: User, tags: readonly string[]): DeviceInfo {
  const { device, user: _, ...facts } = toDeviceInfo(user, tags)
  return { ...facts, device: { ...device, component: 'registry' }, user: {} }
}

/** `tags`: from the settings. The service stores the user name only when its administrator turned that on. */
export const toDeviceInfo = (user: User, tags: readonly string[]): DeviceInfo => {
  const { username, hostName, timezone, language, country, os } = user
  return {
    version,
    platform: toPlatform(os.name, os.architecture),
    device: {
      hostname: hostName,
      architecture: os.architecture,
      os: os.name,
      osVersion: os.version,
      ...(os.packageFormat && { packageFormat: os.packageFormat }),
      ...(tags.length > 0 && { tags: [...tags] }),
    },
    // What the system does not say is left out.
    user: {
      username,
      timezone,
      ...(language && { language }),
      ...(country && { country }),
    },
  }
}

/** `platform` and `architecture` as the runtime spells them. */
export function toPlatform(platform: string, architecture: string): Platform {
  if (platform === 'win32') return architecture === 'ia32' ? 'WIN32' : 'WIN64'
  if (platform === 'darwin') return architecture === 'arm64' ? 'MACOSARM' : 'MACOS'
  return 'UNIX'
}
