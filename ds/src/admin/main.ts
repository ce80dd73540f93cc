/** The administrators' command: `npm run admin -- …`, or `cardwire-ds-admin …` of an installed service. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { Problem, type Role, roles } from '@cardwire/protocol'
import { toPrintableText } from '@cardwire/protocol/printable'
import { password as askHidden, cancel, isCancel } from '@clack/prompts'
import { Command, InvalidArgumentError, Option } from 'commander'
import { webRandom } from '../assemble.ts'
import { type Accounts, createAccounts, createTakenProblem } from '../auth/identity/accounts.ts'
import { generatePassword } from '../auth/identity/generate-password.ts'
import { createScryptPasswords } from '../auth/identity/password.ts'
import { createAudit, localSource, type OperationAudit } from '../db/audit.ts'
import { openBetterSqlite3 } from '../db/better-sqlite3.ts'
import { createDatabase, type Database } from '../db/database.ts'
import { describeSettings } from '../environment.ts'
import { checkAccountName, checkPassword } from '../rules/check-account.ts'
import type { DatabaseAddress } from '../rules/database-address.ts'
import { applyMigrations } from '../self-hosted/migrations.ts'
import { openDatabase } from '../self-hosted/open-database.ts'
import { createFolders, requireElsewhere } from '../self-hosted/prepare.ts'
import { toSecretPath } from '../self-hosted/secret-file.ts'
import { printError, printUncaughtErrors, StartError } from '../self-hosted/start-error.ts'
import { readSettings, SettingsError } from '../settings.ts'
import { addApiCommand } from './api-command.ts'
import { addApplyCommand } from './apply/apply-command.ts'
import { backUp } from './backup.ts'
import { addClientCommand } from './client-command.ts'
import { copyDatabase } from './copy-database.ts'
import { addDemoCommand } from './demo-command.ts'
import { addGatewayCommand } from './gateway-command.ts'
import { addLimitsCommand } from './limits-command.ts'
import { addRolloutCommand } from './rollout-command.ts'
import { type RotationOptions, rotateSecret } from './rotate-secret.ts'
import { createSqlRecorder } from './sql-recorder.ts'

/** A failure that the administrator at the terminal can act on. */
class InputError extends Error {}

type Act = (accounts: Accounts, createAudit: (operation: string) => OperationAudit) => Promise<void>

interface Options {
  readonly role?: Role
  readonly generate?: true
  readonly create?: true
  readonly sql?: true
  readonly keepPassword?: true
}

const sql = new Option(
  '--sql',
  'print the statements for `wrangler d1 execute` instead of running them',
)
const generate = new Option('--generate', 'generate a password and print it once')

const keepPassword = new Option(
  '--keep-password',
  'do not require a password change at the first sign-in; use it for your own account',
)

const role = new Option('--role <role>', 'what the account may do')
  .choices(roles)
  .default('administrator')

const create = new Option(
  '--create',
  'create the database if there is none, before the first start of the service',
)

const isRunByNpm = process.env['npm_lifecycle_event'] === 'admin'
const program = new Command(isRunByNpm ? 'npm run admin --' : 'cardwire-ds-admin')
  .description(
    'Manages the database that DS_DATABASE names: the administrators of the embedded identity provider, API clients, backups, and the service secret. Also prints the settings that a fleet needs, and changes the rollouts of a running service.',
  )
  .addHelpText('after', () => `\nSettings (environment):\n${formatSettings()}\n`)
  .showHelpAfterError()

program
  .command('list')
  .description('list the administrators')
  .action(() =>
    withAccounts({}, async ({ list }) => {
      for (const { name, role, createdAt } of await list())
        print(`${name}\t${role}\tsince ${new Date(createdAt).toISOString()}`)
    }),
  )

program
  .command('add <name>')
  .description('add an administrator; asks for the password, or reads it from standard input')
  .addOption(role)
  .addOption(generate)
  .addOption(keepPassword)
  .addOption(create)
  .addOption(sql)
  .action((name: string, options: Options) =>
    withAccounts(options, async ({ isTaken, add }, audit) => {
      checkAccountName(name)
      // Before anybody chooses a password for it.
      if (!options.sql && (await isTaken(name))) throw createTakenProblem(name)
      const password = await choosePassword(options)
      const { role = 'administrator', keepPassword: keeps = false } = options
      await add(audit('addAdministrator'), { name, role, password, keeps })
      if (!options.sql) print(`Added "${name}"`)
    }),
  )

