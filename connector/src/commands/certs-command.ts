/** `cardwire certs` and its commands. */
import { Command } from 'commander'
import type { AddSettings } from './command-context.ts'

/** Loaded when one of them runs: every other command starts sooner. */
const acts = () => import('./certs.ts')

const stores =
  process.platform === 'win32'
    ? 'this computer’s trust store (needs an administrator)'
    : 'the trust stores of this user'

export function createCertsCommand(withSettings: AddSettings): Command {
  const certs = new Command('certs').description(
    'manage the certificates that make https://localhost work',
  )

  withSettings(
    certs
      .command('status [domain]')
      .description(
        'show the files and which stores trust Cardwire’s root certificate, or whether one host name works',
      ),
    async (...given) => (await acts()).showCertificates(...given),
  )
  withSettings(
    certs.command('install').description(`install Cardwire’s root certificate in ${stores}`),
    async (machine) => (await acts()).installRootInStores(machine),
  )
  withSettings(
    certs
      .command('untrust')
      .description('remove Cardwire’s root certificate from the trust stores, but keep the files'),
    async (machine) => (await acts()).untrustRoot(machine),
  )
  withSettings(
    certs
      .command('renew')
      .description('renew the localhost certificate')
      .option('--root', 'also create a new root certificate, which you then have to install'),
    async (machine, options) => (await acts()).renewCertificates(machine, options),
  )
  withSettings(
    certs
      .command('hosts [names...]')
      .description('set the host names to serve besides localhost, 127.0.0.1 and ::1'),
    async (...given) => (await acts()).setHosts(...given),
  )
  withSettings(
    certs
      .command('uninstall')
      .description(
        'remove Cardwire’s root certificate from the trust stores, then remove the files',
      )
      .option(
        '--force',
        'remove the files even if a store still trusts the root certificate, or cannot be read',
      ),
    async (machine, options) => (await acts()).uninstallCertificates(machine, options),
  )
  return certs
}
