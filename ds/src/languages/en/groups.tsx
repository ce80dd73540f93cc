/** The texts of the screens of groups. */
import type { Child } from 'hono/jsx'
import { createNumbers } from '../numbers.ts'

const { format } = createNumbers('en-US')

export const groups = {
  title: 'Groups',
  /** Instead of one group. */
  allDevices: 'All devices',
  /** Between two rules. */
  or: 'or',
  list: {
    about:
      'A configuration or a rollout stage can be for a group only. Each sync checks which groups a device is in.',
    empty:
      'A group has the devices that fit its rules, such as a tag or a host name. You can give a group its own configuration, or start a rollout with it.',
    newLink: 'Create group',
    caption: 'Groups, by priority',
    name: 'Name',
    rules: 'Rules',
    priority: 'Priority',
    updated: 'Updated',
  },
  conditions: {
    tags: (values: string) => `Tag: ${values}`,
    reportedTags: (values: string) => `Reported tag: ${values}`,
    hostnames: (values: string) => `Host name: ${values}`,
    platforms: (values: string) => `System: ${values}`,
    versions: (values: string) => `Version: ${values}`,
  },
  page: {
    devices: 'Devices',
    rules: 'Rules',
    priority: 'Priority',
    uses: 'Used by',
    unused: 'Nothing yet',
    updated: 'Updated',
    editLink: 'Edit group',
    removeLink: 'Remove group',
  },
  remove: {
    title: (name: string) => `Remove the group ${name}`,
    about: 'The devices themselves don’t change.',
    wayBack: 'This can’t be undone, but you can create the group again.',
    button: 'Remove group',
  },
  form: {
    newTitle: 'Create a group',
    editTitle: (name: string) => `Edit the group ${name}`,
    button: 'Save group',
    confirmTitle: (name: string) => `Change the group ${name}`,
    wayBack: 'You can edit the group again afterward.',
    reach: (devices: number) =>
      devices === 1
        ? '1 device gets a different configuration or rollout stage at its next sync.'
        : `${format(devices)} devices get a different configuration or rollout stage at their next sync.`,
    name: 'Name',
    rule: (number: number) => `Rule ${format(number)}`,
    ruleHint:
      'A device fits a rule if it fits every field that you fill in. Leave fields empty that you don’t need. A device that fits one rule is in the group.',
    priority: 'Priority',
    priorityHint:
      'A device in several groups gets the configuration of the group with the highest priority (0 to 1,000).',
    fields: {
      tags: {
        label: 'Tags',
        hint: 'Tags that administrators gave, separated by commas. One of them is enough.',
      },
      reportedTags: {
        label: 'Reported tags',
        hint: 'Tags from the settings of the devices. A device can report any tag.',
      },
      hostnames: {
        label: 'Host names',
        hint: 'For example: pc-*, *.branch.example. The asterisk stands for any text.',
      },
      platforms: {
        label: 'Systems',
        hint: 'WIN64, WIN32, MACOS, MACOSARM or UNIX (Linux), separated by commas.',
      },
      versions: { label: 'Versions', hint: 'For example: 4.0.0, 4.1.0.' },
    },
  },
  /** On the page of a device. */
  ofDevice: {
    tags: 'Tags',
    reported: (tags: Child) => <>{tags} (reported by the device)</>,
    groups: 'Groups',
    configurations: 'Configurations',
    forAll: 'for all devices',
    forGroup: (name: string) => `for the group ${name}`,
    editTags: 'Edit tags',
    tagsTitle: (name: string) => `Tags of ${name}`,
    tagsAbout: 'Tags decide which groups the device is in.',
    tagsHint: 'Lowercase letters, digits, and ._:-, with commas between the tags. At most 32.',
    tagsButton: 'Save tags',
  },
}
