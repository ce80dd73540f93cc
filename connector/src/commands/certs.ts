/** `cardwire certs`: the certificates of this machine, looked at and changed. */
import { Command } from 'commander'
import type { CertStatus } from '../certs/certificates.ts'
import { openCertificates } from '../certs/open-certificates.ts'
import { openLog } from '../system/log.ts'
import type { StoreResult } from '../trust/apply.ts'
import type { Machine, WithSettings } from './machine.ts'
import { storeWords } from './store-words.ts'
import { coloured, green, print, red, yellow } from './style.ts'

export function certsCommand(withSettings: WithSettings): Command {
  const certs = new Command('certs').description(
    'the certificates that make https://localhost work',
  )

  withSettings(
    certs.command('status [domain]').description('what there is, and who believes it; or one name'),
    async (machine, _, [domain]) => {
      const certificates = open(machine)
      if (domain !== undefined) {
        const { verified, reasons } = await certificates.statusOf(domain)
        print(`${mark(verified)} ${domain}${verified ? ' opens without a warning' : ''}`)
        for (const reason of reasons) print(`    ${reason}`)
        process.exitCode = verified ? 0 : 1
        return
      }
      const status = await certificates.status()
      for (const line of statusLines(status)) print(line)
      const good = status.root.state === 'good' && status.leaf.state === 'good'
      process.exitCode = good ? 0 : 1
    },
  )
  withSettings(
    certs.command('install').description(`make ${stores} believe the root`),
    async (machine) => {
      const results = await open(machine).install()
      showStores(results, 'installed')
      if (results.every(({ trusted }) => trusted)) return
      process.stderr.write('Not every store believes the root: the reasons stand beside them\n')
      process.exitCode = 1
    },
  )
  withSettings(
    certs
      .command('renew')
      .description('make a new leaf')
      .option('--root', 'and a new root, which needs new trust'),
    async (machine, options) => {
      const { renewed, reason, warnings, trust } = await open(machine).renew({
        root: options['root'] === true,
      })
      for (const warning of warnings) print(yellow(warning, colours()))
      print(renewed ? `${mark(true)} renewed` : `${mark(false)} nothing was renewed: ${reason}`)
      showStores(trust, 'installed')
      if (!renewed) process.exitCode = 1
    },
  )
  withSettings(
    certs
      .command('hosts [names...]')
      .description('set the names beside localhost, 127.0.0.1 and ::1'),
    async (machine, _, names) => {
      const { names: covered, warnings, reason } = await open(machine).hosts(names)
      for (const warning of warnings) print(yellow(warning, colours()))
      print(
        `${mark(reason === undefined)} the certificate carries ${covered.join(', ')}${reason ? `: ${reason}` : ''}`,
      )
      if (reason !== undefined) process.exitCode = 1
    },
  )
  withSettings(
    certs
      .command('uninstall')
      .description('take the trust back, then remove the files')
      .option('--force', 'even where a store keeps believing'),
    async (machine, options) => {
      const { removed, reason, trust } = await open(machine).uninstall({
        force: options['force'] === true,
      })
      showStores(trust, 'uninstalled')
      print(removed ? `${mark(true)} removed` : `${mark(false)} kept: ${reason}`)
      if (!removed) process.exitCode = 1
    },
  )
  return certs
}

/** Windows: the specification's (Versioning §4). */
const stores =
  process.platform === 'win32'
    ? 'the trust store of this machine (needs an administrator)'
    : 'the trust stores of this user'

const open = ({ settings, folders }: Machine) =>
  openCertificates(
    settings,
    folders,
    openLog(folders.logs, 'certs', { level: settings.logLevel, console: false }),
  )

const colours = () => coloured(process.stdout)
const mark = (good: boolean) => (good ? green('✓', colours()) : red('✗', colours()))

/** What the stores were asked for: to believe the root, to forget it, or only whether they believe it. */
type Asked = 'installed' | 'uninstalled' | 'seen'

/** Each store on a line. */
export function showStores(results: readonly StoreResult[], asked: Asked): void {
  for (const line of storeLines(results, asked)) print(line)
}

const storeLines = (results: readonly StoreResult[], asked: Asked) =>
  results.map((result) => {
    const { what, remedy } = storeWords(result)
    return `${signs[signOf(result, asked)]()} ${what}${remedy === undefined ? '' : `; ${remedy}`}`
  })

const signs = { good: () => mark(true), note: () => yellow('!', colours()), bad: () => mark(false) }

/** One sign has one meaning: done or good, a note, wrong. */
export function signOf(
  { trusted, reason }: Pick<StoreResult, 'trusted' | 'reason'>,
  asked: Asked,
): keyof typeof signs {
  if (asked === 'uninstalled') return trusted ? 'bad' : reason === undefined ? 'good' : 'note'
  if (trusted) return 'good'
  return asked === 'installed' ? 'bad' : 'note'
}

function statusLines({ folder, root, leaf, hosts, trust, packages }: CertStatus): string[] {
  const about = (certificate: { notAfter: string; names: readonly string[] } | undefined) =>
    certificate
      ? `, until ${certificate.notAfter.slice(0, 10)}${certificate.names.length > 0 ? `, for ${certificate.names.join(', ')}` : ''}`
      : ''
  return [
    folder,
    `${mark(root.state === 'good')} root: ${root.state}${about(root.certificate)}${root.reason ? `: ${root.reason}` : ''}`,
    `${mark(leaf.state === 'good')} leaf: ${leaf.state}${about(leaf.certificate)}${leaf.reason ? `: ${leaf.reason}` : ''}`,
    ...(hosts.needsRoot.length > 0
      ? [
          yellow(
            `needs a new root: ${hosts.needsRoot.join(', ')} (cardwire certs renew --root)`,
            colours(),
          ),
        ]
      : []),
    ...storeLines(trust, 'seen'),
    packages.length > 0 ? `used by ${packages.join(', ')}` : 'no program uses these files yet',
  ]
}
