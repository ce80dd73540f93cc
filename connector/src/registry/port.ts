/** What to say of a registry port that is not to be had, or does not answer. */
import type { Sight } from '../agent/pinned.ts'
import type { Holder } from '../system/holder.ts'

export interface Explanation {
  readonly what: string
  readonly todo: string
}

/** Why pages do not find this user's API there. `user`: the holder's name, where it is known; `ours`: our number. */
export function explainPort(
  platform: string,
  port: number,
  sight: Exclude<Sight['kind'], 'known'>,
  holder: Holder | undefined,
  user: string | undefined,
  ours: number | undefined = process.getuid?.(),
): Explanation {
  const who = holderText(holder, user)
  switch (sight) {
    case 'absent':
      return {
        what: `the registry service does not answer on port ${port}`,
        todo: `an administrator starts it: ${startOf(platform)}`,
      }
    case 'foreign':
      if (holder !== undefined && holder.user === String(ours)) {
        return {
          what: `the registry of another connector of yours${holder.program ? ` (${programText(holder.program)})` : ''} has port ${port}`,
          todo: 'end that one, or let it be: pages find that connector then',
        }
      }
      return {
        what: `the registry of another user${who && ` (${who})`} has port ${port}, and browsers of this user do not believe its certificate`,
        todo: 'an administrator makes it a service of the machine: cardwire registry install',
      }
    case 'other-program':
      return {
        what: `port ${port} is taken by ${who || 'another program'}, and pages do not find this connector meanwhile`,
        todo: `end it${reservation(platform, port)}; or set another port, --registry-port, of which pages have to be told`,
      }
  }
}

function holderText(holder: Holder | undefined, user: string | undefined): string {
  const program = holder?.program && programText(holder.program)
  const owner = user ?? holder?.user
  return [program, owner === undefined ? undefined : `user ${owner}`].filter(Boolean).join(', ')
}

const programText = ({ name, pid }: NonNullable<Holder['program']>) => `${name}, process ${pid}`

function startOf(platform: string): string {
  if (platform === 'win32') return 'schtasks /run /tn "Cardwire Registry"'
  return platform === 'darwin'
    ? 'launchctl kickstart system/cardwire.registry'
    : 'systemctl start cardwire-registry'
}

/** The port lies where systems take ports for connections that go out. macOS reserves none. */
function reservation(platform: string, port: number): string {
  if (platform === 'darwin') return ''
  if (platform === 'win32') {
    return `, and keep others off the port: netsh int ipv4 add excludedportrange protocol=tcp startport=${port} numberofports=1`
  }
  const setting = `net.ipv4.ip_local_reserved_ports=${port}`
  return `, and keep others off the port: sysctl ${setting} (in place of the list that is there, until the next boot; for good, put that line into a file of /etc/sysctl.d)`
}
