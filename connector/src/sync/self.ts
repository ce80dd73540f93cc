/** This connector, its machine and its person, as the service hears of them. */
import type { Platform } from '@cardwire/client/protocol'
import type { Person } from '../api/services.ts'
import { version } from '../version.ts'
import type { Self } from './exchange.ts'

/** The service keeps no user name unless its administrator wants it to. */
export const selfOf = ({ username, hostName, timezone, language, country, os }: Person): Self => ({
  version,
  platform: platformOf(os.name, os.architecture),
  device: {
    hostname: hostName,
    architecture: os.architecture,
    os: os.name,
    osVersion: os.version,
  },
  user: { username, timezone, language, country },
})

/** `platform` and `architecture` as the runtime spells them. */
export function platformOf(platform: string, architecture: string): Platform {
  if (platform === 'win32') return architecture === 'ia32' ? 'WIN32' : 'WIN64'
  if (platform === 'darwin') return architecture === 'arm64' ? 'MACOSARM' : 'MACOS'
  return 'UNIX'
}