program
  .command('password <name>')
  .description('change the password of an administrator, and end their sessions')
  .addOption(generate)
  .addOption(keepPassword)
  .addOption(sql)
  .action((name: string, options: Options) =>
    withAccounts(options, async ({ find, changePassword }, audit) => {
      if (!options.sql) await find(name)
      const password = await choosePassword(options)
      const { keepPassword: keeps = false } = options
      await changePassword(audit('changePassword'), name, password, { keeps })
      if (!options.sql) print(`Changed the password of "${name}"`)
    }),
  )

program
  .command('role <name> <role>')
  .description('change the role of an administrator: viewer, publisher or administrator')
  .action((name: string, text: string) =>
    withAccounts({}, async ({ changeRole }, audit) => {
      const chosen = roles.find((one) => one === text)
      if (!chosen) throw new InputError(`Cannot set this role: expected ${roles.join(', ')}`)
      await changeRole(audit('changeRole'), name, chosen)
      print(`Changed the role of "${name}" to ${chosen}`)
    }),
  )

program
  .command('reset-second-factor <name>')
  .description(
    'turn off two-factor authentication for an administrator who lost their phone, and end their sessions',
  )
  .addOption(sql)
  .action((name: string, options: Options) =>
    withAccounts(options, async ({ resetSecondFactor }, audit) => {
      let hadNone = false
      const own = audit('resetSecondFactor')
      const markUnchanged = () => {
        hadNone = true
      }
      await resetSecondFactor({ ...own, markUnchanged }, name)
      if (options.sql) return
      print(
        hadNone
          ? `"${name}" has no two-factor authentication. Nothing was changed.`
          : `Turned off two-factor authentication for "${name}"`,
      )
    }),
  )

program
  .command('remove <name>')
  .description('remove an administrator, and end their sessions')
  .action((name: string) =>
    withAccounts({}, async ({ remove }, audit) => {
      await remove(audit('removeAdministrator'), name)
      print(`Removed "${name}"`)
    }),
  )

program
  .command('backup <folder>')
  .description(
    'copy the database and its secret to a new folder inside this one; the service can keep running',
  )
  .addOption(
    new Option('--keep <count>', 'keep only this many backups in the folder, and remove the oldest')
      .argParser(parseCount)
      .default(Number.POSITIVE_INFINITY, 'all'),
  )
  .action(async (folder: string, { keep }: { readonly keep: number }) => {
    process.umask(0o077)
    const settings = readSettings(process.env)
    const { database } = settings
    if (database.kind === 'postgres')
      throw new StartError('Cannot back up a PostgreSQL database: use pg_dump')
    requireFile(database)
    await requireElsewhere('backups', folder, settings)
    const made = await backUp(resolve(database.file), resolve(folder), { keep, now: Date.now() })
    print(`Backed up to "${made.folder}"`)
    if (!made.hasSecret)
      print('The backup does not contain the secret of the database. Keep a copy of DS_SECRET.')
    for (const removed of made.removed) print(`Removed "${removed}"`)
  })

program
  .command('database')
  .description('move to another database')
  .command('copy')
  .description('copy everything into an empty PostgreSQL database; stop the service first')
  .requiredOption('--from <file>', 'the SQLite database')
  .requiredOption(
    '--to <url>',
    'postgres://user@host/database; you can set its password in PGPASSWORD',
  )
  .action(async ({ from, to }: { readonly from: string; readonly to: string }) => {
    for (const { name, rows, digest } of await copyDatabase(from, to))
      print(`${name}\t${rows} rows\tsha256 ${digest}`)
    print(
      `Copied. Set DS_SECRET to the secret of "${from}". Unless you had set DS_SECRET, it is in "${toSecretPath(from)}"`,
    )
  })

