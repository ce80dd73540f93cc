/** The texts of the screen of the keystore. */
import type { Child } from 'hono/jsx'

export const keystore = {
  title: 'Keystores',
  uploadTitle: 'Upload a keystore',
  about:
    'A keystore is a file with a key and a certificate. Connectors use both for their connections with web pages, instead of generating their own.',
  noVersions: 'A keystore belongs to a version. Register a version first.',
  noPermission: 'You don’t have permission to edit configurations. Ask an administrator.',
  file: 'Keystore (PKCS #12)',
  version: 'Version',
  name: 'File name (optional)',
  nameHint:
    'Leave empty to use the name of the file. You can’t replace a keystore that’s in use, so give a new one a different name.',
  password: 'Keystore password',
  passwordHint: 'Encrypted when saved. You can’t view it afterward.',
  passwordMissing: 'Enter the keystore password',
  button: 'Save keystore',
  another: 'Upload a different keystore',
  list: {
    caption: 'Keystores, by version',
    version: 'Version',
    file: 'File',
    expires: 'Expires',
    unknown: 'Unknown',
    empty: 'No version has a keystore yet.',
  },
  certificate: {
    subject: 'Certificate',
    names: 'Host names',
    issuer: 'Issuer',
    selfSigned: 'None: self-signed. Browsers reject it unless the computer trusts it.',
    notBefore: 'Valid from',
    notAfter: 'Expires',
    key: 'Key',
    keyKind: (algorithm: string, bits: number) => `${algorithm}, ${bits} bits`,
    expired: 'This keystore has expired. Connectors no longer use it. Upload a new one.',
    expires: (time: Child) => <>This keystore expires {time}. Upload a new one before then.</>,
    early: (time: Child) => <>This keystore isn’t valid yet. Connectors use it from {time}.</>,
    elsewhere:
      'This keystore is on another server, so this service doesn’t read it. Connectors check the file when they download it.',
    notOpened:
      'This keystore was saved by an earlier version of the service. Save it again with its password to see its certificate.',
  },
}
