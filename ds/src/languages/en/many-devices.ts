/** The texts of changes of many devices. */
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('en-US')

export const manyDevices = {
  matching: 'Change these devices',
  all: 'Change all devices',
  changes: {
    approve: {
      title: 'Approve devices',
      effects: [
        'At its next sync, each device gets the keystore of its version with its password.',
        'This can’t be undone. Blocking or removing the devices later doesn’t delete their keystores.',
      ],
      done: (devices: number) => count(devices, 'device approved.', 'devices approved.'),
    },
    block: {
      title: 'Block devices',
      effects: [
        'The devices can no longer connect. Usage data stays on them.',
        'Each device tries to connect once per sync cycle. The next time it does, sites lose access to its card readers.',
        'For 30 days, you can unblock exactly these devices.',
      ],
      done: (devices: number) => count(devices, 'device blocked.', 'devices blocked.'),
    },
    unblock: {
      title: 'Unblock devices',
      effects: [
        'The devices can connect again. Each reconnects within one sync cycle and sends the usage data it has saved.',
      ],
      done: (devices: number) => count(devices, 'device unblocked.', 'devices unblocked.'),
    },
    remove: {
      title: 'Remove devices',
      effects: [
        'The devices and their logs are deleted. Usage data they have already sent is kept.',
        'Devices with a running connector and a valid installation key register again as new devices. To prevent this, block them instead.',
        'This can’t be undone.',
      ],
      done: (devices: number) => count(devices, 'device removed.', 'devices removed.'),
    },
  },
  reach: (devices: number) =>
    devices === 0
      ? 'No devices will change.'
      : count(devices, 'device will change.', 'devices will change.'),
  largest: 'The table lists only the largest groups.',
  progress: {
    title: 'Changing devices',
    done: (done: number, reach: number) => `${format(done)} of ${format(reach)} devices are done.`,
    next: 'Select “Continue” until all devices are done. If you stop now, the other devices stay as they are.',
    button: 'Continue',
  },
  show: 'Show these devices',
  undo: 'Undo',
}
