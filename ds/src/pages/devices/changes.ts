/** What an administrator can do with a device. */
import {
  approveDevice,
  blockDevice,
  type Device,
  deleteDevice,
  requestSync,
  unblockDevice,
} from '@cardwire/protocol'

/** The first that applies to a device stands first. */
export const changes = [
  {
    name: 'approve',
    operation: approveDevice,
    isDestructive: false,
  },
  {
    name: 'block',
    operation: blockDevice,
    isDestructive: false,
  },
  {
    name: 'unblock',
    operation: unblockDevice,
    isDestructive: false,
  },
  {
    name: 'sync',
    operation: requestSync,
    isDestructive: false,
  },
  {
    name: 'remove',
    operation: deleteDevice,
    isDestructive: true,
  },
] as const

export type DeviceChange = (typeof changes)[number]

/** Those that take nothing away. */
export const isHarmless: ReadonlySet<string> = new Set([
  'unblock',
  'sync',
  'addTags',
  'restoreTags',
  'importTags',
])

/** Those that would change something. */
export const listChangesFor = ({ blocked, approved }: Device): readonly DeviceChange[] =>
  changes.filter(
    ({ name }) =>
      name === 'remove' ||
      (name === 'approve' && !approved) ||
      (name === 'sync' && !blocked) ||
      name === (blocked ? 'unblock' : 'block'),
  )
