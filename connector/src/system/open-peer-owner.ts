/** Chooses how the account at the other end of a connection is found, by the platform. */
import { createLinuxPeerOwner } from './linux-peer-owner.ts'
import type { FindPeerOwner } from './peer-owner.ts'
import { createWindowsPeerOwner } from './windows-peer-owner.ts'

/** Whether the lookup names the account of every connection: Windows hides processes of other accounts from some. */
export const namesOwners = process.platform === 'linux'

/** The lookup of this system; macOS answers only administrators. `forEveryone`: for the service of the machine. */
export function openPeerOwner({ forEveryone = false } = {}): FindPeerOwner {
  if (process.platform === 'linux') return createLinuxPeerOwner()
  if (process.platform === 'win32') return createWindowsPeerOwner({ bySession: forEveryone })
  return async () => ({ kind: 'unknown' })
}
