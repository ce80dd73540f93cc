/** The output of commands for programs: one JSON document per line on standard output, failures on standard error. */
import { toPrintableLine } from '@cardwire/protocol/printable'
import { type Command, Option } from 'commander'
import * as z from 'zod/mini'
import { getCommandPath } from './command-path.ts'
import {
  type CommandDocument,
  commandDocuments,
  type DocumentName,
  Failure,
  hasDocument,
  toCommandSchema,
} from './documents.ts'
import { hasColours, printError, red } from './terminal.ts'

/** Adds `--json` and `--json-schema` to each command that has a document. */
export function addJsonOptions(command: Command): void {
  const name = getCommandPath(command)
  if (hasDocument(name)) {
    command.addOption(new Option('--json', 'print a JSON document instead of text'))
    command.addOption(new Option('--json-schema', 'print the JSON Schema of that document'))
    // At once: the schema depends on no setting and no argument.
    command.on('option:json-schema', () => {
      process.stdout.write(`${JSON.stringify(toCommandSchema(name), null, 2)}\n`)
      process.exit(0)
    })
  }
  command.commands.forEach(addJsonOptions)
}

/** Whether this process prints JSON. Known before the arguments are parsed, so that their errors are JSON too. */
export const wantsJson = (): boolean => process.argv.includes('--json')

/** Prints the document of a command on one line. */
export function printDocument<N extends DocumentName>(name: N, document: CommandDocument<N>): void {
  const schema: z.ZodMiniType = commandDocuments[name]
  process.stdout.write(`${toJsonLine(z.parse(schema, document))}\n`)
}

/** JSON leaves some characters that a terminal obeys, or that hide or turn text, as they are; each has an escape in its texts. */
const toJsonLine = (value: unknown): string => toPrintableLine(JSON.stringify(value))

/** Prints why a command could not do its work, in one line or several, and sets its exit status. */
export function printFailure(
  failure: string | readonly string[],
  status: number,
  remedy?: string,
): void {
  const lines = typeof failure === 'string' ? [failure] : failure
  process.exitCode = status
  if (wantsJson()) {
    const description = lines.join('\n')
    process.stderr.write(`${toJsonLine(z.parse(Failure, { description, remedy, status }))}\n`)
    return
  }
  for (const line of lines) printError(red(line, hasColours(process.stderr)))
  if (remedy !== undefined) printError(`    → ${remedy}`)
}
