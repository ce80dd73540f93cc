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
      'You can limit a configuration or a rollout stage to a group. At each sync, the service checks which groups the device is in.',
    empty:
      'A group contains the devices that match its rules, for example by tag or host name. You can give a group its own configuration, or start a rollout with it.',
    newLink: 'Create group',
    caption: 'Groups, by priority',
    name: 'Name',
    rules: 'Rules',
    priority: 'Priority',
    updated: 'Changed',
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
    updated: 'Changed',
    editLink: 'Edit group',
    removeLink: 'Remove group',
  },
  remove: {
    title: (name: string) => `Remove the group ${name}`,
    about: 'The devices in the group aren’t changed.',
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
      'A device matches a rule if it matches every field you fill in. Leave the other fields empty. A device that matches any of the rules is in the group.',
    priority: 'Priority',
    priorityHint:
      'If several of a device’s groups have a configuration of the same type, the one from the group with the highest priority (0 to 1,000) applies. If priorities are equal, the older group takes precedence.',
    fields: {
      tags: {
        label: 'Tags',
        hint: 'Tags assigned by administrators, separated by commas. The device needs only one of them.',
      },
      reportedTags: {
        label: 'Reported tags',
        hint: 'Tags from the settings of the device, separated by commas. A device can report any tag.',
      },
      hostnames: {
        label: 'Host names',
        hint: 'Separated by commas, such as pc-*, *.branch.example. The asterisk stands for any text.',
      },
      platforms: {
        label: 'Systems',
        hint: 'If you choose none, the rule applies to all systems.',
      },
      versions: { label: 'Versions', hint: 'Separated by commas, such as 4.0.0, 4.1.0.' },
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
    tagsAbout: 'The rules of a group can select devices by their tags.',
    tagsHint: 'Separated by commas, at most 32. Use only lowercase letters, digits and . _ : -',
    tagsButton: 'Save tags',
  },
}
