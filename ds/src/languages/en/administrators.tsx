/** The texts of the screens of administrators. */
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('en-US')

export const administrators = {
  title: 'Administrators',
  about: 'Accounts that can sign in here and call the API, with their roles.',
  programs: (link: Wrap) => <>For programs such as CI pipelines, use {link('API clients')}.</>,
  caption: 'Accounts',
  name: 'User name',
  role: 'Role',
  roles: { viewer: 'Viewer', publisher: 'Publisher', administrator: 'Administrator' },
  roleChoices: {
    viewer: 'Viewer: read-only',
    publisher: 'Publisher: manages releases and configurations',
    administrator: 'Administrator: full access',
  },
  roleHint:
    'Publishers manage versions, rollouts, groups, installers, keystores and configurations, and can approve changes. Only administrators can see device logs, and manage devices, tags, organizations, applications, keys and accounts.',
  secondFactor: 'Two-factor authentication',
  on: 'On',
  off: 'Off',
  passwordDue: 'Password change required',
  openSessions: 'Open sessions',
  you: '(you)',
  external: {
    about:
      'Users who signed in here through your identity provider, most recent first. Roles are as of the last sign-in. To add, change or remove users, use the provider.',
    caption: 'Recent sign-ins',
    lastSignIn: 'Last sign-in',
    subject: 'Subject',
    note: 'Your identity provider manages this user. If you end the sessions here, the user can sign in again until you block the user at the provider.',
  },
  add: {
    title: 'Add an account',
    note: 'The next page shows a generated password once. The account owner must change it at the first sign-in.',
    button: 'Add account',
  },
  password: {
    label: 'Password',
    title: (name: string) => `Password for ${name}`,
    copy: 'Copy password',
    warning: (name: string) =>
      `Copy this password now. It won’t be shown again. The service saves only a hash of it. Send it to ${name} over a secure channel.`,
    done: 'I’ve saved the password',
  },
  history: (by: Wrap, to: Wrap) => (
    <>
      {by('Changes by this account')} and {to('changes to this account')}
    </>
  ),
  own: (link: Wrap) => (
    <>
      This is your own account. Change your password and two-factor authentication under{' '}
      {link('Your account')}. Only another administrator can change your role or remove the account.
    </>
  ),
  changeRole: 'Change role',
  changeRoleNote: 'Takes effect immediately, including in open sessions.',
  access: 'Access',
  acts: {
    password: {
      title: (name: string) => `Set a new password for ${name}`,
      button: 'Set new password',
      about:
        'The current password stops working immediately. The next page shows the new password once. The account owner must change it at the next sign-in.',
    },
    secondFactor: {
      title: (name: string) => `Reset two-factor authentication for ${name}`,
      button: 'Reset two-factor authentication',
      about:
        'Until the account owner sets up two-factor authentication again, the password is enough to sign in. Make sure that the owner asked for this.',
    },
    remove: {
      title: (name: string) => `Remove ${name}`,
      button: 'Remove account',
      about: 'This account can no longer sign in. Its changes stay in the audit log.',
    },
  },
  sessionsEnd: (sessions: number) =>
    sessions === 0
      ? 'The account has no open sessions.'
      : `${count(sessions, 'open session ends', 'open sessions end')} immediately.`,
  sessions: {
    title: 'Open sessions',
    empty: 'No open sessions.',
    caption: 'Sessions',
    began: 'Signed in',
    agent: 'Browser or program',
    program: 'Program',
    address: 'IP address',
    lastUsed: 'Last used',
    ends: 'Expires',
    actions: 'Actions',
    end: 'End session',
    endLabel: (began: string) => `End session that began at ${began}`,
    endAll: (sessions: number) =>
      sessions === 1 ? 'End 1 session' : `End all ${format(sessions)} sessions`,
  },
}
