/** `cardwire registry` and its commands. */
import { Command } from 'commander'
import type { AddSettings } from './command-context.ts'

/** Loaded when one of them runs: every other command starts sooner. */
const acts = () => import('./registry.ts')

export function createRegistryCommand(addSettings: AddSettings): Command {
  const registry = new Command('registry')
    .enablePositionalOptions()
    .description('run the registry, which leads pages to the connector of their user')
    .option('--service', 'for every user of this computer, with separate certificates')
  addSettings(registry, async (machine, options) =>
    (await acts()).runRegistry(machine, options['service'] === true),
  )
  addSettings(
    registry
      .command('install')
      .description(
        'install it as a service on this computer (Linux with systemd; as an administrator)',
      )
      .option('--print', 'only print the definition of the service'),
    async (machine, options) => (await acts()).installRegistry(machine, options['print'] === true),
    'machine',
  )
  addSettings(
    registry
      .command('uninstall')
      .description('remove the service and its account, and stop trusting its root certificate'),
    async (machine) => (await acts()).uninstallRegistry(machine),
    'machine',
  )
  addSettings(
    registry.command('status').description('show whether this computer’s registry is in sync'),
    async (machine) => (await acts()).showStatus(machine),
  )
  addSettings(
    registry
      .command('trust')
      .description('make this computer trust the root certificate of the running service')
      .option('--people', "trust the root certificates of all users' connectors instead (Windows)"),
    async (machine, options) => (await acts()).trustRegistry(machine, options['people'] === true),
    'machine',
  )
  addSettings(
    registry
      .command('untrust')
      .description(
        'remove that root certificate from this computer’s trust stores, but keep the files',
      )
      .option(
        '--people',
        "remove the root certificates of all users' connectors instead (Windows)",
      ),
    async (machine, options) => (await acts()).untrustRegistry(machine, options['people'] === true),
    'machine',
  )
  return registry
}
