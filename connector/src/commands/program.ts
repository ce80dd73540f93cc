/** The command line: every command, and the settings as flags of each. */
import { Problem } from '@cardwire/protocol/problem'
import { Argument, Command, Option } from 'commander'
import { SettingsError } from '../settings.ts'
import { describeError, isFileError } from '../system/file-error.ts'
import { ForeignFolder } from '../system/restrict-folder.ts'
import { version } from '../version.ts'
import { createCertsCommand } from './certs-command.ts'
import {
  type AddSettings,
  findFolders,
  listSettingFlags,
  readCommandContext,
} from './command-context.ts'
import { listCommands } from './command-table.ts'
import { createCompletion, type Shell, shells } from './completion.ts'
import { createConsentsCommand } from './consents-command.ts'
import { addHelp, settingsHeading } from './help-text.ts'
import { addJsonOptions, printDocument, printFailure, wantsJson } from './json-output.ts'
import { createRegistryCommand } from './registry-command.ts'
import { print } from './terminal.ts'

const program = new Command('cardwire')
  // An option belongs to the command before it: `consents` and `consents revoke` have some of the same name.
  .enablePositionalOptions()
  .description('Connects your smart card readers to the websites you allow.')

const addSettings: AddSettings = (command, act, changes = 'user') => {
  addSettingFlags(command)
  command.action(async () => {
    const options = command.opts<Record<string, unknown>>()
    const owner = options['service'] === true ? 'machine' : changes
    await act(readCommandContext(readSettingFlags(command), owner), options, command.args)
  })
}

function addSettingFlags(command: Command): void {
  for (const { flag, meaning } of listSettingFlags())
    command.addOption(new Option(flag, meaning).helpGroup(settingsHeading))
}

function readSettingFlags(command: Command): Readonly<Record<string, string | undefined>> {
  const options = command.opts<Record<string, unknown>>()
  const flags = listSettingFlags().map(({ name, flag }) => {
    const value = options[toCamelCase(flag)]
    return [name, typeof value === 'string' ? value : undefined] as const
  })
  return Object.fromEntries(flags)
}

const toCamelCase = (flag: string) =>
  flag
    .replace(/^--/, '')
    .replace(/ .*$/, '')
    .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

addSettings(
  program
    .command('run')
    .description('run your connector until Ctrl-C; it starts a registry if none is running'),
  async (machine) => (await import('./run-connector.ts')).runConnector(machine, { registry: true }),
)
addSettings(
  program.command('api').description('run only your connector, without a registry, until Ctrl-C'),
  async (machine) =>
    (await import('./run-connector.ts')).runConnector(machine, { registry: false }),
)
const openCommand = program
  .command('open')
  .description('show the state of the connector in the browser, and start it if needed')
  .option('--no-browser', 'only print the URL of the page')
addSettingFlags(openCommand)
openCommand.action(async () =>
  (await import('./open/open.ts')).openPage(readSettingFlags(openCommand), {
    browser: openCommand.opts()['browser'] !== false,
  }),
)
program
  .command('sandbox', { hidden: true })
  .description(
    'reads the smart card service for the API that starts it, over standard input and output',
  )
addSettings(
  program.command('status').description('show whether your connector is running, and its state'),
  async (machine) => (await import('./status.ts')).showStatus(machine),
)
addSettings(
  program.command('stop').description('stop your connector, and wait until it has ended'),
  async (machine) => (await import('./stop.ts')).stopOwnConnector(machine),
)
addSettings(
  program
    .command('readers')
    .description('list the card readers and the cards in them')
    .option('--watch', 'keep running, and show each change'),
  async (machine, options) =>
    (await import('./readers.ts')).showReaders(machine, { watch: options['watch'] === true }),
)
program.addCommand(createConsentsCommand(addSettings))
program.addCommand(createCertsCommand(addSettings))
program.addCommand(createRegistryCommand(addSettings))
addSettings(
  program
    .command('sync')
    .description('sync with the distribution service now, and show the result'),
  async (machine) => (await import('./sync.ts')).runSync(machine),
)
addSettings(
  program
    .command('update')
    .description('download, check and install the version that the distribution service offers')
    .option('--check', 'only check; exit status 100 when an update is available')
    .option(
      '--yes',
      'install without asking; only if the version is newer and the service confirms the hash',
    )
    .option('--dry-run', 'download and check the update, and show how it would be installed')
    .addOption(new Option('--window', 'inform and ask in windows').hideHelp()),
  async (machine, options) =>
    (await import('./update.ts')).runUpdate(machine, {
      check: options['check'] === true,
      yes: options['yes'] === true,
      dryRun: options['dryRun'] === true,
      window: options['window'] === true,
    }),
)
program
  .command('install-update <version> <installer> <sha256> [manifest]', { hidden: true })
  .description('verifies and installs what update has downloaded, as an administrator')
  .action(async (offered: string, installer: string, sha256: string, manifest?: string) =>
    (await import('./install-update.ts')).installUpdate({
      version: offered,
      installer,
      sha256,
      manifest,
    }),
  )
