/** The texts of changes of many devices. */
import type { Child } from 'hono/jsx'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'
import { describeEvery } from './every.ts'

const { count, format } = createNumbers('en-US')

export const manyDevices = {
  matching: 'Change these devices',
  all: 'Change all devices',
  changes: {
    approve: {
      title: 'Approve devices',
      running: 'Approving devices',
      effects: () => [
        'Each device whose version has a keystore gets the keystore and its password at the next sync.',
      ],
      wayBack:
        'This can’t be undone. Blocking or removing the devices later doesn’t delete their keystores.',
      done: (devices: number) => count(devices, 'device approved.', 'devices approved.'),
    },
    block: {
      title: 'Block devices',
      running: 'Blocking devices',
      effects: (cycle: string) => [
        'The service rejects every request from the devices. Usage data stays on them.',
        `Each device contacts the service at least ${describeEvery(cycle)}. The next time it does, sites lose access to its card readers.`,
      ],
      wayBack: 'For 30 days, you can unblock exactly these devices in “Bulk changes”.',
      done: (devices: number) => count(devices, 'device blocked.', 'devices blocked.'),
    },
    unblock: {
      title: 'Unblock devices',
      running: 'Unblocking devices',
      effects: (cycle: string) => [
        `The service accepts the devices’ requests again. Each device contacts it within ${cycle} and sends the usage data it has saved.`,
      ],
      wayBack: 'For 30 days, you can block exactly these devices again in “Bulk changes”.',
      done: (devices: number) => count(devices, 'device unblocked.', 'devices unblocked.'),
    },
    sync: {
      title: 'Sync devices now',
      running: 'Asking devices to sync',
      effects: (cycle: string) => [
        `Devices that keep a connection open usually sync within a minute, one after the other. All others sync within ${cycle}, as usual.`,
        'Blocked devices can’t sync, so they aren’t asked.',
      ],
      wayBack: 'Nothing else changes.',
      done: (devices: number) =>
        count(devices, 'device was asked to sync.', 'devices were asked to sync.'),
    },
    addTags: {
      title: 'Add tags',
      running: 'Adding tags',
      effects: () => [
        'Each device also keeps the tags it already has.',
        'The tags of a device can change which groups it is in. The device applies this at its next sync.',
      ],
      wayBack:
        'For 30 days, you can undo this in “Bulk changes”. Each device then gets exactly the tags that it had.',
      done: (devices: number) => count(devices, 'device has new tags.', 'devices have new tags.'),
    },
    removeTags: {
      title: 'Remove tags',
      running: 'Removing tags',
      effects: () => [
        'Each device keeps its other tags, and those that it reports itself.',
        'The tags of a device can change which groups it is in. The device applies this at its next sync.',
      ],
      wayBack:
        'For 30 days, you can undo this in “Bulk changes”. Each device then gets exactly the tags that it had.',
      done: (devices: number) =>
        count(devices, 'device has fewer tags.', 'devices have fewer tags.'),
    },
    restoreTags: {
      title: 'Restore tags',
      running: 'Restoring tags',
      effects: () => [
        'Each device gets exactly the tags that it had before the change.',
        'The tags of a device can change which groups it is in. The device applies this at its next sync.',
      ],
      wayBack:
        'For 30 days, you can undo this in “Bulk changes”. Each device then gets exactly the tags that it had.',
      done: (devices: number) =>
        count(
          devices,
          'device has its earlier tags again.',
          'devices have their earlier tags again.',
        ),
    },
    importTags: {
      title: 'Import tags',
      running: 'Importing tags',
      effects: () => [
        'Each device gets exactly the tags from its row. Tags that devices report aren’t affected.',
        'The tags of a device can change which groups it is in. The device applies this at its next sync.',
      ],
      wayBack:
        'For 30 days, you can undo this in “Bulk changes”. Each device then gets exactly the tags that it had.',
      done: (devices: number) =>
        count(
          devices,
          'device has the tags from its row.',
          'devices have the tags from their rows.',
        ),
    },
    remove: {
      title: 'Remove devices',
      running: 'Removing devices',
      effects: () => [
        'The devices and their logs are deleted. Usage data they have already sent is kept.',
        'Devices with a running connector and a valid installation key register again as new devices, even those that are blocked now. To keep them out, block them instead.',
      ],
      wayBack: 'This can’t be undone.',
      done: (devices: number) => count(devices, 'device removed.', 'devices removed.'),
    },
  },
  reach: (devices: number) =>
    devices === 0
      ? 'No devices will change.'
      : count(devices, 'device will change.', 'devices will change.'),
  /** Of the devices of the change that is undone. */
  left: (devices: number) =>
    count(
      devices,
      'device stays as it is, because it was changed again later.',
      'devices stay as they are, because they were changed again later.',
    ),
  /** After how many are as the change has left them. */
  changedSince: (devices: number) =>
    count(
      devices,
      'device was changed again or removed later.',
      'devices were changed again or removed later.',
    ),
  /** Of a change of tags. */
  tags: {
    tagsHint: (most: number) =>
      `Separated by commas, at most ${most}. Use only lowercase letters, digits and . _ : -`,
    wrong: 'Enter tags, separated by commas.',
    nextButton: 'Continue',
    refused: (devices: number) =>
      count(
        devices,
        'device keeps its tags, because it would otherwise have more than 32.',
        'devices keep their tags, because they would have more than 32.',
      ),
    others: (devices: number) => count(devices, 'other device', 'other devices'),
    noGroups: 'The groups of the devices don’t change.',
    groups: {
      caption: 'Groups that change',
      group: 'Group',
      entering: 'Devices joining',
      uncounted: 'Not counted',
      leaving: 'Devices leaving',
    },
  },
  import: {
    title: 'Import tags from a spreadsheet',
    about:
      'Each device gets the tags in its row. They replace its current tags. You can review the changes before you confirm them.',
    columns: (tags: Child, id: Child, hostname: Child) => (
      <>
        The header row must include the column {tags}, and {id} or {hostname}. If a row has an ID,
        its host name is ignored. Other columns are ignored, too.
      </>
    ),
    cells: 'Put all tags in one cell, separated by spaces. An empty cell removes all tags.',
    export: (link: Wrap) => (
      <>To edit all tags in a spreadsheet, {link('download the devices as CSV')}.</>
    ),
    limit: (rows: number) => `The file can have up to ${format(rows)} rows.`,
    read: 'Check the file',
    file: 'CSV file',
    pasted: 'Or paste rows',
    pastedHint: (characters: number) =>
      `Copy the rows in your spreadsheet, including the header row, up to ${format(characters)} characters.`,
    readPasted: 'Check the rows',
    wrongFile:
      'The service can’t read this file. It must be a CSV file in UTF-8. Its header row must include the column “tags”, and “id” or “hostname”.',
    wrongRows:
      'The service can’t read these rows. Their header row must include the column “tags”, and “id” or “hostname”.',
    noRows: 'Paste rows first.',
    tooLong: (characters: number) =>
      `These rows are too long. Paste up to ${format(characters)} characters, or choose a file.`,
    other: 'Import other tags',
    devices: 'Devices in imported rows',
    rows: 'Rows',
    unchanged: 'Devices that have these tags already',
    changes: {
      caption: 'What changes',
      added: 'Tags added',
      removed: 'Tags removed',
      devices: 'Devices',
    },
    unknown: (devices: number) => count(devices, 'device is unknown.', 'devices are unknown.'),
    ambiguous: (names: number) =>
      count(
        names,
        'host name belongs to several devices. Use their IDs.',
        'host names belong to several devices. Use their IDs.',
      ),
    faulty: (rows: number) => count(rows, 'row is left out.', 'rows are left out.'),
    line: (line: number, fault: string) => `Line ${format(line)}: ${fault}`,
    faults: {
      cells: 'a cell is missing',
      device: 'no device ID or host name',
      tags: 'some entries aren’t valid tags',
      'too-many': 'more than 32 tags',
      repeated: 'the device is in an earlier row',
    },
    others: (more: number) => count(more, 'more', 'more'),
  },
  largest: 'The table lists only the largest groups.',
  progress: {
    done: (done: number, reach: number) => `${format(done)} of ${format(reach)} devices changed.`,
    next: 'Select “Continue” until all devices have changed.',
    stays:
      'If you stop here, the changes made so far are kept. You can continue later in “Bulk changes”.',
    stop: 'Stop here',
    rest: 'The other devices haven’t changed.',
    button: 'Continue',
  },
  changeFilters: 'Change the filters',
  show: 'Show these devices',
  undo: 'Undo',
  /** When the access of the devices ends at the latest. */
  access: {
    block: {
      until: (at: Child) => (
        <>
          If a device doesn’t contact the service again, sites can use its card readers until {at}{' '}
          at the latest. Its policy has expired by then.
        </>
      ),
      forever:
        'If a device doesn’t contact the service again, sites can keep using its card readers, because its policy doesn’t expire. To change that, set DS_POLICY_MAX_AGE.',
    },
    remove: {
      until: (at: Child) => (
        <>
          Sites can use the card readers of the devices until {at} at the latest. All policies have
          expired by then.
        </>
      ),
      forever:
        'Sites can keep using the card readers of the devices, because policies don’t expire. To change that, set DS_POLICY_MAX_AGE.',
    },
  },
  /** Which devices, in words. */
  filter: {
    all: 'All devices',
    hostname: 'Host name',
    open: 'Not blocked',
    approved: 'Approved',
    seenBefore: (at: Child) => <>Last seen before {at}</>,
    seenAfter: (at: Child) => <>Last seen after {at}</>,
    changedBy: (link: Wrap) => <>{link('Devices of an earlier change')}</>,
  },
  list: {
    title: 'Bulk changes',
    about:
      'Changes from the last 30 days. You can continue a change that was stopped, and undo one that blocked, unblocked or tagged devices.',
    empty: 'No bulk changes in the last 30 days.',
    caption: 'Changes, newest first',
    columns: {
      time: 'Time',
      change: 'Change',
      devices: 'Devices',
      progress: 'Progress',
      who: 'Who',
      actions: 'Actions',
    },
    progress: (done: number, reach: number) => `${format(done)} of ${format(reach)}`,
    changedSince: (devices: number) => `${format(devices)} changed again later`,
    finished: 'Finished',
    incomplete: 'Incomplete',
    final: 'Can’t be undone',
    show: 'Show this change',
  },
}
