/** The texts of the emergency stop. */
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('en-US')

export const stop = {
  title: 'Emergency stop',
  about:
    'Here you can halt all rollouts and block a version that causes harm. You first review which devices are affected.',
  caption: 'Rollouts that will be halted',
  offered: 'Offered, not installed',
  installed: 'Installed the version',
  noRollouts: 'No rollouts are running.',
  version: 'Version to block',
  versionHint:
    'Connectors with this version stop. They can switch to the latest allowed version, even if it is earlier than theirs.',
  noVersion: 'None (only halt rollouts)',
  reviewButton: 'Review',
  /** Of one that was made. */
  waysBack: 'Undo an emergency stop',
  order: 'If you want to resume the rollout of a blocked version, allow the version first.',
  allow: (version: string) => `Allow version ${version} again`,
  reviewTitle: 'Review the emergency stop',
  nothing: 'There is nothing to stop. No rollouts are running, and no version is selected.',
  reach: (devices: number) =>
    devices === 0
      ? 'No devices are affected.'
      : `${count(devices, 'device is', 'devices are')} affected.`,
  when: 'Connectors with an open connection to the service usually apply this within a minute. All others apply it at their next sync.',
  halts:
    'These rollouts will be halted. Devices are no longer offered the versions. Devices that have installed them keep them.',
  blocks: (version: string) => `Version ${version} will be blocked.`,
  wayBack: 'You can resume each rollout and allow the version again afterward.',
  button: 'Stop now',
}
