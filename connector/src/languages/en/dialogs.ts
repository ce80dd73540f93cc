/** The texts of dialogs and notices in English. */
import { createCount, range } from '../numbers.ts'

const count = createCount('en')

export const dialogs = {
  program: 'A program on this computer',
  card: (name: string) => `Card: ${name}`,
  reader: (name: string) => `Card reader: ${name}`,
  cancel: 'Cancel',
  close: 'Close',
  /** The kinds of card, by the module that works with them. */
  cards: {
    piv: 'PIV card',
    beid: 'Belgian identity card',
    openpgp: 'OpenPGP card',
    emv: 'Payment card',
  },
  pin: {
    purpose: {
      check: (who: string) => `${who} wants to check your PIN.`,
      authenticate: (who: string) =>
        `${who} is asking you to sign in. This shares your name and your certificate.`,
      sign: (who: string) => `${who} is asking you to sign.`,
    },
    tries: (left: number) =>
      left === 1 ? 'This is your last attempt.' : `${count(left, 'attempt', 'attempts')} left.`,
    signatures: (made: number) =>
      `Your PIN will be used for ${count(made, 'signature', 'signatures')}.`,
    typeAtReader: (times: number) =>
      `Enter your PIN on the keypad of the card reader.${times > 1 ? ` The reader asks ${times} times, once for each signature.` : ''}`,
    kept: (signatures: number, seconds: number) =>
      `Your PIN will be used for up to ${count(signatures, 'signature', 'signatures')}. Cardwire asks for it again if ${count(seconds, 'second passes', 'seconds pass')} without a signature.`,
    checkOnly: 'This only checks your PIN. You will enter it again to sign.',
    wrongForm: (min: number, max: number, digits: boolean) =>
      `This card’s PIN has ${range(min, max, 'to')} ${digits ? 'digits' : 'characters'}.`,
    prompt: 'PIN:',
    submit: { check: 'Check', authenticate: 'Sign in', sign: 'Sign' },
    attempt: {
      reasons: {
        last: 'This is your last attempt. If the PIN is wrong, it will be blocked.',
        refused: 'The last PIN you entered was wrong.',
        early: 'You typed before the PIN window was ready, so your entry wasn’t used.',
      },
      question: 'Do you want to continue?',
      accept: 'Continue',
    },
  },
  key: {
    purposes: {
      sign: (who: string) => `${who} is asking you to sign with a certificate on this computer.`,
      authenticate: (who: string) =>
        `${who} is asking you to sign in with a certificate on this computer. This shares your name and the certificate.`,
      check: (who: string) =>
        `${who} wants to check whether a certificate on this computer works. Nothing will be signed.`,
    },
    certificate: (name: string) => `Certificate: ${name}`,
    issuer: (name: string) => `Issued by: ${name}`,
    question: 'Allow this once?',
    accept: 'Allow',
    refuse: 'Don’t allow',
  },
  identity: {
    purpose: (who: string) => `${who} wants to read your identity data.`,
    data: (what: string) => `From your card: ${what}.`,
    /** What a page can read: the parts of an identity card, one by one, and the data of a payment card. */
    holder: {
      biometric:
        'name, sex, date and place of birth, nationality, national number, card number, title, status',
      address: 'address',
      picture: 'photo',
      payment: 'name, card number, country, language and validity dates',
    },
    and: (first: string, last: string) => `${first} and ${last}`,
    untilRevoked:
      'This site can then read any card of this type without asking again, until its access expires or you revoke it.',
    once: 'The program can then read the card once.',
    question: 'Share this information?',
    accept: 'Share',
    refuse: 'Don’t share',
  },
  folder: {
    title: (origin: string) => `${origin}: choose a folder`,
    purpose: (origin: string) => `${origin} will be able to read and write files in this folder:`,
    extent:
      'This includes all folders inside it. The site can also rename and move files, but it can’t overwrite or delete them. This ends when the site’s access expires or when you revoke it.',
    question: 'Allow access?',
    accept: 'Allow',
    refuse: 'Don’t allow',
    unsuitable:
      'Sites can’t use this folder because it can contain settings, programs or all of your files.',
    choose: 'Choose another folder',
  },
  notifications: {
    consent: (origin: string) =>
      `${origin} can now use your card readers. You can revoke access in Cardwire.`,
    fileWritten: (origin: string, name: string) => `${origin} saved the file ${name}`,
    fileRead: (origin: string, name: string) => `${origin} read the file ${name}`,
  },
  verdict: {
    canBeUpdated: 'A Cardwire update is available',
    mustBeUpdated: 'Cardwire must be updated',
    recommend: (version: string) =>
      `You have Cardwire ${version}. Your organization recommends a different version.`,
    require: (version: string) =>
      `Cardwire ${version} is too old and will now close. Your organization requires a different version.`,
    stop: (version: string) =>
      `Your organization has blocked Cardwire ${version}, so it will now close.`,
    install: (version: string) => `Install ${version}`,
    canBeInstalled: (version: string) =>
      `You can install version ${version} now. Administrator rights are required.`,
    askAdministrator: 'Ask your administrator for the update.',
  },
  update: {
    title: 'Cardwire update',
    accept: 'Install',
    unmanaged:
      'Cardwire isn’t connected to an organization. Get updates the same way you got Cardwire.',
    unregistered:
      'This computer isn’t registered with your organization. Start Cardwire. If that doesn’t help, contact your administrator.',
    unanswered: (reason: string) =>
      `Your organization’s server didn’t say which version to use. Try again later, or contact your administrator. Details for your administrator: ${reason}`,
    unknown: 'Cardwire doesn’t know yet whether there is a newer version. Try again later.',
    current: (version: string) => `Cardwire is up to date (version ${version}).`,
    missing: 'There is no installer for this computer. Ask your administrator.',
    verdict: {
      recommend: (version: string) =>
        `You have version ${version}. Your organization recommends a different one.`,
      require: (version: string) =>
        `Version ${version} is too old. Your organization requires a different one.`,
      stop: (version: string) => `Your organization has blocked version ${version}.`,
    },
    downloading: (version: string) => `Downloading version ${version}`,
    withoutDigest:
      'Cardwire can’t check the installer because your organization hasn’t published the data for that check. If you’re not sure, ask your administrator first',
    older: (version: string) => `The offered version is older than the one you have (${version})`,
    question: (version: string) => `Install version ${version} now?`,
    nothing: 'Nothing was installed.',
    failed: (reason: string) =>
      `Nothing was installed. Try again, or ask your administrator. (${reason})`,
    withoutInstaller: (path: string) =>
      `This computer can’t install the update. Ask your administrator to install this file: ${path}`,
    needsAdministrator: (command: string) =>
      `To install this version, an administrator must run this command: ${command}`,
    installed: (version: string) => `Version ${version} is installed.`,
    otherInstalled: (version: string) =>
      `The update didn’t take effect: the installed version is ${version}. Ask your administrator.`,
    ended: (status: number) =>
      `The installer failed with status ${status}. Try again. If that doesn’t help, give this number to your administrator.`,
  },
}
