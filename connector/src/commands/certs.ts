/** What `cardwire certs` does: shows and changes the certificates of this machine. */
import { join } from 'node:path'
import { toStoreReply, withStores } from '../api/certificate-routes.ts'
import type { CertStatus } from '../certificates/certificates.ts'
import { openCertificates } from '../certificates/open-certificates.ts'
import { mayTrust, type StoreResult } from '../pki/trust-stores/install-root.ts'
import { clockFileName, openClockWatch } from '../system/clock-watch.ts'
import { openLog } from '../system/log.ts'
import type { CommandContext } from './command-context.ts'
import { formatDay } from './doctor/finding.ts'
import { printDocument, wantsJson } from './json-output.ts'
import { green, hasColours, print, printError, red, yellow } from './terminal.ts'
import { describeTrust } from './trust-report.ts'

type Options = Readonly<Record<string, unknown>>

export async function showCertificates(
  machine: CommandContext,
  _: Options,
  [domain]: readonly string[],
): Promise<void> {
  const certificates = openFromContext(machine)
  if (domain !== undefined) {
    const status = await certificates.statusOf(domain)
    const { verified, reasons } = status
    process.exitCode = verified ? 0 : 1
    if (wantsJson()) return printDocument('certs status', status)
    print(`${toMark(verified)} ${domain}${verified ? ' opens without a warning' : ''}`)
    for (const reason of reasons) print(`    ${reason}`)
    return
  }
  const status = await certificates.status()
  const good = status.root.state === 'good' && status.leaf.state === 'good'
  process.exitCode = good ? 0 : 1
  if (wantsJson()) return printDocument('certs status', withStores(status))
  for (const line of formatStatus(status)) print(line)
}

export async function installRootInStores(machine: CommandContext): Promise<void> {
  const results = await openFromContext(machine).install()
  const good = results.every(({ trusted }) => trusted)
  process.exitCode = good ? 0 : 1
  if (wantsJson()) return printDocument('certs install', { trust: results.map(toStoreReply) })
  showStores(results, 'installed')
  if (!good) printError('Not every store trusts the root certificate. The reasons are above.')
}

export async function untrustRoot(machine: CommandContext): Promise<void> {
  const results = await openFromContext(machine).untrust()
  process.exitCode = results.some(mayTrust) ? 1 : 0
  if (wantsJson()) return printDocument('certs untrust', { trust: results.map(toStoreReply) })
  showStores(results, 'uninstalled')
}

export async function renewCertificates(machine: CommandContext, options: Options): Promise<void> {
  const result = await openFromContext(machine).renew({ root: options['root'] === true })
  const { renewed, reason, warnings, trust } = result
  process.exitCode = renewed ? 0 : 1
  if (wantsJson()) return printDocument('certs renew', withStores(result))
  for (const warning of warnings) print(yellow(warning, areColoursOn()))
  print(
    renewed
      ? `${toMark(true)} certificates renewed`
      : `${toMark(false)} nothing was renewed: ${reason}`,
  )
  showStores(trust, 'installed')
}

export async function setHosts(
  machine: CommandContext,
  _: Options,
  names: readonly string[],
): Promise<void> {
  const result = await openFromContext(machine).hosts(names)
  const { names: covered, warnings, reason } = result
  process.exitCode = reason === undefined ? 0 : 1
  if (wantsJson()) return printDocument('certs hosts', result)
  for (const warning of warnings) print(yellow(warning, areColoursOn()))
  print(
    reason === undefined
      ? `${toMark(true)} the certificate is for ${covered.join(', ')}`
      : `${toMark(false)} the certificate was not renewed, and is for ${covered.join(', ')}: ${reason}`,
  )
}

export async function uninstallCertificates(
  machine: CommandContext,
  options: Options,
): Promise<void> {
  const result = await openFromContext(machine).uninstall({ force: options['force'] === true })
  const { removed, reason, trust } = result
  process.exitCode = removed ? 0 : 1
  if (wantsJson()) return printDocument('certs uninstall', withStores(result))
  showStores(trust, 'uninstalled')
  print(
    removed
      ? `${toMark(true)} certificates removed`
      : `${toMark(false)} certificates kept: ${reason}`,
  )
}

/** Windows: the specification's (Versioning §4). */
export function openFromContext({ settings, folders }: CommandContext) {
  const log = openLog(folders.logs, 'certs', { level: settings.logLevel, console: false })
  const clock = openClockWatch({ path: join(folders.runtime, clockFileName), log })
  return openCertificates(settings, folders, log, { isClockTrusted: clock.isTrusted })
}

const areColoursOn = () => hasColours(process.stdout)
const toMark = (good: boolean) => (good ? green('✓', areColoursOn()) : red('✗', areColoursOn()))

/** What was done with the stores: the root was installed, uninstalled, or only its trust was read. */
type TrustAction = 'installed' | 'uninstalled' | 'seen'

/** Each store on a line. */
export function showStores(results: readonly StoreResult[], action: TrustAction): void {
  for (const line of formatStores(results, action)) print(line)
}

const formatStores = (results: readonly StoreResult[], action: TrustAction) =>
  results.map((result) => {
    const remedy = result.remedy === undefined ? '' : `; ${result.remedy}`
    return `${signs[chooseSign(result, action)]()} ${describeTrust(result)}${remedy}`
  })

const signs = {
  good: () => toMark(true),
  note: () => yellow('!', areColoursOn()),
  bad: () => toMark(false),
}

/** One sign has one meaning: done or good, a note, wrong. */
export function chooseSign(
  result: Pick<StoreResult, 'trusted' | 'unread' | 'reason'>,
  action: TrustAction,
): keyof typeof signs {
  if (action === 'uninstalled') {
    if (mayTrust(result)) return 'bad'
    return result.reason === undefined ? 'good' : 'note'
  }
  if (result.trusted) return 'good'
  return action === 'installed' ? 'bad' : 'note'
}

const stateWords = {
  good: 'valid',
  absent: 'missing',
  early: 'not valid yet',
  foreign: 'not from Cardwire',
  broken: 'damaged',
  keyless: 'cannot be used without its private key',
  expired: 'expired',
  stale: 'needs to be renewed',
} as const

/** What a certificate is, until when it is valid and for which names; otherwise why it cannot be used. */
function formatCertificate(
  name: string,
  { state, reason, certificate }: CertStatus['root'] | CertStatus['leaf'],
): string {
  const until = certificate
    ? `${state === 'good' ? ' ' : ', valid '}until ${formatDay(certificate.notAfter)}`
    : ''
  const names = certificate?.names.length ? ` for ${certificate.names.join(', ')}` : ''
  const why = reason === undefined ? '' : ` (${reason})`
  return `${toMark(state === 'good')} ${name}: ${stateWords[state]}${until}${names}${why}`
}

function formatStatus({ folder, root, leaf, hosts, trust, packages }: CertStatus): string[] {
  return [
    folder,
    formatCertificate('root certificate', root),
    formatCertificate('localhost certificate', leaf),
    ...(hosts.needsRoot.length > 0
      ? [
          yellow(
            `for these names, create a new root certificate with cardwire certs renew --root: ${hosts.needsRoot.join(', ')}`,
            areColoursOn(),
          ),
        ]
      : []),
    ...formatStores(trust, 'seen'),
    packages.length > 0 ? `used by ${packages.join(', ')}` : 'not used by any program yet',
  ]
}
