/** The texts of the screens of versions. */
import type { Version, VersionReach } from '@cardwire/protocol'
import type { Child } from 'hono/jsx'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

type Flags = Pick<Version, 'recommended' | 'mandatory' | 'allowed'>

const { format, count } = createNumbers('en-US')
const list = new Intl.ListFormat('en-US')

/** The tags of a version, in a sentence. */
const inside = {
  allowed: 'allowed',
  blocked: 'blocked',
  recommended: 'suggested',
  mandatory: 'required',
}

const describeFlags = ({ recommended, mandatory, allowed }: Flags) =>
  list.format([
    allowed ? inside.allowed : inside.blocked,
    ...(recommended ? [inside.recommended] : []),
    ...(mandatory ? [inside.mandatory] : []),
  ])

const devices = (number: number) => count(number, 'device', 'devices')

function describeStopped({ stopped, withoutInstaller }: VersionReach) {
  const will = `The connector will stop on ${devices(stopped)}.`
  if (withoutInstaller === stopped)
    return `${will} No installer is available for ${stopped === 1 ? 'it' : 'any of them'}.`
  if (withoutInstaller > 0)
    return `${will} No installer is available for ${format(withoutInstaller)} of them.`
  return `${will} ${stopped === 1 ? 'An installer is available for it.' : 'An installer is available for all of them.'}`
}

