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

/** Exit status of a registry process when the port is taken; its parent then finds out by whom. */
export const portTakenExitCode = 3

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
        what: `the registry service is not responding on port ${port}`,
        todo: `ask an administrator to start it: ${startCommandFor(platform)}`,
      }
    case 'foreign':
      if (holder !== undefined && holder.user === String(ownUid)) {
        return {
          what: `the registry of your other connector${holder.program ? ` (${describeProgram(holder.program)})` : ''} uses port ${port}`,
          todo: 'pages find the other connector; to make them find this one, stop the other',
        }
      }
      return {
        what: `the registry of another user${owner && ` (${owner})`} uses port ${port}, and this user’s browsers do not trust its certificate`,
        todo: 'ask an administrator to install it as a service for all users: cardwire registry install',
      }
    case 'other-program':
      return {
        what: `port ${port} is in use by ${owner || 'another program'}, so pages cannot find this connector`,
        todo: `end it${describeReservation(platform, port)}; or set another port with --registry-port, and tell the owners of the pages`,
      }
  }
}

function describeHolder(holder: PortOwner | undefined, user: string | undefined): string {
  const program = holder?.program && describeProgram(holder.program)
  const owner = user ?? holder?.user
  const account = owner === undefined ? undefined : `user ${owner}`
  const place = holder?.address === undefined ? undefined : `on ${holder.address}`
  return [program, account, place].filter(Boolean).join(', ')
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
  return `, and keep others off the port: sysctl ${setting} (this replaces the current list until the next boot; to keep it, put the line into a file in /etc/sysctl.d)`
}
