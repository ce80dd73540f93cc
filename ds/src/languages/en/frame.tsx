/** The texts that every page of the admin console may have. */
import type { Child } from 'hono/jsx'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { format } = createNumbers('en-US')

export const frame = {
  product: 'Cardwire distribution service',
  menu: 'Menu',
  about: (version: string) => `Cardwire ${version}`,
  api: 'API reference',
  skip: 'Skip to content',
  screens: 'Main',
  signOut: 'Sign out',
  trail: 'Breadcrumb',
  noRole: 'no role',
  roles: {
    viewer: 'Viewer: read-only',
    publisher: 'Publisher: manages releases and configurations',
    administrator: 'Administrator',
  },
  groups: {
    fleet: 'Fleet',
    releases: 'Releases',
    applications: 'Applications',
    service: 'Service',
  },
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Couldn’t copy. Select and copy the text.',
  history: 'Changes in the audit log',
  pages: 'Pagination',
  previous: 'Previous',
  next: 'Next',
  page: (page: number, last: number, total: number, isMore: boolean) =>
    `Page ${format(page)} of ${format(last)}, ${isMore ? 'more than ' : ''}${format(total)} in total`,
  search: 'Search',
  showAll: 'Show all',
  /** In a filter by name. */
  all: 'All',
  nameOrId: 'Name or ID',
  added: 'Added',
  changed: 'Changed',
  /** What a value is, and the value. */
  field: (name: string, value: string) => `${name}: ${value}`,
  cancel: 'Cancel',
  /** Before a change that is confirmed: whether there is a way back. */
  wayBack: {
    none: 'This can’t be undone.',
    undo: 'You can undo this afterward.',
  },
  confirmName: (name: string) => `Type “${name}” to confirm`,
  wrongName: (name: string) => `The name doesn’t match “${name}”`,
  wrongNumber: (number: string) => `The number doesn’t match “${number}”`,
  otherEffect:
    'This change would no longer have the effect that you reviewed. Nothing was saved. Review it again.',
  noPermission: 'You don’t have permission to do this. Ask an administrator.',
  conflict: {
    title: 'Someone else changed this.',
    kept: 'Your changes aren’t saved yet.',
    last: (who: string, at: Child) => (
      <>
        Last changed by {who}, {at}.
      </>
    ),
    caption: 'Both versions',
    field: 'Field',
    stored: 'Saved',
    mine: 'Yours',
    same: 'same',
    empty: '(empty)',
    overwrite: 'Overwrite',
    keepEditing: 'Keep editing',
    discard: 'Discard my changes',
  },
  errors: {
    refusedTitle: 'Nothing was changed',
    refused: (link: Wrap) => (
      <>The request came from another site. {link('Open the admin console')} and try again.</>
    ),
    unknownTitle: 'Page not found',
    unknown: 'The URL is wrong, or the item was removed.',
    notFoundTitle: 'Not found',
    failedTitle: 'Something went wrong',
    failed: 'An unexpected error occurred. See the server log.',
    request: 'Request ID',
  },
}