export const versions = {
  title: 'Versions',
  about:
    'A version’s release settings can tell older connectors to suggest or require an update to it. They can also stop connectors that run the version.',
  registerLink: 'Register version',
  uploadLink: 'Upload installers first',
  empty: 'No versions yet. Upload the installers, register their version, then add an allowlist.',
  list: {
    caption: 'Versions, newest first',
    version: 'Version',
    status: 'Release status',
    installers: 'Installers',
    noInstallers: 'None',
    added: 'Added',
    rollout: 'Rollout',
  },
  tags: {
    allowed: 'Allowed',
    blocked: 'Blocked',
    recommended: 'Suggested',
    mandatory: 'Required',
  },
  page: {
    title: (id: string) => `Version ${id}`,
    status: 'Release status',
    flagsLink: 'Edit release settings',
    installersLink: 'Edit installers',
    devicesTitle: 'Devices with this version',
    configurationsTitle: 'Configurations',
    keyTitle: 'Installation key and removal',
    keyLink: 'Replace installation key',
    removeLink: 'Remove version',
  },
  devices: {
    none: 'No devices have this version.',
    caption: 'Devices by system',
    system: 'System',
    devices: 'Devices',
    number: (total: number, isMore: boolean) => `${isMore ? 'More than ' : ''}${format(total)}`,
    all: (total: number, isMore: boolean) =>
      isMore
        ? `View all devices (more than ${format(total)})`
        : `View all devices (${format(total)})`,
  },
  configurations: {
    empty:
      'No configurations yet. Until you add an allowlist, no site can use the card readers of connectors with this version.',
    groupLink: 'Add configuration for a group',
    copyLink: 'Copy configurations from or to another version',
    compareLink: 'Compare with another version',
  },
  flags: {
    title: (id: string) => `Release settings for ${id}`,
    legend: 'Release settings',
    recommended: 'Suggested',
    recommendedHint: 'Older connectors show an update prompt. Called “recommended” in the API.',
    mandatory: 'Required',
    mandatoryHint: 'Older connectors stop until they are updated. Called “mandatory” in the API.',
    allowed: 'Allowed',
    allowedHint:
      'If you clear this, connectors with this version stop. They can switch to the latest allowed version, even if it is earlier than theirs.',
    next: 'Next, you review the affected devices. If there are none, the change applies right away.',
    reviewButton: 'Review changes',
    confirmTitle: (id: string) => `Change release settings for ${id}`,
    change: (id: string, before: Flags, after: Flags) =>
      `Version ${id} will change from ${describeFlags(before)} to ${describeFlags(after)}.`,
    applyButton: 'Apply',
    yes: 'Yes',
    no: 'No',
  },
  affected: {
    lostSites: {
      sentence: (sites: number) =>
        `${count(sites, 'site', 'sites')} can no longer use card readers after the update.`,
      caption: 'Sites that lose access with the update',
      site: 'Site',
      more: (others: number) => `${count(others, 'more site', 'more sites')}.`,
    },
    /** The sentence that an administrator must have read: how many devices stop, and how many of them have no way on. */
    sentence: (reach: VersionReach) => {
      if (reach.unserved > 0)
        return `${devices(reach.unserved)} with this version won’t be able to sync until you register the version again.`
      if (reach.reach === 0) return 'No devices are affected.'
      if (reach.stopped > 0) return describeStopped(reach)
      return `${count(reach.reach, 'device is', 'devices are')} affected. No connectors will stop.`
    },
    /** Of devices that had to stop or update before the change, too. */
    stoppedWithoutInstaller: (total: number) =>
      `No installer will be available for ${count(total, 'device whose connector has already stopped', 'devices whose connectors have already stopped')}.`,
    /** What sites lose; empty when they lose nothing. */
    lost: (reach: VersionReach) =>
      reach.withoutAllowlist === 0
        ? ''
        : `${count(reach.withoutAllowlist, 'device would update', 'devices would update')} to a version without an allowlist. No site could use ${reach.withoutAllowlist === 1 ? 'its' : 'their'} card readers.`,
    /** What users of devices that go back to an earlier version have to do. */
    goBack: (total: number) =>
      `${count(total, 'device', 'devices')} would go back to an earlier version. Each user has to confirm this in the connector’s window, or with “cardwire update” in a terminal. On Windows, an installer that doesn’t support ALLOWDOWNGRADE can’t replace a later version. In that case, remove the later version first.`,
    caption: 'Affected devices',
    captionUnblocked: 'Affected devices, excluding blocked devices',
    version: 'Version',
    system: 'System',
    devices: 'Devices',
    now: 'Now',
    after: 'After',
    target: 'Update to',
    verdicts: {
      none: 'No update needed',
      recommend: 'Update suggested',
      require: 'Update required',
      stop: 'Version blocked',
    },
    otherInstallers: (total: number) =>
      `${count(total, 'device', 'devices')} will be offered a different installer for the same version.`,
    otherInstaller: (version: string) => `${version}, different installer`,
    noInstaller: 'No installer',
    more: (groups: number) => `And ${count(groups, 'smaller group', 'smaller groups')}.`,
  },
  installers: {
    title: (id: string) => `Installers for ${id}`,
    heading: 'Installers',
    empty:
      'No installers yet. Until you add one, users can’t download this version, and connectors can’t update to it.',
    caption: 'Installers by system',
    system: 'System',
    url: 'File or URL',
    size: 'Size',
    download: 'Download',
    downloadLink: (system: string, unseen: Wrap) => <>Download{unseen(` for ${system}`)}</>,
    notGiven: 'Not specified',
    saveButton: 'Save installers',
    urlLabel: 'Installer URL',
    urlHint:
      'Choose an uploaded file (file:///…), or enter a URL (https://…). Leave empty for none.',
    hashHint: '64 hex characters. Calculated automatically for uploaded files.',
  },
  register: {
    title: 'Register a version',
    taken: (id: string) => `Version ${id} is already registered`,
    versionLabel: 'Version',
    versionHint: 'The version of the installers, for example 4.0.1',
    configurationsTitle: 'Configurations',
    copyLabel: 'Allowlist and other configurations',
    copyHint:
      'Without an allowlist, no site can use the card readers of devices with this version.',
    copyOption: (id: string) => `Copy from ${id}`,
    copyNone: 'None',
    installersTitle: 'Installers',
    noFiles: (link: Wrap) => (
      <>No files uploaded yet. {link('Upload installers')}, or enter URLs.</>
    ),
    files: (link: Wrap) => <>Choose uploaded files, {link('upload installers')}, or enter URLs.</>,
    button: 'Register version',
    confirmTitle: (id: string) => `Register version ${id}`,
    wayBack: 'You can change the version’s release settings afterward.',
    editButton: 'Back to editing',
  },
  key: {
    title: (id: string) => `Installation key for ${id}`,
    replaceTitle: (id: string) => `Replace the installation key for ${id}`,
    replaceAbout:
      'The old key stops working immediately, so new connectors can no longer register with it. The next page shows the new key once.',
    wayBack: 'This can’t be undone. The service doesn’t keep the old key.',
    /** Of devices that have the version. */
    kept: (total: number) =>
      total === 0
        ? 'No devices have this version.'
        : count(
            total,
            'registered device with this version keeps working.',
            'registered devices with this version keep working.',
          ),
    replaceButton: 'Replace key',
    copyLabel: 'Copy installation key',
    warning:
      'Copy this key now. It won’t be shown again. The service saves only a hash of it. Add the key to the settings of your connectors.',
    done: 'I’ve saved the key',
    about: (setting: Child) => (
      <>Connectors use this key to register. Pass it to them as {setting}.</>
    ),
  },
  remove: {
    title: (id: string) => `Remove version ${id}`,
    about: 'Its installation key stops working, and its installers are no longer offered.',
    wayBack: 'This can’t be undone. The history of the version is removed, too.',
    button: 'Remove version',
  },
}
