/** What an administrator can do with a device, and what it does. */
import {
  approveDevice,
  blockDevice,
  type Device,
  deleteDevice,
  unblockDevice,
} from '@cardwire/client/protocol'

/** The first that applies to a device stands first. */
export const changes = [
  {
    name: 'approve',
    operation: approveDevice,
    text: 'Approve',
    past: 'Approved',
    done: 'The device is approved.',
    isDestructive: false,
    effects: [
      'With its next synchronization the device gets the keystore of its version, and the password of it.',
      'There is no way back but to block or to remove the device; the keystore that it has then, it keeps.',
    ],
  },
  {
    name: 'block',
    operation: blockDevice,
    text: 'Block',
    past: 'Blocked',
    done: 'The device is blocked.',
    isDestructive: false,
    effects: [
      'From now on every request of the device is refused: it gets no allowlist, no keystore and no update, and what it counts waits.',
      'It goes on with what it got last, until that ends, and asks once in a cycle whether it is unblocked.',
      'It cannot register again with the same key.',
    ],
  },
  {
    name: 'unblock',
    operation: unblockDevice,
    text: 'Unblock',
    past: 'Unblocked',
    done: 'The device is unblocked.',
    isDestructive: false,
    effects: [
      'The device is served again as soon as it asks, within a cycle, and sends what it has counted meanwhile.',
    ],
  },
  {
    name: 'remove',
    operation: deleteDevice,
    text: 'Remove',
    past: 'Removed',
    done: 'The device is removed.',
    isDestructive: true,
    effects: [
      'The device and its logs are deleted; what it counted stays.',
      'A connector that still runs there registers again as a new device, if its installation key is valid. To shut it out, block it instead.',
      'There is no way back.',
    ],
  },
] as const

export type DeviceChange = (typeof changes)[number]

/** Those that would change something. */
export const listChangesFor = ({ blocked, approved }: Device): readonly DeviceChange[] =>
  changes.filter(
    ({ name }) =>
      name === 'remove' ||
      (name === 'approve' && !approved) ||
      name === (blocked ? 'unblock' : 'block'),
  )
