/** What to say of a registry port that is not to be had, or does not answer. */
import type { Sight } from '../agent/pinned.ts'
import type { Holder } from '../system/holder.ts'

export interface Explanation {
  readonly what: string
  readonly todo: string
}

/** Why pages do not find this user's API there. `user`: the holder's name, where it is known. */
export function explainPort(
  platform: string,
  port: number,
  sight: Exclude<Sight['kind'], 'known'>,
  holder: Holder | undefined,
  user: string | undefined,
): Explanation {
  const who = holderText(holder, user)
  switch (sight) {
    case 'absent':
      return {
        what: `the registry service does not answer on port ${port}`,
        todo: `an administrator starts it: ${startOf(platform)}`,
      }
    case 'foreign':
      return {
        what: `the registry of another user${who && ` (${who})`} has port ${port}, and browsers of this user do not believe its certificate`,
        todo: 'an administrator makes it a service of the machine: cardwire registry install',
      }
    case 'other-program':
      return {
        what: `port ${port} is taken by ${who || 'another program'}`,
        todo: `end it${reservation(platform, port)}`,
      }
  }
}

function holderText(holder: Holder | undefined, user: string | undefined): string {
  const program = holder?.program && `${holder.program.name}, process ${holder.program.pid}`
  const owner = user ?? holder?.user
  return [program, owner === undefined ? undefined : `user ${owner}`].filter(Boolean).join(', ')
}

function startOf(platform: string): string {
  if (platform === 'win32') return 'schtasks /run /tn "Cardwire Registry"'
  return platform === 'darwin'
    ? 'launchctl kickstart system/cardwire.registry'
    : 'systemctl start cardwire-registry'
}

/** The port lies where systems take ports for connections that go out. macOS reserves none. */
function reservation(platform: string, port: number): string {
  if (platform === 'darwin') return ''
  const command =
    platform === 'win32'
      ? `netsh int ipv4 add excludedportrange protocol=tcp startport=${port} numberofports=1`
      : `sysctl net.ipv4.ip_local_reserved_ports=${port}`
  return `, and keep others off the port: ${command}`
}
