/** The texts of the screens of devices. */
import type { Child } from 'hono/jsx'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'
import { describeEvery } from './every.ts'

const { count } = createNumbers('en-US')

const noInstaller = 'No version that this device can use has an installer for its system.'

const offer = (target: string | undefined) =>
  target === undefined ? noInstaller : `Version ${target} is available to install.`

export const devices = {
  title: 'Devices',
  table: {
    all: 'Devices',
    matching: 'Matching devices',
    device: 'Device and user',
    status: 'Status',
    version: 'Version',
    system: 'System',
    errors: 'Errors',
    lastSeen: 'Last seen',
  },
  downloadAll: 'Download all devices as CSV',
  downloadMatching: 'Download these devices as CSV',
  noMatch: {
    title: 'No matching devices. Change or clear the filters.',
    elsewhere: (link: Wrap) => (
      <>
        Connectors that failed to register aren’t listed here. See {link('Rejected registrations')}{' '}
        for the reason.
      </>
    ),
  },
  empty: {
    title: 'No connectors have registered yet.',
    install: (link: Wrap) => (
      <>
        Install a connector with the URL of this service and a valid installation key. If it doesn’t
        appear here, see {link('Rejected registrations')} for the reason.
      </>
    ),
  },
  filters: {
    unknown: 'The URL contains an unknown filter. Choose another filter.',
    search: 'Search',
    searchHint: 'Any part of a host or user name, a device ID or a fingerprint',
    status: 'Status',
    error: 'Error',
    anyError: 'Any error',
    system: 'System',
    update: 'Update status',
    version: 'Version',
    tag: 'Tag',
    wrongTag: 'This isn’t a valid tag. Correct it under “Tag”.',
    tagForm: 'Use only lowercase letters, digits and . _ : -',
    any: 'Any',
    clear: 'Clear filters',
  },
  standings: {
    active: 'Active',
    silent: 'Inactive',
    unserved: 'Version not registered',
    waiting: 'Pending approval',
    blocked: 'Blocked',
  },
  standingMeanings: {
    active: 'The device syncs regularly.',
    silent:
      'Not seen for a week or more. The device may be turned off, replaced or unable to reach this service.',
    unserved:
      'The service rejects every sync from this device because its version isn’t registered. Register the version again, or install a registered version on the device.',
    waiting: 'The device syncs, but gets no keystore until an administrator approves it.',
    blocked:
      'The service rejects every request from this device until an administrator unblocks it.',
  },
  updates: {
    none: 'No update needed',
    recommend: 'Update suggested',
    require: 'Update required',
    stop: 'Version blocked',
  },
  /** `target`: the version that the device can update to. */
  updateReasons: {
    none: (version: string) => `The device runs version ${version}.`,
    recommend: (version: string, target: string | undefined) =>
      `The device runs version ${version}.${target === undefined ? '' : ` ${offer(target)}`}`,
    require: (version: string, target: string | undefined) =>
      `The device runs version ${version}. Its connector notifies the user and stops. ${offer(target)}`,
    stop: (version: string, target: string | undefined) =>
      `The device runs version ${version}. Its connector stops. ${offer(target)}`,
  },
  facts: {
    access: 'Access',
    status: 'Status',
    lastUpdate: 'Update status at last sync',
    rollouts: 'Rollouts',
    inRollout: {
      reached: (version: string) => `Version ${version}: offered to this device`,
      control: (version: string) => `Version ${version}: in the comparison group`,
    },
    nextUpdate: 'Update status at next sync',
    versionUnknown: (version: string) =>
      `Version ${version} isn’t registered, so the device can’t sync and isn’t offered an update.`,
    updateWhenUnblocked: 'Update status once unblocked',
    lastSeen: 'Last seen',
    version: 'Version',
    system: 'System',
    component: 'Component',
    user: 'User',
    language: 'Language',
    keystore: 'Keystore',
    noKeystore: 'None reported',
    copyKeystore: 'Copy keystore hash',
    logs: 'Logs',
    downloadLogs: (link: Wrap) => (
      <>Once the device has sent its logs, you can {link('download the latest ones')}.</>
    ),
    id: 'Device ID',
    copyId: 'Copy device ID',
    fingerprint: 'Key fingerprint',
    copyFingerprint: 'Copy key fingerprint',
    firstRegistered: 'First registered',
    lastRegistered: 'Last registered',
    registrations: (last: Child, times: number) => (
      <>
        {last}, {count(times, 'registration', 'registrations')} in total
      </>
    ),
  },
  detailsTitle: 'Details',
  rejected: 'Rejected registrations with this device’s key',
  errors: {
    title: 'Errors',
    none: 'No errors reported at the last sync.',
    since: (error: Child, time: Child) => (
      <>
        {error} (since {time}).
      </>
    ),
    detail: (text: Child) => <>Details: {text}</>,
  },
  /** By kind: what is wrong, and what to do about it. `setting`: the name of the one to change. */
  errorKinds: {
    'keystore-refused': {
      what: 'Can’t use the keystore',
      remedy: () => 'Check the keystore’s password, hash and dates in the version’s configuration.',
    },
    'keystore-missing': {
      what: 'Can’t download the keystore',
      remedy: () => 'Make sure that the device can reach the URL in the version’s configuration.',
    },
    'digest-mismatch': {
      what: 'Connector files don’t match the version',
      remedy: () =>
        'Reinstall the connector, or correct the hashes in the version’s configuration.',
    },
    'digests-refused': {
      what: 'Can’t compare connector files with their hashes',
      remedy: () =>
        'If the list of hashes is wrong, correct it in the version’s configuration. Otherwise, check whether the device is out of memory or has too many open files.',
    },
    'reply-refused': {
      what: 'Can’t verify this service’s replies',
      remedy: (setting: string) =>
        `If the service lost its reply keys, add the fingerprint of the new key to ${setting} on the device. Otherwise, something on the network is changing the replies. Look for a proxy that inspects TLS.`,
    },
    'counters-failed': {
      what: 'Can’t save usage data',
      remedy: () => 'Check the device for a full disk or a read-only folder.',
    },
  },
  unknownError:
    'The connector is newer than this service. Update the service to see what this means.',
  activity: {
    title: 'Activity',
    empty: 'No administrator activity.',
    caption: 'Changes, newest first',
    time: 'Time',
    action: 'Action',
    who: 'Who',
    address: 'IP address',
    all: 'View all in the audit log',
  },
  /** When the access of a device ends at the latest. */
  access: {
    ended: 'Sites can no longer use its card readers, because its policy has expired.',
    block: {
      until: (at: Child) => (
        <>
          If the device doesn’t contact the service again, sites can use its card readers until {at}
          . Its policy expires then.
        </>
      ),
      forever:
        'If the device doesn’t contact the service again, sites can keep using its card readers, because its policy doesn’t expire. To change that, set DS_POLICY_MAX_AGE.',
    },
    remove: {
      until: (at: Child) => (
        <>
          Sites can use the card readers of the device until {at} at the latest. Its policy expires
          then.
        </>
      ),
      forever:
        'Sites can keep using the card readers of the device, because its policy doesn’t expire. To change that, set DS_POLICY_MAX_AGE.',
    },
  },
  /** What an administrator can do with a device. `cycle`: how long a sync cycle is. */
  changes: {
    approve: {
      link: 'Approve',
      title: (device: string) => `Approve ${device}`,
      button: 'Approve device',
      past: 'Approved',
      done: 'Device approved.',
      effects: () => [
        'If its version has a keystore, the device gets the keystore and its password at the next sync.',
      ],
      wayBack:
        'This can’t be undone. Blocking or removing the device later doesn’t delete its keystore.',
    },
    block: {
      link: 'Block',
      title: (device: string) => `Block ${device}`,
      button: 'Block device',
      past: 'Blocked',
      done: 'Device blocked.',
      effects: (cycle: string) => [
        'The service rejects every request from the device. Usage data stays on the device.',
        `The device contacts the service at least ${describeEvery(cycle)}. The next time it does, sites lose access to its card readers.`,
        'The device can’t register again with the same key.',
      ],
      wayBack: 'You can unblock the device afterward.',
    },
    unblock: {
      link: 'Unblock',
      title: (device: string) => `Unblock ${device}`,
      button: 'Unblock device',
      past: 'Unblocked',
      done: 'Device unblocked.',
      effects: (cycle: string) => [
        `The service accepts the device’s requests again. The device contacts it within ${cycle} and sends the usage data it has saved.`,
      ],
      wayBack: 'You can block the device again afterward.',
    },
    sync: {
      link: 'Sync now',
      title: (device: string) => `Sync ${device} now`,
      button: 'Sync now',
      past: 'Asked to sync',
      done: 'The device was asked to sync.',
      effects: (cycle: string) => [
        `If the device keeps a connection open, it syncs within seconds. Otherwise, it syncs within ${cycle}, as usual.`,
      ],
      wayBack: 'Nothing else changes.',
    },
    remove: {
      link: 'Remove',
      title: (device: string) => `Remove ${device}`,
      button: 'Remove device',
      past: 'Removed',
      done: 'Device removed.',
      effects: () => [
        'The device and its logs are deleted. Usage data it has already sent is kept.',
        'If a connector is still running on the device with a valid installation key, it registers again as a new device, even if the device is blocked now. To keep it out, block the device instead.',
      ],
      wayBack: 'This can’t be undone.',
    },
  },
}
