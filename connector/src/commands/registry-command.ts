/** `cardwire registry` and its commands. */
import { Command } from 'commander'
import type { AddSettings } from './command-context.ts'

/** Loaded when one of them runs: every other command starts sooner. */
const acts = () => import('./registry.ts')

export function createRegistryCommand(addSettings: AddSettings): Command {
  const registry = new Command('registry')
    .enablePositionalOptions()
    .description('run the registry, which tells pages which connector belongs to their user')
    .option('--service', 'for every user of the machine, with separate certificates')
  addSettings(registry, async (machine, options) =>
    (await acts()).runRegistry(machine, options['service'] === true),
  )
  addSettings(
    registry
      .command('install')
      .description(
        'install it as a service of this machine (Linux with systemd; as an administrator)',
      )
      .option('--print', 'only print the definition of the service'),
    async (machine, options) => (await acts()).installRegistry(machine, options['print'] === true),
    'machine',
  )
  addSettings(
    registry.command('uninstall').description('remove the service, its account and its trust'),
    async (machine) => (await acts()).uninstallRegistry(machine),
    'machine',
  )
  addSettings(
    registry.command('status').description('show the sync state of the registry of this machine'),
    async (machine) => (await acts()).showStatus(machine),
  )
  addSettings(
    registry
      .command('trust')
      .description('make the machine trust the root of the running service')
      .option('--people', "use the roots of all users' connectors instead (Windows)"),
    async (machine, options) => (await acts()).trustRegistry(machine, options['people'] === true),
    'machine',
  )
  addSettings(
    registry
      .command('untrust')
      .description('remove that root from the trust stores of the machine, but keep the files')
      .option('--people', "use the roots of all users' connectors instead (Windows)"),
    async (machine, options) => (await acts()).untrustRegistry(machine, options['people'] === true),
    'machine',
  )
  return registry
}
