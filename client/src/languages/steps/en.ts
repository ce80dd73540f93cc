/** What `describeConnection` and `describeCard` say in English: the title, the sentence and the buttons of each state. */
export const englishSteps = {
  looking: 'Looking for your card reader…',
  permissionTitle: 'Allow access to Cardwire',
  permissionText: 'Your browser will ask for your permission. Choose Allow.',
  promptText: 'Look for your browser’s prompt, and choose Allow.',
  notRunningTitle: 'Cardwire isn’t running',
  notRespondingTitle: 'Cardwire isn’t responding',
  unavailableTitle: 'This site is unavailable',
  consentTitle: 'Allow this site to use your card reader?',
  consentText: 'Copy this code. Cardwire finds it on your clipboard and allows this site.',
  codeNotFound:
    'Cardwire couldn’t find the code on your clipboard. Copy the new code, and don’t copy anything else until this page continues.',
  checking: 'Cardwire is checking the code…',
  stale: 'Cardwire isn’t responding. Your card readers may have changed.',
  failedTitle: 'Can’t use your card reader',
  connect: 'Connect',
  copy: 'Copy code and allow',
  proceed: 'I copied the code',
  retry: 'Try again',
  install: 'Download Cardwire',
  // What has to happen before a card is used, and while it is.
  'card-service-down': 'This computer’s smart card service isn’t running. Restart your computer.',
  'no-reader': 'Connect a card reader.',
  'no-card': 'Insert your card.',
  unsupported: 'Cardwire doesn’t support this card. Insert another card.',
  pending: 'Enter your PIN in the Cardwire window. If you don’t see it, look behind this window.',
}

/** What the catalog of each language has. */
export type StepTexts = Readonly<Record<keyof typeof englishSteps, string>>
