/** What `describe` says in English: what happened, and what the user does now. No ids, no commands. */
import type { CardwireErrorKind } from '../kind.ts'
import { createCount } from './count.ts'

const count = createCount('en')

/** What the catalog of each language has: a sentence for each kind of failure, and those that are none. */
export interface Texts extends Readonly<Record<CardwireErrorKind, string>> {
  readonly pinWrongWithAttempts: (left: number) => string
  readonly codeCopied: string
  readonly codeNotCopied: string
}

export const english: Texts = {
  // Before the connector responds.
  'not-running':
    'Cardwire isn’t responding. Make sure it’s installed and running, then restart your browser.',
  'not-responding':
    'Cardwire is running but isn’t responding. Restart your computer. If that doesn’t help, contact your administrator.',
  'certificate-untrusted':
    'This browser doesn’t trust Cardwire yet. Restart your browser. If that doesn’t help, contact your administrator.',
  'origin-refused': 'This site isn’t allowed to use Cardwire. Contact the site’s support.',
  'permission-needed':
    'Your browser needs your permission to connect this site to Cardwire. Try again and choose Allow.',
  'permission-pending':
    'Your browser is asking for your permission. Respond to its prompt, then try again.',
  'permission-denied':
    'Your browser is blocking this site’s access to Cardwire. Allow it in your browser’s settings for this site, then reload the page.',
  'permission-impossible':
    'This page can’t reach Cardwire because of the way it’s embedded. Contact the site’s support.',
  'page-insecure':
    'This page can’t use Cardwire because its connection isn’t secure. Open it from an address that starts with https.',
  'csp-blocked':
    'This site’s own settings don’t let it reach Cardwire. Contact the site’s support.',
  'configuration-invalid':
    'This site isn’t set up correctly for Cardwire. Contact the site’s support.',
  'consent-required': 'To use your card reader here, allow this site.',
  'no-agent':
    'Cardwire didn’t see any of the codes. Make sure it’s running, then copy the new code.',
  'too-many-codes': 'Too many codes were copied. Wait a minute, then copy a new one.',
  'code-word-refused': 'This code can’t be used. Copy the new code.',
  'token-missing':
    'This site didn’t identify itself to Cardwire. Reload the page. If that doesn’t help, contact the site’s support.',
  'token-unavailable': 'This site is unavailable right now. Wait a moment, then try again.',
  'token-expired': 'Your session has expired. Reload the page.',
  'token-refused':
    'Cardwire couldn’t confirm which site this is. Reload the page. If that doesn’t help, contact the site’s support.',
  'signature-wrong':
    'Cardwire’s response couldn’t be verified and wasn’t used. Wait a minute, then try again.',
  timeout: 'Cardwire took too long to respond. Try again.',
  aborted: 'Canceled.',
  'answer-malformed':
    'Another program may be responding in place of Cardwire. Restart Cardwire, then try again.',
  // The connector and its computer.
  internal:
    'Something went wrong in Cardwire. Try again. If it keeps happening, contact your administrator.',
  'too-many-requests': 'Cardwire is busy right now. Wait a moment, then try again.',
  'caller-refused':
    'This browser and Cardwire are running under different user accounts on this computer. Open this page in your own browser.',
  'policy-expired':
    'Cardwire has been out of contact with your organization for too long. Check your network connection. If that doesn’t help, contact your administrator.',
  'device-blocked':
    'Your organization has blocked Cardwire on this computer. Contact your administrator.',
  'grant-missing':
    'Your administrator hasn’t allowed this site to do this. To request access, contact your administrator.',
  'dialog-unavailable': 'Cardwire can’t show its window. Contact your administrator.',
  'route-unknown':
    'Your version of Cardwire is too old for this site. Update Cardwire, then try again.',
  'module-unknown':
    'Cardwire on this computer can’t do what this site needs. Contact the site’s support.',
  'request-invalid': 'This site sent Cardwire an invalid request. Contact the site’s support.',
  unknown: 'Something went wrong. Try again. If it keeps happening, contact the site’s support.',
  // Readers and cards.
  'pcsc-unavailable':
    'Your computer can’t use card readers right now. Reconnect your card reader. If that doesn’t help, restart your computer.',
  'reader-unknown': 'The card reader is no longer connected. Connect it, then try again.',
  'card-absent': 'There is no card in the reader. Insert your card, then try again.',
  'card-changed': 'The card was removed or replaced. Insert your card, then try again.',
  'card-unsupported': 'This card isn’t supported. Use another card.',
  'card-mute': 'The card isn’t responding. Remove it, insert it again, then try again.',
  'card-busy': 'Another program is using the card. Close it or wait a moment, then try again.',
  'card-session-unknown': 'The connection to the card has ended. Try again.',
  'command-refused':
    'This site tried to do something with your card that sites aren’t allowed to do. Contact the site’s support.',
  'key-unknown': 'This card isn’t the one that this site needs. Use another card.',
  'key-unsupported': 'This card can’t do what this site asks for. Use another card.',
  // The user’s PIN and data.
  'pin-busy': 'Cardwire is already asking you something. Look for its window.',
  'pin-wrong': 'The PIN is wrong.',
  'pin-blocked': 'Your PIN is blocked. Contact your card issuer to unblock it.',
  'pin-cancelled': 'You canceled the PIN entry.',
  'pin-timeout': 'The PIN wasn’t entered in time. Try again.',
  'pin-invalid': 'That isn’t a valid PIN for this card. Check it, then try again.',
  'identity-refused': 'You chose not to share your identity data.',
  // Files.
  'file-type-unknown':
    'This site doesn’t have access to this folder. Choose a folder, then try again.',
  'file-type-unmapped':
    'The folder no longer exists, or sites can’t use it. Choose another folder.',
  'file-type-refused':
    'You didn’t choose a folder for this site. To use files here, try again and choose a folder.',
  'file-type-managed': 'Your administrator chose this folder, so you can’t change it here.',
  'file-path-refused': 'Sites can’t use a file with this name. Choose another name.',
  'file-unknown': 'The file no longer exists.',
  'file-taken': 'A file with this name already exists. Choose another name.',
  'file-too-large': 'The file is too large. Choose a smaller one.',
  'disk-failed': 'Your disk reported an error. Check the disk, then try again.',
  'disk-full': 'Your disk is full. Free up some space, then try again.',
  pinWrongWithAttempts: (left: number) =>
    `The PIN is wrong. ${count(left, 'attempt', 'attempts')} left.`,
  // The code that the user copies to allow a site.
  codeCopied: 'The code is copied.',
  codeNotCopied: 'The code wasn’t copied. Select it and copy it yourself.',
}
