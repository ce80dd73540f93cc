/** The connector: one binary, its roles and its commands. */
import { Command, Option } from 'commander'
import { certsCommand } from './commands/certs.ts'
import { doctor } from './commands/doctor.ts'
import { readMachine, settingFlags, type WithSettings } from './commands/machine.ts'
import { showReaders } from './commands/readers.ts'
import { run } from './commands/run.ts'
import { print } from './commands/style.ts'
import { runSandboxRole } from './sandbox/role.ts'
import { SettingsError } from './settings.ts'
import { version } from './version.ts'

const program = new Command('cardwire')
  .description('Lets web pages that you consent to use the smart-card readers of this machine.')
  .showHelpAfterError()

const withSettings: WithSettings = (command, act) => {
  for (const { flag, meaning } of settingFlags()) command.addOption(new Option(flag, meaning))
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
  program.command('run').description('run the connector of this user, until Ctrl-C'),
  (machine) => run(machine),
)
withSettings(
  program
    .command('readers')
    .description('show the readers and the cards in them')
    .option('--watch', 'go on and show what changes'),
  (machine, options) => showReaders(machine, { watch: options['watch'] === true }),
)
program.addCommand(certsCommand(withSettings))
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
program
  .command('sandbox', { hidden: true })
  .description('the part that talks to the card service; started by run')
  .action(() => runSandboxRole(process.env, new URL('./sandbox/worker.ts', import.meta.url)))

function main(): Promise<unknown> {
  // Whoever read our output may have gone; that is no reason to end.
  process.stdout.on('error', () => undefined)
  process.stderr.on('error', () => undefined)
  return program.parseAsync().catch((error) => {
    const known = error instanceof SettingsError
    process.stderr.write(
      `${known ? error.message : error instanceof Error ? error.stack : error}\n`,
    )
    process.exitCode = known ? 2 : 1
  })
}

void main()
