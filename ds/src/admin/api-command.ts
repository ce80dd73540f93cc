/** `api`: calls any operation of the contract on a running service, and prints its data as JSON. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { dsOperations, getLeastRole, type Operation } from '@cardwire/protocol'
import type { Command } from 'commander'
import type * as z from 'zod'
import { StartError } from '../self-hosted/start-error.ts'
import { openRemoteService, type RemoteOptions, remoteOptions } from './remote-service.ts'

type DataOperation = Operation & { readonly reply: { readonly schema: z.core.$ZodType } }

interface ApiOptions extends RemoteOptions {
  readonly body?: string
  readonly revision?: number
}

/** Those that an administrator may call and that answer with data; uploads and downloads are files. */
const operations = dsOperations.filter(
  (operation): operation is DataOperation =>
    getLeastRole(operation) !== undefined &&
    (operation.reply.kind === 'data' || operation.reply.kind === 'upsert') &&
    operation.body?.type !== 'bytes' &&
    operation.body?.type !== 'stream',
)

export function addApiCommand(program: Command, print: (line: string) => void): void {
  const command = program
    .command('api')
    .description(
      'call an operation of a running service, and print the data of its response as JSON',
    )
    .argument('<operation>', 'its name, such as listDevices')
    .argument('[values...]', 'parameters of its path and query, such as id=4.1.0 size=100')
    .option('--body <file>', 'the file with the body as JSON; - for standard input')
    .option(
      '--revision <number>',
      'make the change only if this is still the revision',
      readRevision,
    )
    .addHelpText('after', () => `\nOperations:\n${listOperations().join('\n')}\n`)
  for (const option of remoteOptions) command.addOption(option)
  command.action(async (name: string, values: readonly string[], options: ApiOptions) => {
    const operation = findOperation(name)
    const parts = { ...readValues(operation, values), ...(await readBody(operation, options.body)) }
    const call = await openRemoteService(options)
    const data = await call(`call ${name}`, operation, parts as never, options.revision)
    print(JSON.stringify(data, null, 2))
  })
}

const listOperations = (): readonly string[] =>
  operations.map(({ name, summary }) => `  ${name.padEnd(30)}${summary}`)

function findOperation(name: string): DataOperation {
  const found = operations.find((operation) => operation.name === name)
  if (found) return found
  throw new StartError(`Cannot find the operation "${name}": \`api\` lists all of them`)
}

function readRevision(value: string): number {
  if (/^[1-9]\d{0,9}$/.test(value)) return Number(value)
  throw new StartError('Cannot use this revision: expected a whole number of 1 or more')
}

/** What belongs to the path, and what to the query. */
function readValues({ name, params, query }: DataOperation, values: readonly string[]) {
  const pathNames = Object.keys(params?.shape ?? {})
  const queryNames = Object.keys(query?.shape ?? {})
  const known = [...pathNames, ...queryNames]
  const pairs = values.map((value): [string, string] => {
    const at = value.indexOf('=')
    const key = value.slice(0, at)
    if (at > 0 && known.includes(key)) return [key, value.slice(at + 1)]
    const expected = known.length === 0 ? 'it takes none' : `expected ${known.join(', ')}`
    throw new StartError(`Cannot use "${value}" with ${name}: ${expected}`)
  })
  const given = new Map(pairs)
  const missing = pathNames.filter((one) => !given.has(one))
  if (missing.length > 0)
    throw new StartError(`Cannot call ${name}: give ${missing.map((one) => `${one}=…`).join(' ')}`)
  const pick = (names: readonly string[]) =>
    Object.fromEntries(pairs.filter(([key]) => names.includes(key)))
  return { params: pick(pathNames), query: pick(queryNames) }
}

async function readBody({ name, body }: DataOperation, file: string | undefined) {
  if (file === undefined) {
    if (body === undefined || 'optional' in body) return {}
    throw new StartError(`Cannot call ${name}: give its body with --body`)
  }
  if (body === undefined) throw new StartError(`Cannot call ${name} with --body: it takes none`)
  const content = file === '-' ? await text(process.stdin) : readText(file)
  try {
    return { body: JSON.parse(content) as unknown }
  } catch {
    throw new StartError(`Cannot use "${file}": it is not JSON`)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new StartError(`Cannot read "${file}"`)
  }
}
