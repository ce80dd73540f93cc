/** Chromium as the machine has it, able to run as root, and calling nobody. */

export const chromiumProgram = '/usr/bin/chromium'

/** Its engine without the browser around it, for half the processor time: no policies, no permissions, no trust of the user. */
export const headlessProgram = '/usr/bin/chromium-headless-shell'

/** For how long a test waits for something in a page, in milliseconds: on a busy machine a page is slow, and not wrong. */
export const pageWaitMs = 50_000

export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--password-store=basic',
] as const
