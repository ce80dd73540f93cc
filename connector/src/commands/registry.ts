/** `cardwire registry`: the one port that pages know, for every user of the machine or for one. */
import { homedir } from 'node:os'
import { Command } from 'commander'
import { runRegistryRole } from '../registry/role.ts'
import { installService, uninstallService } from '../registry/service/install.ts'
import { launchdPlist } from '../registry/service/launchd.ts'
import { systemdUnit } from '../registry/service/systemd.ts'
import { windowsTaskXml } from '../registry/service/windows-task.ts'
import { type MachineFolders, machineFoldersOf } from '../system/folders.ts'
import { runner } from '../trust/run.ts'
import { storesOf } from '../trust/stores.ts'
import { showStores } from './certs.ts'
import type { Machine, WithSettings } from './machine.ts'
import { coloured, green, print } from './style.ts'

export function registryCommand(withSettings: WithSettings): Command {
  const registry = new Command('registry')
    .enablePositionalOptions()
    .description('run the registry, which tells pages which connector belongs to whom')
    .option('--service', 'for every user of the machine, with certificates of its own')
  withSettings(registry, (machine, options) =>
    runRegistryRole(machine, { service: options['service'] === true }),
  )
  withSettings(
    registry
      .command('install')
      .description('make it a service of this machine (Linux with systemd; needs an administrator)')
      .option('--print', 'only show the definition of the service'),
    (machine, options) => said(() => install(machine, { print: options['print'] === true })),
  )
  withSettings(
    registry.command('uninstall').description('remove the service, its account and its trust'),
    (machine) =>
      said(async () => showStores(await uninstallService(serviceParts(machine)), 'uninstalled')),
  )
  return registry
}

async function install(machine: Machine, { print: only }: { readonly print: boolean }) {
  const definition = definitionOf(process.platform, foldersOfMachine(machine.settings))
  if (only) {
    process.stdout.write(definition.text)
    return
  }
  if (process.platform !== 'linux') {
    throw new Error(
      `Cannot install the service on this system by itself: save what cardwire registry install --print shows, then ${definition.todo}`,
    )
  }
  if (process.getuid?.() !== 0) {
    throw new Error(
      'Cannot install the service: it needs an administrator, sudo cardwire registry install',
    )
  }
  showStores(await installService(serviceParts(machine)), 'installed')
}

/** A failure is told in its sentence alone; exit status 1. */
async function said(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

function definitionOf(platform: string, { base }: MachineFolders) {
  const program = process.execPath
  if (platform === 'win32') {
    return {
      text: windowsTaskXml(program),
      todo: 'schtasks /create /tn "Cardwire Registry" /xml <file> as an administrator',
    }
  }
  if (platform === 'darwin') {
    return {
      text: launchdPlist(program, base),
      todo: 'make the account _cardwire and launchctl bootstrap system /Library/LaunchDaemons/<file>',
    }
  }
  return { text: systemdUnit(program, base), todo: 'systemctl enable --now cardwire-registry' }
}

function serviceParts({ settings }: Machine) {
  const run = runner()
  const { platform, env: environment } = process
  return {
    program: process.execPath,
    folders: foldersOfMachine(settings),
    run,
    stores: () =>
      storesOf({ platform, home: homedir(), environment, run, uid: process.getuid?.() }, 'machine'),
    done: (what: string) => print(`${green('✓', coloured(process.stdout))} ${what}`),
  }
}

const foldersOfMachine = ({ machineDir }: Machine['settings']) =>
  machineFoldersOf(process.platform, process.env, machineDir)
