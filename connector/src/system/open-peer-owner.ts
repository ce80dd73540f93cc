/** Chooses how the account at the other end of a connection is found, by the platform. */
import { createLinuxPeerOwner } from './linux-peer-owner.ts'
import type { FindPeerOwner } from './peer-owner.ts'
import { createWindowsPeerOwner } from './windows-peer-owner.ts'

/** The lookup of this system; macOS answers only administrators. */
export function openPeerOwner(): FindPeerOwner {
  if (process.platform === 'linux') return createLinuxPeerOwner()
  if (process.platform === 'win32') return createWindowsPeerOwner()
  return async () => ({ kind: 'unknown' })
}
