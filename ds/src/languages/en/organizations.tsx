/** The texts of the screens of organizations. */
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('en-US')

export const organizations = {
  title: 'Organizations',
  about: 'An organization owns applications. Each application has an API key.',
  empty: 'No organizations yet. Add the first one below, then add an application to it.',
  noMatch: 'No matching organizations. Search for another part of the name.',
  id: 'ID',
  name: 'Name',
  nameHint:
    'Display name. When you add the organization, the service derives its ID from this name. The ID never changes.',
  addTitle: 'Add an organization',
  addButton: 'Add organization',
  applications: {
    title: 'Applications',
    empty: 'No applications yet. Add one to get an API key.',
    all: (total: number) => `Show all ${count(total, 'application', 'applications')}`,
    add: 'Add application',
  },
  rename: {
    hint: 'Display name. The ID doesn’t change.',
    title: 'Rename',
    conflictTitle: (name: string) => `Rename ${name}`,
    button: 'Rename organization',
  },
  remove: {
    title: 'Remove',
    confirmTitle: (name: string) => `Remove ${name}`,
    button: 'Remove organization',
    about: 'It has no applications. Its change history stays in the audit log.',
    applicationsFirst: (total: number, link: Wrap) => (
      <>
        It still has {count(total, 'application', 'applications')}.{' '}
        {link('Remove its applications')} first.
      </>
    ),
  },
}
