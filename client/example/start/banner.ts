/** The text in the terminal when everything runs. */
import { join, relative } from 'node:path'
import { root } from './paths.ts'
import type { Settings } from './settings.ts'

export interface BannerFacts {
  /** The address of the page that starts a session. */
  readonly address: string
  /** Whether the readers are those of the machine. */
  readonly hasRealReaders: boolean
  /** Whether a browser trusts the connector already. */
  readonly isTrusted: boolean
  /** Whether there is a desktop, whose clipboard the connector reads code words from. */
  readonly hasDesktop: boolean
  /** The banner of the service, with the administrator's password when the account was just created. */
  readonly serviceBanner: string
}

export function formatBanner(
  { data }: Settings,
  { address, hasRealReaders, isTrusted, hasDesktop, serviceBanner }: BannerFacts,
): string {
  const logs = relative(root, join(data, 'logs'))
  return [
    'Cardwire is running on this computer',
    '',
    formatAddress(address),
    `  readers          ${hasRealReaders ? 'the card readers of this computer' : 'a virtual one; insert its card on the page, the PIN is 123456'}`,
    `  logs             ${logs.startsWith('..') ? join(data, 'logs') : logs}`,
    '',
    ...(isTrusted ? [] : trustAdvice),
    ...(hasDesktop ? [] : desktopAdvice),
    serviceBanner,
  ].join('\n')
}

/** The line of the page's address; each address starts one session. */
export const formatAddress = (address: string) => `  page             ${address}`

const trustAdvice = [
  '  Your browser doesn’t trust the certificate for https://localhost yet. Run this once in a',
  '  second terminal, then restart your browser: npm run trust',
  '',
]

const desktopAdvice = [
  '  You can’t give consent here: neither DISPLAY nor WAYLAND_DISPLAY is set, so Cardwire can’t read',
  '  the clipboard. Run this command in a terminal of the desktop session of your browser.',
  '',
]
