/** What the doctor found, in English: a sentence, and what the person can do. */
import type { FindingCode } from '../finding-codes.ts'

export interface FindingText {
  readonly title: string
  /** Absent: there is nothing to do. */
  readonly todo?: string
}
export type FindingTexts = Readonly<Record<FindingCode, FindingText>>

export const englishFindings: FindingTexts = {
  'card-service-good': { title: 'The card service answers' },
  'readers-good': { title: 'A card reader is connected' },
  'root-good': { title: 'The root certificate of this computer is valid' },
  'leaf-good': { title: 'The certificate of the connection is valid' },
  'trust-good': { title: 'Browsers trust Cardwire' },
  'keystore-good': { title: 'The certificate of your organization is valid' },
  'api-good': { title: 'Cardwire answers' },
  'registry-good': { title: 'Web pages find Cardwire' },
  'registry-port-free': { title: 'The port on which web pages look for Cardwire is free' },
  'clipboard-good': { title: 'Cardwire can read the clipboard' },
  'service-none': { title: 'Cardwire works without an organization' },
  'service-good': { title: 'The service of your organization answers' },
  registered: { title: 'This computer is registered' },
  synchronized: { title: 'Your organization has been in contact' },
  'updates-not-offered': { title: 'No window offers updates: your organization installs them' },
  'machine-synchronized': {
    title: 'The service of this computer has been in contact with your organization',
  },
  'machine-keystore-good': { title: 'The certificate of this computer is valid' },
  'card-service-down': {
    title: 'The card service of this computer does not answer',
    todo: 'Restart the computer. If that does not help, ask your administrator.',
  },
  'card-service-forbidden': {
    title: 'You may not use the card service of this computer',
    todo: 'Log in at the computer itself, not from another one. If that does not help, ask your administrator.',
  },
  'card-service-missing': {
    title: 'This computer has no card service',
    todo: 'Ask your administrator to install it.',
  },
  'readers-none': {
    title: 'No card reader is connected',
    todo: 'Plug in a card reader. If it does not appear, ask your administrator whether its driver is installed.',
  },
  'root-broken': {
    title: 'The root certificate of this computer cannot be used',
    todo: 'Start Cardwire. If this stays, ask your administrator.',
  },
  'leaf-broken': {
    title: 'The certificate of the connection cannot be used',
    todo: 'Start Cardwire. If this stays, ask your administrator.',
  },
  'files-open': {
    title: 'Others can read keys of Cardwire',
    todo: 'Start Cardwire: it closes them. Tell your administrator that they were open.',
  },
  'trust-missing': {
    title: 'A browser does not trust Cardwire yet',
    todo: 'Press the button below, then close the browser completely and open it again.',
  },
  'trust-none': {
    title: 'No browser of yours trusts Cardwire',
    todo: 'Press the button below, then close the browser completely and open it again.',
  },
  'trust-unreadable': {
    title: 'Whether a browser trusts Cardwire cannot be told',
    todo: 'Ask your administrator: a program is missing for it.',
  },
  'keystore-expired': {
    title: 'The certificate of your organization has expired',
    todo: 'Ask your administrator for a new one.',
  },
  'keystore-missing': {
    title: 'The certificate of your organization is missing',
    todo: 'Ask your administrator for it.',
  },
  'not-running': { title: 'Cardwire is not running', todo: 'Start it with the button above.' },
  'not-running-no-port': {
    title: 'Cardwire is not running, and its usual ports are taken',
    todo: 'Start it with the button above: it takes another port.',
  },
  'not-running-masked': {
    title: 'Cardwire is not running: somebody has switched it off',
    todo: 'The button above does not start it. Ask your administrator.',
  },
  'api-silent': {
    title: 'Cardwire runs and does not answer',
    todo: 'Log out of your computer and log in again.',
  },
  'registry-down': {
    title: 'Web pages do not find Cardwire: a service of this computer does not run',
    todo: 'Ask your administrator to start it.',
  },
  'registry-foreign': {
    title: 'Web pages find the Cardwire of somebody else on this computer',
    todo: 'Ask your administrator to make it a service of the computer.',
  },
  'registry-port-taken': {
    title: 'Web pages do not find Cardwire: another program has its port',
    todo: 'Ask your administrator: below is which program it is.',
  },
  'clipboard-unreadable': {
    title: 'Cardwire cannot read the clipboard, so you cannot let in a page',
    todo: 'Ask your administrator: below is what is missing.',
  },
  'clock-jumped': {
    title: 'The clock of this computer has jumped',
    todo: 'Set the clock right. If it is right, leave Cardwire running for some hours.',
  },
  'file-damaged': {
    title: 'A file of Cardwire was damaged and has been replaced',
    todo: 'Ask your administrator to check the disk.',
  },
  'no-pages-allowed': {
    title: 'No web page may use Cardwire yet',
    todo: 'Type in the address and the key of your organization below.',
  },
  'tokens-off': {
    title: 'Web pages need no permission of an organization',
    todo: 'If you did not set it so yourself, tell your administrator.',
  },
  'token-keys-missing': {
    title: 'Cardwire cannot check the permission of web pages',
    todo: 'Type in the address and the key of your organization below.',
  },
  'service-unreachable': {
    title: 'The service of your organization does not answer',
    todo: 'Check your network. If it works, ask your administrator.',
  },
  unregistered: {
    title: 'This computer is not registered with your organization',
    todo: 'Start Cardwire. If this stays, ask your administrator.',
  },
  'never-synchronized': {
    title: 'There was no contact with your organization yet',
    todo: 'Check your network, then check again.',
  },
  'not-synchronized': {
    title: 'There is no contact with your organization now',
    todo: 'Check again. If this stays, ask your administrator.',
  },
  'policy-ending': {
    title: 'Web pages can use Cardwire only for a few days more',
    todo: 'Connect this computer to the network of your organization.',
  },
  'policy-expired': {
    title: 'Web pages cannot use Cardwire: there was no contact for too long',
    todo: 'Connect this computer to the network of your organization.',
  },
  'version-recommended': {
    title: 'Your organization recommends another version',
    todo: 'Install it: see below.',
  },
  'version-forbidden': {
    title: 'This version of Cardwire may not be used any more',
    todo: 'Install another one: see below.',
  },
  'version-unknown': {
    title: 'Your organization does not know this version of Cardwire',
    todo: 'Ask your administrator to register it, or for another one.',
  },
  'key-missing': {
    title: 'The installation key is missing',
    todo: 'Type it in below; your administrator has it.',
  },
  'key-refused': {
    title: 'Your organization does not accept the installation key',
    todo: 'Ask your administrator for the current one, and type it in below.',
  },
  'key-used-up': {
    title: 'Your organization registers no more computers today',
    todo: 'Wait until tomorrow, or ask your administrator.',
  },
  'device-blocked': {
    title: 'Your organization has blocked this computer',
    todo: 'Ask your administrator to unblock it.',
  },
  'clock-skewed': { title: 'The clock of this computer is wrong', todo: 'Set it right.' },
  'machine-settings-ignored': {
    title: 'Settings of this computer do not count',
    todo: 'Ask your administrator: below is why.',
  },
  'machine-not-synchronized': {
    title: 'The service of this computer has no contact with your organization',
    todo: 'Check your network. If it works, ask your administrator.',
  },
  'machine-fault': {
    title: 'The service of this computer reports a fault',
    todo: 'Ask your administrator: below is which one.',
  },
  'machine-keystore-expired': {
    title: 'The certificate of this computer has expired',
    todo: 'Ask your administrator for a new one.',
  },
  'settings-invalid': {
    title: 'Settings of Cardwire cannot be used, so it cannot start',
    todo: 'Ask your administrator: below is which ones.',
  },
  'check-failed': {
    title: 'Something could not be checked',
    todo: 'Check again. If this stays, ask your administrator.',
  },
  'check-late': {
    title: 'A check took too long',
    todo: 'Check again. If this stays, ask your administrator.',
  },
}
