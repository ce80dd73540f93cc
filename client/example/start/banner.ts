/** The text in the terminal when everything runs. */
import { join } from 'node:path'
import { type BackEndFacts, getEnvFile } from './env-file.ts'
import type { Settings } from './settings.ts'
import { toShownPath } from './terminal.ts'

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
  readonly backEnd: BackEndFacts
  /** The folder that `--data` names: commands need it, too. */
  readonly dataOption: string | undefined
}

/** How many origins of a long allowlist are shown. */
const maxOrigins = 10

export function formatBanner({ data }: Settings, facts: BannerFacts): string {
  const { address, hasRealReaders, isTrusted, hasDesktop, serviceBanner, backEnd } = facts
  const { origins, registryPort, port, dsUrl, rootFile } = backEnd
  const envFile = toShownPath(getEnvFile(data))
  const more = origins.length - maxOrigins
  return [
    'Cardwire is running on this computer',
    '',
    formatAddress(address),
    ...origins.slice(0, maxOrigins).map((origin) => `  allowed          ${origin}`),
    ...(more > 0 ? [`                   and ${more} more; the admin console lists all`] : []),
    `  readers          ${hasRealReaders ? 'the card readers of this computer' : 'a virtual one; insert its card on the page, the PIN is 123456'}`,
    `  connector        https://localhost:${port}, with the registry on port ${registryPort}`,
    `  CA file          ${toShownPath(rootFile)}`,
    `  service          ${dsUrl}`,
    `  API key          in ${envFile}, with all of this; only you can read it`,
    `  logs             ${toShownPath(join(data, 'logs'))}`,
    '',
    '  To run your own back end with these settings, from this folder:',
    `  node --env-file=${envFile} server.js`,
    `  If it also calls the connector, put NODE_EXTRA_CA_CERTS=${toShownPath(rootFile)} in front.`,
    '',
    ...(isTrusted ? [] : formatTrustAdvice(facts)),
    ...(hasDesktop ? [] : desktopAdvice),
    serviceBanner,
  ].join('\n')
}

/** The line of the page's address; each address starts one session. */
export const formatAddress = (address: string) => `  page             ${address}`

const formatTrustAdvice = ({ dataOption }: BannerFacts) => [
  '  Your browser doesn’t trust the certificate for https://localhost yet. Run this once in a',
  `  second terminal, then restart your browser: npm run trust${dataOption === undefined ? '' : ` -- --data ${dataOption}`}`,
  '',
]

const desktopAdvice = [
  '  You can’t give consent here: neither DISPLAY nor WAYLAND_DISPLAY is set, so Cardwire can’t read',
  '  the clipboard. Run this command in a terminal of the desktop session of your browser.',
  '',
]