program
  .command('secret')
  .description('rotate the service secret')
  .command('rotate')
  .description('encrypt everything in the database with a new secret; stop the service first')
  .option('--to <file>', 'the file with the new secret, if DS_SECRET has the old one')
  .option('--back', 'go back to the secret from before the last rotation')
  .option('--yes', 'rotate the secret; without this, only print what would change')
  .action(async (options: RotationOptions) => {
    process.umask(0o077)
    const settings = readSettings(process.env)
    requireFile(settings.database)
    const { resealed, advice } = await rotateSecret(settings, options)
    for (const { title, changed, unchanged } of resealed)
      print(`${title}\t${changed} with the old secret\t${unchanged} with the new one`)
    print(advice)
  })

addClientCommand(program, {
  print,
  note: (line) => process.stderr.write(`${line}\n`),
  withDatabase,
})
addLimitsCommand(program, print)
addGatewayCommand(program, print, ({ database }) => requireFile(database))
addDemoCommand(program, print)
addRolloutCommand(program, print)
addApplyCommand(program, print)
addApiCommand(program, print)

printUncaughtErrors()
await program.parseAsync().catch((error) => {
  const known = [InputError, Problem, SettingsError, StartError].some(
    (kind) => error instanceof kind,
  )
  printError(error, known)
  process.exitCode = 1
})

async function withAccounts(options: Options, act: Act): Promise<void> {
  const run = (db: Database) => {
    const parts = { db, clock: Date.now, passwords: createScryptPasswords(webRandom) }
    return act(createAccounts(parts), (operation) => createAudit(parts, operation, localSource))
  }
  if (!options.sql) return withDatabase(options, run)
  const statements = createSqlRecorder()
  await run(createDatabase(statements))
  print(statements.text())
}

async function withDatabase(
  options: Pick<Options, 'create'>,
  run: (db: Database) => Promise<void>,
): Promise<void> {
  if (options.create) await createFolders(readSettings(process.env))
  const address = findDatabase()
  if (!options.create) requireFile(address)
  const { driver, close } = await openDatabase(address, openBetterSqlite3)
  try {
    await applyMigrations(driver)
    await run(createDatabase(driver))
  } finally {
    await close()
  }
}

function findDatabase(): DatabaseAddress {
  return readSettings(process.env).database
}

/** Throws where the database is a file that does not exist; a command would make it. */
function requireFile(address: DatabaseAddress): void {
  if (address.kind === 'postgres') return
  const file = resolve(address.file)
  if (existsSync(file)) return
  throw new StartError(
    `Cannot find the database "${file}" (DS_DATABASE): start the service once, create the database with add --create, or set DS_DATABASE to its file`,
  )
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number of 1 or more.')
}

async function choosePassword(options: Options): Promise<string> {
  const password = await readPassword(options)
  checkPassword(password)
  return password
}

/** Asks for the password on a terminal, without echo; else reads the first line of standard input. */
async function readPassword(options: Options): Promise<string> {
  if (options.generate) {
    const generated = generatePassword(webRandom)
    // On standard error, because the statements of --sql go into a file.
    process.stderr.write(`Password (shown once): ${generated}\n`)
    return generated
  }
  if (process.stdin.isTTY) {
    const first = await ask('Password')
    if (first !== (await ask('Repeat the password')))
      throw new InputError('Cannot accept the password: the two entries differ')
    return first
  }
  for await (const line of createInterface({ input: process.stdin })) return line
  throw new InputError('Cannot read the password: standard input is empty')
}

async function ask(message: string): Promise<string> {
  const answer = await askHidden({ message })
  if (!isCancel(answer)) return answer
  cancel('Nothing was changed')
  process.exit(130)
}

/** A line, or JSON. What a service names may have characters that a terminal obeys. */
function print(text: string): void {
  // Tabs separate columns; in what is printed as JSON there are none.
  process.stdout.write(`${text.split('\t').map(toPrintableText).join('\t')}\n`)
}

function formatSettings(): string {
  const shown = describeSettings().filter(({ name }) => name === 'DS_DATABASE')
  return shown
    .map(({ name, meaning, fallback }) => `  ${name}  ${meaning} (${fallback})`)
    .join('\n')
}
