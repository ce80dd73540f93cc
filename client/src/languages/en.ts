/** What `describe` says in English: what happened, and what the user does now. No ids, no commands. */
import { createCount } from './count.ts'

const count = createCount('en')

export const english = {
  // Before the connector answers.
  notRunning:
    'Cardwire isn’t responding. Make sure it’s installed and running, then restart your browser.',
  notResponding:
    'Cardwire is running but isn’t responding. Restart your computer. If that doesn’t help, contact your administrator.',
  certificateUntrusted:
    'This browser doesn’t trust Cardwire’s certificate yet. Restart your browser. If that doesn’t help, contact your administrator.',
  originRefused: 'This site isn’t allowed to use Cardwire. Contact the site’s support.',
  permissionNeeded:
    'Your browser needs your permission to connect this site to Cardwire. Try again and choose Allow.',
  permissionPending:
    'Your browser is asking for your permission. Respond to its prompt, then try again.',
  permissionDenied:
    'Your browser is blocking this site’s access to Cardwire. Allow it in your browser’s settings for this site, then reload the page.',
  siteEmbedded:
    'This page can’t reach Cardwire because of the way it’s embedded. Contact the site’s support.',
  siteInsecure:
    'This page can’t use Cardwire because its connection isn’t secure. Open it with https instead.',
  siteFault: 'This site isn’t set up correctly for Cardwire. Contact the site’s support.',
  siteUnavailable: 'This site is unavailable right now. Wait a moment, then try again.',
  siteUnidentified:
    'This site couldn’t identify itself to Cardwire. Reload the page. If that doesn’t help, contact the site’s support.',
  sessionExpired: 'Your session has expired. Reload the page.',
  timeout: 'Cardwire took too long to respond. Try again.',
  aborted: 'Canceled.',
  answerUnverified:
    'Cardwire’s response couldn’t be verified and wasn’t used. Wait a minute, then try again.',
  answerMalformed:
    'Another program may be responding in place of Cardwire. Restart Cardwire, then try again.',
  // Consent.
  consentRequired: 'To use your card reader here, allow this site.',
  codeCopied: 'The code is copied.',
  codeNotCopied: 'The code wasn’t copied. Select it and copy it yourself.',
  codesNotFound:
    'Cardwire didn’t see any of the codes. Make sure it’s running, then copy the new code.',
  codesTooMany: 'Too many codes were copied. Wait a minute, then copy a new one.',
  codeRefused: 'This code can’t be used. Copy the new code.',
  // The connector.
  failed:
    'Something went wrong in Cardwire. Try again. If it keeps happening, contact your administrator.',
  busy: 'Cardwire is busy right now. Wait a moment, then try again.',
  otherUser:
    'This browser and Cardwire are running under different user accounts on this computer. Open this page in your own browser.',
  agentUnknown: 'Cardwire isn’t running in your user account. Start it, then try again.',
  grantMissing:
    'Your administrator hasn’t allowed this site to do this. To request access, contact your administrator.',
  policyExpired:
    'Cardwire has been out of contact with your organization for too long. Check your network connection. If that doesn’t help, contact your administrator.',
  deviceBlocked:
    'Your organization has blocked Cardwire on this computer. Contact your administrator.',
  certificatesKept:
    'Cardwire’s certificates weren’t changed. If you need new ones, contact your administrator.',
  logsKept: 'The logs can’t be sent because your administrator hasn’t set up where to send them.',
  dialogUnavailable: 'Cardwire can’t show its window. Contact your administrator.',
  dialogOpen: 'Cardwire is already asking you something. Look for its window.',
  // Readers and cards.
  readerUnknown: 'The card reader is no longer connected. Connect it, then try again.',
  readersUnavailable:
    'Your computer’s smart card service isn’t running. Reconnect your card reader. If that doesn’t help, restart your computer.',
  cardAbsent: 'There is no card in the reader. Insert your card, then try again.',
  cardChanged: 'The card was removed or replaced. Insert your card, then try again.',
  cardUnsupported: 'This card isn’t supported. Use another card.',
  cardMute: 'The card isn’t responding. Remove it, insert it again, then try again.',
  cardBusy: 'Another program is using the card. Close it or wait a moment, then try again.',
  cardReleased: 'The connection to the card has ended. Try again.',
  keyUnknown: 'This card doesn’t have the key that this site needs. Use another card.',
  keyUnsupported: 'The key on this card doesn’t work with this site. Use another card.',
  storeUnavailable:
    'Cardwire can’t open this computer’s certificate store. Try again. If it keeps happening, contact your administrator.',
  // PINs and the user's data.
  pinWrong: 'The PIN is wrong.',
  pinWrongWithAttempts: (left: number) =>
    `The PIN is wrong. ${count(left, 'attempt', 'attempts')} left.`,
  pinBlocked: 'Your PIN is blocked. Contact your card issuer to unblock it.',
  pinCanceled: 'You canceled the PIN entry.',
  pinTimeout: 'The PIN wasn’t entered in time. Try again.',
  pinInvalid: 'That isn’t a valid PIN for this card. Check it, then try again.',
  identityRefused: 'You chose not to share your identity data.',
  // Files and printers.
  folderUnknown: 'This site doesn’t have access to this folder. Choose a folder, then try again.',
  folderGone: 'The folder no longer exists, or sites can’t use it. Choose another folder.',
  folderRefused:
    'You didn’t choose a folder for this site. To use files here, try again and choose a folder.',
  folderManaged: 'Your administrator chose this folder, so you can’t change it here.',
  nameRefused: 'Sites can’t use a file with this name. Choose another name.',
  fileUnknown: 'The file no longer exists.',
  fileTaken: 'A file with this name already exists. Choose another name.',
  fileTooLarge: 'The file is too large. Choose a smaller one.',
  diskFailed: 'Your disk reported an error. Check the disk, then try again.',
  diskFull: 'Your disk is full. Free up some space, then try again.',
  printerUnknown: 'This printer isn’t available. Choose another printer.',
  printingUnavailable: 'This computer can’t print right now. Check that a printer is set up.',
  printingRefused: 'The printer rejected the document. Check the printer, then try again.',
}

/** What the catalog of each language has. */
export type Texts = typeof english
