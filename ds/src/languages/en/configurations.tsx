/** The texts of the screens of configurations. */
import type { Child } from 'hono/jsx'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { format, count } = createNumbers('en-US')

/** The texts of a type of configuration, by what it is called. `inside`: the same in a sentence. */
const nameType = (name: string, inside: string) => ({
  name,
  addLink: `Add ${inside}`,
  title: (version: string) => `${name} for ${version}`,
  newTitle: (version: string) => `Add ${inside} for ${version}`,
  removeTitle: (version: string) => `Remove ${inside} for ${version}`,
  listed: (version: string, unseen: Wrap) => (
    <>
      {name}
      {unseen(` for ${version}`)}
    </>
  ),
  part: (part: string) => `${name}: ${part}`,
})

export const configurations = {
  title: 'Configurations',
  about:
    'A configuration says which sites can use card readers, which hashes the connector’s files must have, or which keystore the connector uses. Connectors receive the configurations of their version at each sync.',
  search: 'Version',
  none: (link: Wrap) => <>No configurations yet. Open a {link('version')} and add an allowlist.</>,
  noneOfVersion: (link: Wrap) => (
    <>
      No configurations for this version. Open the version under {link('Versions')} and add an
      allowlist.
    </>
  ),
  list: {
    caption: 'Configurations',
    configuration: 'Configuration',
    version: 'Version',
    devices: 'Devices',
    changed: 'Changed',
  },
  onlyFor: (link: Child) => <>Only devices of the group {link} get this configuration.</>,
  choose: {
    title: 'Add a configuration',
    about:
      'The devices of a group get the group’s configuration in place of the one for all devices.',
    type: 'Type',
    devices: 'Devices',
    button: 'Continue',
  },
  compareLink: 'Compare configurations',
  types: {
    CONTEXT_CONFIG: nameType('Allowlist and card permissions', 'allowlist and card permissions'),
    FILE_DIGESTS: nameType('File hashes', 'file hashes'),
    SSL_KEYSTORE: nameType('Keystore', 'keystore'),
  },
  edit: {
    changedAt: (time: Child) => <>Changed {time}.</>,
    applies: 'Applies at each connector’s next sync.',
    addButton: 'Add configuration',
    saveButton: 'Save',
    removeLink: 'Remove configuration',
    line: (number: number, message: Child) => (
      <>
        Line {format(number)}: {message}
      </>
    ),
    after: (before: Child, next: Child) => (
      <>
        {before}; {next}
      </>
    ),
  },
  copy: {
    title: 'Copy configurations',
    about: 'Copies every configuration, including the keystore password.',
    from: 'From version',
    to: 'To version',
    toHint: 'A version that has none of these configurations yet',
    button: 'Copy configurations',
  },
  difference: {
    title: 'Compare configurations',
    from: 'Version',
    to: 'Compare with',
    button: 'Compare',
    neither: 'Neither version has a configuration.',
    same: 'Both versions have the same configurations. Keystore passwords aren’t compared.',
    caption: 'Differences',
    part: 'Setting',
    onlyIn: (version: string) => `Only in ${version}`,
  },
  newer: {
    about: (strong: Wrap, parts: Child) => (
      <>
        {strong('You can’t edit this configuration here.')} A newer version of the service saved it,
        and this version has no field for {parts}. Update the service.
      </>
    ),
    back: 'Back to version',
  },
  remove: {
    reach: (devices: number) =>
      devices === 0
        ? 'No devices have this configuration.'
        : count(
            devices,
            'device loses this configuration at its next sync.',
            'devices lose this configuration at their next sync.',
          ),
    caption: 'Devices with this configuration, excluding blocked devices',
    system: 'System',
    devices: 'Devices',
    allowlist:
      'Unless another allowlist applies to these devices, no site can use their card readers.',
    button: 'Remove configuration',
  },
  allowlist: {
    origins: 'Allowed origins',
    originsHint:
      'One per line, such as https://shop.example, or https://*.bank.example for all its subdomains. Leave empty to block all sites.',
  },
  cards: {
    title: 'Additional card permissions',
    about:
      'With the user’s consent, every allowed site can read certificates and request signatures. The user is prompted for each signature. You can allow more below. To add an entry, fill in the empty one at the end of its list. After you save, another empty one appears. To remove an entry, clear its fields.',
    grants: {
      title: 'Permissions by site',
      entry: (number: number) => `Permission ${format(number)}`,
      another: 'New permission',
      origin: 'Origin',
      originHint: 'A single origin, without *',
      allow: {
        raw: 'Send commands to the card',
        'page-pin': 'Collect the PIN on the page',
        pan: 'Read full card numbers',
        bulk: 'Make several signatures with one PIN entry',
        print: 'Send raw data to printers',
        'raw-authenticate': 'Sign arbitrary hashes with an authentication key',
      },
      aids: 'Allowed card applications (AIDs)',
      aidsHint:
        'A page that can send commands can select only these applications. Enter complete AIDs in hex, one per line. If you leave this empty, the page can’t send commands.',
    },
    libraries: {
      title: 'PKCS #11 libraries',
      entry: (number: number) => `Library ${format(number)}`,
      another: 'New library',
      system: 'System',
      path: 'Path',
      pathHint: 'An absolute path, in the system’s format',
      hash: 'SHA-256 of the file',
      atrs: 'Card ATRs',
      atrsHint: 'In hex, one per line',
      ownReaders: 'The library doesn’t use the system’s card readers',
    },
    folders: {
      title: 'Folders for files',
      entry: (number: number) => `Folder ${format(number)}`,
      another: 'New folder',
      origin: 'Origin',
      entity: 'Entity',
      type: 'Type',
      nameHint: 'Must match the name in the page’s code',
      path: 'Folder path',
      pathHint: 'An absolute path. With a drive letter, it applies to Windows only.',
    },
  },
  files: {
    part: 'Files',
    label: 'Files and their hashes',
    hint: (systems: string) =>
      `One hash and path per line, in the format of sha256sum. Paths are relative to the installation folder. To limit a line to one system, start it with the system: ${systems}.`,
  },
  keystore: {
    url: 'URL',
    urlLabel: 'Keystore URL',
    urlHint: 'https://…, or file:///… for an uploaded keystore',
    hashHint: '64 hex characters. Calculated automatically for uploaded keystores.',
    password: 'Password',
    newPassword: 'New password',
    currentPassword: 'Current password',
    keepHint: 'Leave empty to keep the current password. If you change the URL, enter it again.',
    passwordHint: 'You can’t view it after you save it',
  },
}
