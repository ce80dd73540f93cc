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
    'Cardwire, the whole of it on this machine',
    '',
    formatAddress(address),
    `  readers          ${hasRealReaders ? 'those of this machine' : 'a virtual one, whose card you insert on the page; its PIN is 123456'}`,
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
  '  The browser has to trust the certificate that the connector made for https://localhost:',
  '  npm run trust, in a second terminal, once. Then start the browser again.',
  '',
]

const desktopAdvice = [
  '  Nobody can give consent: neither DISPLAY nor WAYLAND_DISPLAY is set, so the connector sees no',
  '  clipboard. Start it in a terminal of the desktop session in which the browser runs.',
  '',
]
