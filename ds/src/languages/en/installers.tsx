/** The texts of the screens of installers, and of the form that uploads a file. */
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('en-US')

export const installers = {
  title: 'Installers',
  about:
    'Upload the installers that versions offer to users. Anyone can download them. You can’t replace or remove a file that a version uses.',
  files: 'Files',
  search: 'File name',
  empty: 'No files yet. Upload an installer, then register a version that uses it.',
  noMatch: 'No matching files. Search for another part of the name.',
  caption: 'Uploaded files',
  name: 'Name',
  size: 'Size',
  bytes: (bytes: number) => count(bytes, 'byte', 'bytes'),
  exactSize: (size: string, bytes: number) => `${size} (${count(bytes, 'byte', 'bytes')})`,
  copyHash: 'Copy SHA-256',
  url: 'URL',
  copyUrl: 'Copy URL',
  usedBy: 'Used by version',
  urlUse: 'To offer this file to users, enter this URL under the installers of a version.',
  upload: {
    title: 'Upload an installer',
    file: 'Installer file',
    name: 'Name (optional)',
    nameHint: 'Defaults to the file name. Letters, digits and . _ + ~ - are allowed.',
    hash: 'SHA-256 (optional)',
    hashHint: 'As published by the vendor. A file with a different hash is rejected.',
    button: 'Upload installer',
  },
  manifest: {
    affects: (devices: number) =>
      `Nothing is saved yet. This file says which packages a version has. ${count(devices, 'device', 'devices')} may be offered a different package.`,
    confirm: (devices: number) => `Save it for ${count(devices, 'device', 'devices')}`,
  },
  remove: {
    title: 'Remove',
    confirmTitle: (name: string) => `Remove ${name}`,
    inUse:
      'You can’t remove this file while a version uses it. Change the installers of the version first.',
    about: 'The file can no longer be downloaded.',
    revisions:
      'Earlier revisions of these versions use the file. Without it, you can’t restore them:',
    wayBack: 'This can’t be undone, but you can upload the file again.',
    button: 'Remove file',
  },
  form: {
    several: 'You can choose several files.',
    onlyOne:
      'To set a name, choose only one file. To upload several, clear this field. Each then keeps its file name.',
    all: 'All files are saved, with these SHA-256 hashes:',
    partly: 'The upload stopped. These files are saved:',
    limit: (megabytes: number) => `At most ${format(megabytes)} MB.`,
    progress: 'Upload',
    started: 'Uploading…',
    sent: (sent: string, total: string) => `${sent} of ${total} MB`,
    received: 'Upload complete. Saving…',
    tooLarge: (size: string) => `The file is too large (${size} MB).`,
    canceled: 'Upload canceled. Nothing was saved.',
    failed: 'The connection was lost. Nothing was saved. Try again.',
    unconfirmed:
      'The server didn’t confirm the upload. Check whether the file was saved, then try again.',
  },
  faults: {
    title: 'Correct the fields below to save the file',
    file: 'Choose a file',
    hash: 'Enter 64 hex characters',
  },
}
