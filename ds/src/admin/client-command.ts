/** `client`: adds, lists and removes API clients, and gives them secrets, in the database of this server. */
import { addApiClient, clientLimits, Problem, type Role, roles } from '@cardwire/protocol'
import { type Command, InvalidArgumentError, Option } from 'commander'
import * as z from 'zod'
import { digestWithWebCrypto, webRandom } from '../assemble.ts'
import { type ApiClients, createApiClients } from '../auth/programs/api-clients.ts'
import { createAudit, localSource, type OperationAudit } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import { createNumberOption } from './number-option.ts'

export interface ClientCommandParts {
  print(line: string): void
  /** Beside what is printed, which may go into a file. */
  note(line: string): void
  /** `create`: also where there is no database yet. */
  withDatabase(
    options: { readonly create?: true },
    act: (db: Database) => Promise<void>,
  ): Promise<void>
}

interface AddOptions {
  readonly role: Role
  readonly description?: string
  readonly create?: true
}

interface SecretOptions {
  readonly days: number
  readonly retireOthers?: number
}

const maxOverlapHours = clientLimits.overlapS.max / 3600

export function addClientCommand(
  program: Command,
  { print, note, withDatabase }: ClientCommandParts,
): void {
  const withClients = (
    options: { readonly create?: true },
    act: (clients: ApiClients, createAudit: (operation: string) => OperationAudit) => Promise<void>,
  ) =>
    withDatabase(options, (db) => {
      const parts = { db, clock: Date.now, random: webRandom, digest: digestWithWebCrypto }
      return act(createApiClients(parts), (operation) => createAudit(parts, operation, localSource))
    })

  const command = program
    .command('client')
    .description('manage API clients: programs that get access tokens without an account')

  command
    .command('list')
    .description('list the API clients')
    .action(() =>
      withClients({}, async ({ list }) => {
        for (const { id, role, credentials, lastUsedAt } of await list()) {
          const count =
            credentials.length === 1 ? '1 credential' : `${credentials.length} credentials`
          const use = lastUsedAt === undefined ? 'never used' : `last used ${lastUsedAt}`
          print([id, role, count, use].join('\t'))
        }
      }),
    )

  command
    .command('add <id>')
    .description('add an API client; give it a secret next')
    .addOption(
      new Option('--role <role>', 'what the client may do').choices(roles).default('viewer'),
    )
    .option('--description <text>', 'what the program does')
    .option(
      '--create',
      'create the database if there is none, before the first start of the service',
    )
    .action((id: string, { role, description, create }: AddOptions) =>
      withClients(create ? { create } : {}, async ({ add }, audit) => {
        await add(audit(addApiClient.name), checkClient({ id, role, description }))
        print(`Added "${id}"`)
      }),
    )

  command
    .command('secret <id>')
    .description('add a secret to an API client, and print it once')
    .addOption(
      createNumberOption(
        '--days <count>',
        'days until the secret expires',
        clientLimits.secretDays.max,
      ).default(clientLimits.secretDays.default),
    )
    .addOption(
      new Option(
        '--retire-others <hours>',
        'hours until the other secrets of the client stop working; 0: immediately',
      )
        .argParser(parseHours)
        .default(undefined, 'they work until they expire'),
    )
    .action((id: string, { days, retireOthers }: SecretOptions) =>
      withClients({}, async ({ addCredential }, audit) => {
        const { secret = '', expiresAt } = await addCredential(audit('addClientCredential'), id, {
          ...{ kind: 'secret', days },
          ...(retireOthers !== undefined && { retireOthersInS: retireOthers * 3600 }),
        })
        note(`Secret of "${id}", shown once. It expires at ${expiresAt}.`)
        print(secret)
      }),
    )

  command
    .command('remove <id>')
    .description('remove an API client; its access tokens stop working immediately')
    .action((id: string) =>
      withClients({}, async ({ remove }, audit) => {
        await remove(audit('removeApiClient'), id)
        print(`Removed "${id}"`)
      }),
    )
}

/** As the API would accept it. */
function checkClient(given: z.output<typeof addApiClient.body.schema>) {
  const { data, error } = z.safeParse(addApiClient.body.schema, given)
  if (data) return data
  const [{ path, message } = { path: [], message: '' }] = error.issues
  throw new Problem('input-invalid', `Cannot add "${given.id}": ${path.join('.')}: ${message}`)
}

function parseHours(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= maxOverlapHours) return Number(text)
  throw new InvalidArgumentError(`Expected a whole number from 0 to ${maxOverlapHours}.`)
}
