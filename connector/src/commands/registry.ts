/** What `cardwire registry` does: runs the registry, and installs it as a service of the machine. */
import { homedir } from 'node:os'
import { findTrustStores } from '../pki/trust-stores/find-trust-stores.ts'
import { mayTrust } from '../pki/trust-stores/install-root.ts'
import { runStandaloneRegistry } from '../registry/run-standalone.ts'
import {
  installService,
  trustService,
  uninstallService,
  untrustService,
} from '../registry/service/install.ts'
import { createLaunchdPlist } from '../registry/service/launchd.ts'
import { createSystemdUnit } from '../registry/service/systemd.ts'
import { trustUserRoots, untrustUserRoots } from '../registry/service/user-roots.ts'
import { createWindowsTaskXml } from '../registry/service/windows-task.ts'
import { errorText } from '../system/error-text.ts'
import { getMachineFolders, type MachineFolders } from '../system/folders.ts'
import { createRunner } from '../system/run-command.ts'
import { readProfilesFolder } from '../system/windows-profiles.ts'
import { openWindowsUserFiles } from '../system/windows-user-files.ts'
import { showStores } from './certs.ts'
import { type CommandContext, getInstallationFolder, getWorkerFile } from './command-context.ts'
import { showRegistryStatus } from './registry-status.ts'
import { green, hasColours, print, printError } from './terminal.ts'

export const runRegistry = (machine: CommandContext, isService: boolean): Promise<void> =>
  runStandaloneRegistry(machine, {
    service: isService,
    installation: {
      folder: getInstallationFolder(),
      keystoreWorker: getWorkerFile('./distribution/keystore/keystore-worker.ts'),
    },
  })

export const installRegistry = (machine: CommandContext, isPrinted: boolean): Promise<void> =>
  reportErrors(() => installOrPrint(machine, { print: isPrinted }))

export const uninstallRegistry = (machine: CommandContext): Promise<void> =>
  reportErrors(async () =>
    showStores(await uninstallService(createServiceParts(machine)), 'uninstalled'),
  )

export const showStatus = (machine: CommandContext): Promise<void> =>
  showRegistryStatus(getServiceFolders(machine.settings))

/** `ofPeople`: the roots of all users' connectors in place of that of the service. */
export const trustRegistry = (machine: CommandContext, ofPeople: boolean): Promise<void> =>
  reportErrors(async () => {
    if (ofPeople) return showUserRoots(trustUserRoots, machine, 'installed')
    const results = await trustService(createServiceParts(machine))
    if (!results.every(({ trusted }) => trusted)) process.exitCode = 1
    showStores(results, 'installed')
  })

export const untrustRegistry = (machine: CommandContext, ofPeople: boolean): Promise<void> =>
  reportErrors(async () => {
    if (ofPeople) return showUserRoots(untrustUserRoots, machine, 'uninstalled')
    const results = await untrustService(createServiceParts(machine))
    if (results.some(mayTrust)) process.exitCode = 1
    showStores(results, 'uninstalled')
  })

/** Exit status 1 when a root is not in the wanted state. */
async function showUserRoots(
  act: typeof trustUserRoots,
  machine: CommandContext,
  action: 'installed' | 'uninstalled',
): Promise<void> {
  if (process.platform !== 'win32')
    throw new Error(
      'Cannot use --people on this system: it is only for Windows, where all users share a trust store',
    )
  const { stores, hosts } = createServiceParts(machine)
  const profiles = readProfilesFolder()
  const files = openWindowsUserFiles(profiles)
  const options = { profiles, files, stores, hosts, timeoutMs: rootTimeoutMs }
  for (const { user, results, reason } of await act(options)) {
    const wanted = results.every((one) => (action === 'installed' ? one.trusted : !mayTrust(one)))
    if (reason !== undefined || !wanted) process.exitCode = 1
    print(reason === undefined ? user : `${user}: ${reason}`)
    showStores(results, action)
  }
}

/** How long connectors that have just started may take to make their roots, in milliseconds. */
const rootTimeoutMs = 15_000

async function installOrPrint(
  machine: CommandContext,
  { print: only }: { readonly print: boolean },
) {
  const definition = createDefinition(process.platform, getServiceFolders(machine.settings))
  if (only) {
    process.stdout.write(definition.text)
    return
  }
  if (process.platform !== 'linux') {
    throw new Error(
      `Cannot install the service on this system automatically. Save the output of cardwire registry install --print, then ${definition.todo}`,
    )
  }
  if (process.getuid?.() !== 0) {
    throw new Error(
      'Cannot install the service: you are not an administrator. Run sudo cardwire registry install',
    )
  }
  showStores(await installService(createServiceParts(machine)), 'installed')
}

/** Prints an error as its message alone; exit status 1. */
async function reportErrors(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    printError(errorText(error))
    process.exitCode = 1
  }
}

function createDefinition(platform: string, { base }: MachineFolders) {
  const program = process.execPath
  if (platform === 'win32') {
    return {
      text: createWindowsTaskXml(program),
      todo: 'run as an administrator: schtasks /create /tn "Cardwire Registry" /xml <file>',
    }
  }
  if (platform === 'darwin') {
    return {
      text: createLaunchdPlist(program, base),
      todo: 'create the account _cardwire, then run: launchctl bootstrap system /Library/LaunchDaemons/<file>',
    }
  }
  return {
    text: createSystemdUnit(program, base),
    todo: 'run: systemctl enable --now cardwire-registry',
  }
}

function createServiceParts({ settings }: CommandContext) {
  const run = createRunner()
  const { platform, env: environment } = process
  return {
    program: process.execPath,
    folders: getServiceFolders(settings),
    run,
    stores: () =>
      findTrustStores(
        {
          platform,
          home: homedir(),
          environment,
          run,
          uid: process.getuid?.(),
          browserPolicies: settings.browserPolicies,
        },
        'machine',
      ),
    hosts: settings.hosts,
    reportStep: (what: string) => print(`${green('✓', hasColours(process.stdout))} ${what}`),
  }
}

export const getServiceFolders = ({ machineDir }: CommandContext['settings']) =>
  getMachineFolders(process.platform, process.env, machineDir)
