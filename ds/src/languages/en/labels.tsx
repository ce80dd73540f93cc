/** The texts of the screens of applications, which the API calls labels. */
import type { Child } from 'hono/jsx'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('en-US')

export const labels = {
  title: 'Applications',
  about:
    'Each application has an API key that its back end exchanges for page tokens. An application is called a label in the API.',
  inTheApi: 'Called a label in the API.',
  empty:
    'No applications yet. Pages need one to get tokens. Add an organization, then its application.',
  noMatch: 'No matching applications. Change the search, or show all.',
  id: 'ID',
  name: 'Name',
  nameHint:
    'Display name. When you add the application, the service derives its ID from this name. The ID never changes, and is in the application’s tokens.',
  organization: 'Organization',
  apiKey: 'API key',
  keyLastUsed: 'Key last used',
  replacedKey: 'Old key',
  worksUntil: (time: Child) => <>Works until {time}</>,
  never: 'Never',
  keyWorks: 'Active',
  keyRevoked: 'Revoked',
  add: {
    link: 'Add application',
    title: 'Add an application',
    noOrganizations: 'An application belongs to an organization. Add an organization first.',
    addOrganization: 'Add organization',
    note: 'The next page shows its API key once.',
    button: 'Add application',
  },
  key: {
    title: (name: string) => `API key for ${name}`,
    copy: 'Copy API key',
    warning:
      'Copy this key now. It won’t be shown again. The service saves only a hash of it. Put the key where the application keeps its secrets.',
    oldKey: (time: Child) => <>The old key works until {time}.</>,
    done: 'I’ve saved the key',
    use: (header: Child, request: Child) => (
      <>
        The back end of the application sends the key in the {header} header to {request} and gets
        tokens for its pages.
      </>
    ),
  },
  uses: {
    title: 'Usage in the last 30 days',
    chart: (name: string) => `Uses per day by the pages of ${name}`,
    description: (total: number, first: string, last: string) =>
      `${count(total, 'use', 'uses')} from ${first} to ${last}`,
    series: 'Uses',
    total: (total: number, link: Wrap) => (
      <>
        {count(total, 'use', 'uses')}. {link('Show as table')}
      </>
    ),
  },
  rename: {
    hint: 'Display name. The ID doesn’t change.',
    title: 'Rename',
    conflictTitle: (name: string) => `Rename ${name}`,
    button: 'Rename application',
  },
  recentUse: (lastUsed: string | undefined, uses: number, mark: Wrap) => (
    <>
      {lastUsed === undefined
        ? 'The key has never been used.'
        : `The key was last used on ${lastUsed}.`}{' '}
      The application’s pages used card readers {mark(format(uses))} {uses === 1 ? 'time' : 'times'}{' '}
      in the last 30 days.
    </>
  ),
  /** After what was used lately. */
  reportedLater: 'Devices report uses only when they sync, so recent uses may be missing.',
  replaceKey: {
    newLink: 'Create new key',
    title: (name: string) => `Replace the API key for ${name}`,
    about:
      'The next page shows the new key once. Choose how long the old key keeps working. The application needs it until you give it the new one.',
    overlap: 'Old key',
    overlaps: {
      none: 'Stops working immediately',
      hour: 'Works for one more hour',
      day: 'Works for one more day',
      week: 'Works for one more week',
      month: 'Works for 30 more days',
    },
    button: 'Replace key',
  },
  revokeKey: {
    title: (name: string) => `Revoke the API key for ${name}`,
    about:
      'The application can’t get new tokens, and loses access to card readers when its current tokens expire. You can create a new key later.',
    button: 'Revoke key',
  },
  remove: {
    title: 'Remove',
    confirmTitle: (name: string) => `Remove ${name}`,
    about:
      'The API key stops working, and the application loses access to card readers when its current tokens expire. Its usage data is kept.',
    button: 'Remove application',
  },
}
