/** The texts of the screen of the own account. */
import type { Child } from 'hono/jsx'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('en-US')

const signedOut = (sessions: number) =>
  `You’re signed out of ${count(sessions, 'other session', 'other sessions')}.`

export const account = {
  title: 'Your account',
  name: 'User name',
  role: 'Role',
  external: 'Your identity provider manages your password and two-factor authentication.',
  language: {
    title: 'Language',
    label: 'Display language',
    hint: 'Applies to this browser only.',
    ofBrowser: 'Same as the browser',
    button: 'Change language',
  },
  password: {
    title: 'Password',
    current: 'Current password',
    new: 'New password',
    newHint: 'At least 12 characters. You’ll be signed out of your other sessions.',
    again: 'Confirm new password',
    button: 'Change password',
    differs: 'The new passwords don’t match',
    same: 'Choose a password that’s different from the current one',
    done: (sessions: number) =>
      sessions === 0 ? 'Password changed.' : `Password changed. ${signedOut(sessions)}`,
  },
  secondFactor: {
    title: 'Two-factor authentication',
    on: 'On',
    onAbout: (field: Child) => (
      <>
        You enter a code from your authenticator app each time you sign in. Programs send it as{' '}
        {field}.
      </>
    ),
    off: 'Off',
    offAbout:
      'When this is on, you also need a code from an authenticator app to sign in, so a stolen password isn’t enough.',
    password: 'Your password',
    setUp: 'Set up two-factor authentication',
    turnOn: 'Turn on two-factor authentication',
    turnOff: 'Turn off two-factor authentication',
    scan: 'Scan this QR code with an authenticator app, or copy the secret into the app. The secret won’t be shown again.',
    qrCode: 'QR code for an authenticator app',
    copySecret: 'Copy secret',
    parameters: 'Time-based, 6 digits, 30 seconds, SHA-1.',
    code: 'Code shown in the app',
    turnedOn: (sessions: number) =>
      sessions === 0
        ? 'Two-factor authentication is on.'
        : `Two-factor authentication is on. ${signedOut(sessions)}`,
    turnedOff: 'Two-factor authentication is off.',
    recovery: (command: Child) => (
      <>
        If you lose your phone and your recovery codes, ask another administrator to reset
        two-factor authentication for you, or run {command} on the server.
      </>
    ),
  },
  recoveryCodes: {
    title: 'Recovery codes',
    left: (codes: number) =>
      codes === 0
        ? 'No recovery codes left. Create new ones.'
        : `${count(codes, 'recovery code', 'recovery codes')} left. Each signs you in once without your phone.`,
    used: (time: Child, address: string) => (
      <>
        Used on {time} from {address}
      </>
    ),
    renewAbout: 'New recovery codes replace the current ones.',
    renew: 'Create new recovery codes',
    password: 'Account password',
    code: 'Code shown in the app',
    warning:
      'Save these recovery codes now; they won’t be shown again. If you lose your phone, enter one in place of the two-factor code. Each works once. Don’t keep them next to your password.',
    copy: 'Copy recovery codes',
    done: 'I’ve saved the recovery codes',
  },
  firstSteps: {
    password: {
      title: 'Choose a new password',
      about: 'Someone else set your current password. To continue, choose one that only you know.',
      button: 'Save and continue',
    },
    secondFactor: {
      title: 'Set up two-factor authentication',
      about:
        'Your organization requires two-factor authentication. To continue, set it up with an authenticator app on your phone.',
      button: 'Set up two-factor authentication',
    },
  },
  sessions: {
    title: 'Sessions',
    caption: 'Where you’re signed in',
    session: 'Session',
    address: 'IP address',
    began: 'Signed in',
    lastUsed: 'Last used',
    actions: 'Actions',
    current: 'This session',
    program: 'Program that uses the API',
    browser: 'Unknown browser',
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    end: 'Sign out',
    endLabel: (session: string) => `Sign out of ${session}`,
    /** `sessions`: undefined when the list is not of all. */
    endOthers: (sessions: number | undefined) =>
      sessions === undefined
        ? 'Sign out of other sessions'
        : `Sign out of ${count(sessions, 'other session', 'other sessions')}`,
    ended: 'You’re signed out of that session.',
    othersEnded: (sessions: number) =>
      sessions === 0 ? 'You have no other sessions.' : signedOut(sessions),
  },
}