program
  .command('install-values <package>', { hidden: true })
  .description('saves the settings in a downloaded Windows package, as an administrator')
  .action(async (folder: string) => (await import('./install-values.ts')).installValues(folder))
addSettings(
  program
    .command('doctor')
    .description('check everything the connector needs, and say how to fix problems'),
  async (machine) => (await import('./doctor/doctor.ts')).runDoctor(machine),
)
addSettings(
  program
    .command('uninstall')
    .description(
      'remove your files, and the root certificate from your trust stores; an installed package is kept',
    )
    .option('--dry-run', 'only show what would be removed'),
  async (machine, options) =>
    (await import('./uninstall.ts')).uninstallConnector(machine, options['dryRun'] === true),
)
const settingsCommand = program
  .command('settings')
  .description('show each setting, its value and its source')
addSettingFlags(settingsCommand)
settingsCommand.action(async () =>
  (await import('./settings.ts')).showSettings(readSettingFlags(settingsCommand)),
)
program
  .command('version')
  .description('print the version')
  .action(() => (wantsJson() ? printDocument('version', { version }) : print(version)))
program
  .command('completion')
  .description('print the completion script for a shell')
  .addArgument(new Argument('<shell>').choices(shells))
  .action((shell: Shell) => {
    process.stdout.write(createCompletion(shell, listCommands(program)))
  })
program
  .command('man')
  .description('print the manual page')
  .action(async () => {
    const { createManualPage } = await import('./manual-page.ts')
    const date = getBuildTime().toISOString().slice(0, 10)
    process.stdout.write(createManualPage(listCommands(program), { version, date }))
  })
program.version(version, '-V, --version', 'print the version')
program
  .command('help [command...]')
  .description('show the help for a command')
  .action((names: readonly string[]) => showHelp(program, names))
addJsonOptions(program)
addHelp(program, findFolders().settingsFile)

/** Packages name a time, so that the same sources make the same page (reproducible-builds.org/specs/source-date-epoch). */
function getBuildTime(): Date {
  const seconds = Number(process.env['SOURCE_DATE_EPOCH'])
  return seconds > 0 ? new Date(seconds * 1000) : new Date()
}

/** Shows the help of a command or subcommand, such as `certs install`. */
function showHelp(command: Command, [name, ...names]: readonly string[]): never {
  if (name === undefined) return command.help()
  const below = command.commands.find((each) => each.name() === name)
  if (below) return showHelp(below, names)
  return command.error(`error: unknown command '${name}'`)
}

/** The message is one line, whatever is in it. */
const listStack = (error: Error): readonly string[] => [
  String(error),
  ...String(error.stack)
    .split('\n')
    .filter((line) => /^ +at /.test(line)),
]

/** Runs the command in the arguments of this process. */
export function runProgram(): Promise<unknown> {
  // The reader of our output may have ended; that is no reason to end.
  process.stdout.on('error', () => undefined)
  process.stderr.on('error', () => undefined)
  return program.parseAsync().catch((error) => {
    // An unexpected error is printed with its stack; a disk that is full or read-only is expected.
    if (error instanceof SettingsError) return printFailure(error.lines, 2)
    const isExpected =
      error instanceof Problem || error instanceof ForeignFolder || isFileError(error)
    if (isExpected || !(error instanceof Error)) printFailure(describeError(error), 1)
    else printFailure(wantsJson() ? error.message : listStack(error), 1)
  })
}
