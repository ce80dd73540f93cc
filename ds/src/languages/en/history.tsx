/** The texts of reviews before a change, of what was saved, and of the history. */
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { format, count } = createNumbers('en-US')

export const history = {
  link: 'History and restore',
  title: (name: string) => `History: ${name}`,
  about: 'Each saved change is a revision that you can restore.',
  audit: (link: Wrap) => <>For other changes, see the {link('audit log')}.</>,
  caption: 'Revisions, newest first',
  columns: { revision: 'Revision', time: 'Time', who: 'Who', action: 'Change', actions: 'Actions' },
  numbered: (revision: number) => `Revision ${format(revision)}`,
  current: 'Current',
  removed: 'Removed',
  revisionTitle: (revision: number, name: string) => `Revision ${format(revision)}: ${name}`,
  savedBy: (who: string) => `Saved by ${who}`,
  since: (revision: number) => `Changes since revision ${format(revision)}`,
  value: 'Settings in this revision',
  same: 'There are no differences.',
  noEarlier: 'There is no earlier revision.',
  removal: 'In this revision, the configuration was removed.',
  part: 'Setting',
  removedLines: 'Removed',
  addedLines: 'Added',
  passwordFrom: (revision: number) => `Set in revision ${format(revision)}`,
  password: 'Password',
  restore: 'Restore',
  restoreTitle: (revision: number, name: string) => `Restore revision ${format(revision)}: ${name}`,
  restoreCurrent: 'These settings are current. There is nothing to restore.',
  restoreAbout: 'This saves the earlier settings as a new revision.',
  missingFiles: (link: Wrap) => (
    <>These files no longer exist. {link('Upload them again')} first.</>
  ),
  restoreButton: 'Restore',
  added: 'Added. The change takes effect at each connector’s next sync.',
  saved: 'Saved. The change takes effect at each connector’s next sync.',
  unchanged: 'Nothing changed, so nothing was saved.',
  removedNote: 'Removed. The removal takes effect at each connector’s next sync.',
  undo: 'Undo',
  review: {
    title: 'Review changes',
    reach: (devices: number) =>
      devices === 0
        ? 'No devices have this version yet.'
        : count(
            devices,
            'device receives this change at its next sync.',
            'devices receive this change at their next sync.',
          ),
    offered: (devices: number) =>
      count(
        devices,
        'device is offered an update to this version, and gets the change with it.',
        'devices are offered an update to this version, and get the change with it.',
      ),
    waiting: (devices: number) =>
      count(
        devices,
        'device pending approval gets the keystore once it’s approved.',
        'devices pending approval get the keystore once they’re approved.',
      ),
    lost: (sites: number) =>
      count(
        sites,
        'site will lose access to card readers.',
        'sites will lose access to card readers.',
      ),
    caption: 'What changes',
    apply: 'Apply changes',
    passwordAgain: 'Re-enter keystore password',
    passwordHint: 'For security, the page doesn’t keep it.',
  },
}
