/** The texts of the pages to sign in and out. */
import type { Wrap } from '../markup.ts'

export const signIn = {
  title: 'Sign in',
  button: 'Sign in',
  userName: 'User name',
  password: 'Password',
  code: 'Two-factor code',
  codeHint: 'If enabled for your account. If you don’t have your phone, enter a recovery code.',
  codeMissing:
    'This account uses two-factor authentication. Enter your password again, and the code from your authenticator app.',
  wrongPassword: 'The user name or password is wrong.',
  wrongCode: 'The user name, password or code is wrong. Each code works only once.',
  plainHttp:
    'This page was opened over plain HTTP. Your password could be intercepted, and browsers won’t keep you signed in. Open the admin console over HTTPS, or on the server itself.',
  noClient: (setting: string) =>
    `Administrators sign in through an external identity provider, but no client is configured for browsers. Set ${setting}.`,
  external: {
    about: 'Sign in with your organization’s account.',
    begin: 'Sign in with your identity provider',
    plainHttp: (setting: string) =>
      `This service has a plain HTTP URL. Your sign-in could be intercepted, and browsers won’t keep you signed in. Set ${setting} to an HTTPS URL.`,
    breakGlass: 'Sign in with the emergency account',
    doneTitle: 'Signed in',
    next: 'Continue',
  },
  signedOut: {
    title: 'Signed out',
    about: 'You’ve signed out of the admin console.',
    provider: (link: Wrap) => (
      <>You may still be signed in with your identity provider. {link('Sign out there, too')}.</>
    ),
  },
}
