/** The texts of dialogs and notices in English. */
import { createCount, range } from '../numbers.ts'

const count = createCount('en')

export const dialogs = {
  program: 'A program on this computer',
  card: (name: string) => `Card: ${name}`,
  reader: (name: string) => `Reader: ${name}`,
  cancel: 'Cancel',
  pin: {
    purpose: {
      check: (who: string) => `${who} wants to check your PIN.`,
      authenticate: (who: string) => `${who} wants to know who you are.`,
      sign: (who: string) => `${who} wants your signature.`,
    },
    tries: (left: number) =>
      left === 1 ? 'This is the last try.' : `${count(left, 'try', 'tries')} left.`,
    signatures: (made: number) => `Your PIN makes ${count(made, 'signature', 'signatures')}.`,
    typeAtReader: (times: number) =>
      `Type your PIN on the keys of the reader.${times > 1 ? ` It asks ${times} times, once for each signature.` : ''}`,
    kept: (signatures: number, seconds: number) =>
      `Your PIN makes up to ${count(signatures, 'signature', 'signatures')} without another question, until ${count(seconds, 'second', 'seconds')} pass without one.`,
    checkOnly: 'This only checks the PIN. A signature will ask for it again.',
    wrongForm: (min: number, max: number, digits: boolean) =>
      `The PIN of this card has ${range(min, max, 'to')} ${digits ? 'digits' : 'characters'}.`,
    prompt: 'PIN:',
    submit: { check: 'Check', authenticate: 'Log in', sign: 'Sign' },
    attempt: {
      reasons: {
        last: 'This is the last try: a wrong PIN blocks the card.',
        refused: 'The PIN that was entered last was wrong.',
        early: 'The window for the PIN had only just opened. What you typed was not used.',
      },
      question: 'Do you want to continue?',
      accept: 'Continue',
    },
  },
  key: {
    purposes: {
      sign: (who: string) => `${who} wants your signature with a certificate of this computer.`,
      authenticate: (who: string) =>
        `${who} wants to prove who you are with a certificate of this computer.`,
      check: (who: string) =>
        `${who} wants to know whether a certificate of this computer can be used. Nothing is signed.`,
    },
    certificate: (name: string) => `Certificate: ${name}`,
    issuer: (name: string) => `Issued by: ${name}`,
    question: 'Do you allow this, once?',
    accept: 'Allow',
    refuse: 'Refuse',
  },
  identity: {
    purpose: (who: string) => `${who} wants to read who you are.`,
    data: (what: string) => `This is what your card says about you: ${what}.`,
    /** What a page can read: the parts of an identity card, one by one, and the data of a payment card. */
    holder: {
      biometric: 'name, birth, nationality, numbers',
      address: 'address',
      picture: 'picture',
      payment: 'name, number, country, language and validity',
    },
    and: (first: string, last: string) => `${first} and ${last}`,
    untilRevoked:
      'This site may then read every card of this kind without asking again, until its consent ends or you revoke it.',
    once: 'This program may then read the card once.',
    question: 'Do you share these data?',
    accept: 'Share',
    refuse: 'Do not share',
  },
  folder: {
    title: (origin: string) => `${origin}: folder whose files it may read and write`,
    purpose: (origin: string) => `${origin} may then read and write files in this folder:`,
    extent:
      'That includes all folders in it. It can neither replace nor delete files. It ends with the consent of this site, or when you revoke it.',
    question: 'Do you allow that?',
    accept: 'Allow',
    refuse: 'Do not allow',
    unsuitable:
      'No site may have this folder: it holds more than files for a site, such as settings, programs or everything of yours.',
    choose: 'Choose another folder',
  },
  notifications: {
    consent: (origin: string) =>
      `${origin} can use your card readers from now on. To revoke this: cardwire consents revoke ${origin}`,
    fileWritten: (origin: string, name: string) => `${origin} saved the file ${name}`,
    fileRead: (origin: string, name: string) => `${origin} read the file ${name}`,
  },
  verdict: {
    canBeUpdated: 'Cardwire can be updated',
    mustBeUpdated: 'Cardwire has to be updated',
    recommend: (version: string) =>
      `Version ${version} of Cardwire runs on this machine, and another one is recommended.`,
    require: (version: string) =>
      `Version ${version} of Cardwire is too old to be used, and ends now.`,
    stop: (version: string) =>
      `Version ${version} of Cardwire may not be used any more, and ends now.`,
    install: (version: string) => `Install ${version}`,
    canBeInstalled: (version: string) =>
      `Version ${version} can be installed now. The system asks for an administrator.`,
    askAdministrator: 'Ask your administrator for another version.',
  },
  update: {
    title: 'Cardwire update',
    accept: 'Install',
    unmanaged: 'This connector has no distribution service: get updates from where you got it.',
    unregistered:
      'This connector is not registered with its service: start it, cardwire run; cardwire doctor says more.',
    unanswered: (reason: string) =>
      `The service does not say which version it wants; cardwire doctor says what to do: ${reason}`,
    unknown: 'The service has no policy for this version yet: cardwire sync says why.',
    current: (version: string) =>
      `Version ${version} is the one that the service wants: there is nothing to update.`,
    missing: 'There is no installer for this system: ask your administrator.',
    verdict: {
      recommend: (version: string) => `Another version is recommended over ${version}.`,
      require: (version: string) => `Version ${version} is too old to be used.`,
      stop: (version: string) => `Version ${version} may not be used any more.`,
    },
    downloading: (what: string) => `Downloading: ${what}`,
    withoutDigest: 'The service names no digest for it',
    older: (version: string) => `It is older than ${version}`,
    question: (version: string) => `Install version ${version} now?`,
    nothing: 'Nothing was installed.',
    failed: (reason: string) => reason,
    withoutInstaller: (path: string) =>
      `There is no installer program on this system; the file is ${path}`,
    needsAdministrator: (command: string) => `An administrator has to install it: ${command}`,
    installed: (version: string) => `Version ${version} is installed.`,
    otherInstalled: (version: string) =>
      `The installer has ended, and the version that is installed is ${version}.`,
    ended: (status: number) => `The installer ended with status ${status}.`,
  },
}
