/** Explains why the registry port cannot be used, and what to do. */
import type { PortOwner } from '../system/port-owner.ts'

/** What is found at the registry port instead of a registry whose certificate this user's API knows. */
export type PortConflict =
  /** No program listens. */
  | 'absent'
  /** A TLS server with an unknown certificate. */
  | 'foreign'
  /** A program without TLS, or one that does not answer in time. */
  | 'other-program'

export interface Explanation {
  readonly what: string
  readonly todo: string
}

/** `user`: the name of the holder's account, where it is known; `ownUid`: the uid of this process. */
export function explainPortConflict(
  platform: string,
  port: number,
  conflict: PortConflict,
  holder: PortOwner | undefined,
  user: string | undefined,
  ownUid: number | undefined = process.getuid?.(),
): Explanation {
  const owner = describeHolder(holder, user)
  switch (conflict) {
    case 'absent':
      return {
        what: `the registry service does not answer on port ${port}`,
        todo: `an administrator starts it: ${startCommandFor(platform)}`,
      }
    case 'foreign':
      if (holder !== undefined && holder.user === String(ownUid)) {
        return {
          what: `the registry of another connector of yours${holder.program ? ` (${describeProgram(holder.program)})` : ''} has port ${port}`,
          todo: 'pages find that other connector; to let them find this one, end the other',
        }
      }
      return {
        what: `the registry of another user${owner && ` (${owner})`} has port ${port}, and browsers of this user do not trust its certificate`,
        todo: 'an administrator makes it a service of the machine: cardwire registry install',
      }
    case 'other-program':
      return {
        what: `port ${port} is taken by ${owner || 'another program'}, and pages do not find this connector meanwhile`,
        todo: `end it${describeReservation(platform, port)}; or set another port, --registry-port, of which pages have to be told`,
      }
  }
}

function describeHolder(holder: PortOwner | undefined, user: string | undefined): string {
  const program = holder?.program && describeProgram(holder.program)
  const owner = user ?? holder?.user
  return [program, owner === undefined ? undefined : `user ${owner}`].filter(Boolean).join(', ')
}

const describeProgram = ({ name, pid }: NonNullable<PortOwner['program']>) =>
  `${name}, process ${pid}`

function startCommandFor(platform: string): string {
  if (platform === 'win32') return 'schtasks /run /tn "Cardwire Registry"'
  return platform === 'darwin'
    ? 'launchctl kickstart system/cardwire.registry'
    : 'systemctl start cardwire-registry'
}

/** The port is in the range that systems use for outgoing connections. macOS cannot reserve a port. */
function describeReservation(platform: string, port: number): string {
  if (platform === 'darwin') return ''
  if (platform === 'win32') {
    return `, and keep others off the port: netsh int ipv4 add excludedportrange protocol=tcp startport=${port} numberofports=1`
  }
  const setting = `net.ipv4.ip_local_reserved_ports=${port}`
  return `, and keep others off the port: sysctl ${setting} (in place of the list that is there, until the next boot; for good, put that line into a file of /etc/sysctl.d)`
}
