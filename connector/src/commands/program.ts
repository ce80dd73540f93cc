/** The command line: every command, and the settings as flags of each. */
import { Problem } from '@cardwire/client/protocol'
import { Command, Option } from 'commander'
import { SettingsError } from '../settings.ts'
import { version } from '../version.ts'
import { certsCommand } from './certs.ts'
import { consentsCommand } from './consents.ts'
import { doctor } from './doctor/doctor.ts'
import { settingsHeading, teach } from './lessons.ts'
import { foldersAndFile, readMachine, settingFlags, type WithSettings } from './machine.ts'
import { showReaders } from './readers.ts'
import { registryCommand } from './registry.ts'
import { run } from './run.ts'
import { print } from './style.ts'
import { sync } from './sync.ts'
import { update } from './update.ts'

const program = new Command('cardwire').description(
  'Lets web pages that you consent to use the smart-card readers of this machine.',
)

const withSettings: WithSettings = (command, act) => {
  for (const { flag, meaning } of settingFlags())
    command.addOption(new Option(flag, meaning).helpGroup(settingsHeading))
  command.action(async () => {
    const options = command.opts<Record<string, unknown>>()
    const flags = settingFlags().map(({ name, flag }) => {
      const value = options[camelCase(flag)]
      return [name, typeof value === 'string' ? value : undefined] as const
    })
    await act(readMachine(Object.fromEntries(flags)), options, command.args)
  })
}

const camelCase = (flag: string) =>
  flag
    .replace(/^--/, '')
    .replace(/ .*$/, '')
    .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

withSettings(
  program
    .command('run')
    .description(
      'run the connector of this user, until Ctrl-C, with a registry where there is none',
    ),
  (machine) => run(machine, { registry: true }),
)
withSettings(
  program
    .command('api')
    .description('run the API of this user, until Ctrl-C, and start no registry'),
  (machine) => run(machine, { registry: false }),
)
program
  .command('sandbox')
  .description('ask the card service for the API that starts it, over standard input and output')
withSettings(
  program
    .command('readers')
    .description('show the readers and the cards in them')
    .option('--watch', 'go on and show what changes'),
  (machine, options) => showReaders(machine, { watch: options['watch'] === true }),
)
program.addCommand(consentsCommand(withSettings))
program.addCommand(certsCommand(withSettings))
program.addCommand(registryCommand(withSettings))
withSettings(
  program
    .command('sync')
    .description(
      'synchronise with the distribution service now, and show how the connector stands',
    ),
  (machine) => sync(machine),
)
withSettings(
  program
    .command('update')
    .description('download, check and install the version that the distribution service offers')
    .option('--check', 'only tell; exit status 100 when there is one')
    .option('--yes', 'ask nothing; needs a digest of the service'),
  (machine, options) =>
    update(machine, { check: options['check'] === true, yes: options['yes'] === true }),
)
withSettings(
  program
    .command('doctor')
    .description('look at everything the connector needs, and say what to do where it is wrong'),
  (machine) => doctor(machine),
)
program
  .command('version')
  .description('print the version')
  .action(() => print(version))
program.version(version, '-V, --version', 'print the version')
program
  .command('help [command...]')
  .description('show the help of a command')
  .action((names: readonly string[]) => helpOf(program, names))
teach(program, foldersAndFile().settingsFile)

/** Of a command below others too, as `certs install`. */
function helpOf(command: Command, [name, ...names]: readonly string[]): never {
  if (name === undefined) return command.help()
  const below = command.commands.find((each) => each.name() === name)
  if (below) return helpOf(below, names)
  return command.error(`error: unknown command '${name}'`)
}

/** Reads the arguments of this process and does what they say. */
export function runProgram(): Promise<unknown> {
  // Whoever read our output may have gone; that is no reason to end.
  process.stdout.on('error', () => undefined)
  process.stderr.on('error', () => undefined)
  return program.parseAsync().catch((error) => {
    // What nobody foresaw is told with where it happened.
    const foreseen = error instanceof SettingsError || error instanceof Problem
    process.stderr.write(
      `${foreseen ? error.message : error instanceof Error ? error.stack : error}\n`,
    )
    process.exitCode = error instanceof SettingsError ? 2 : 1
  })
}
