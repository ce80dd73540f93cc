/** The options of `npm start` and of the commands beside it, as typed behind `--`. */
import { isAbsolute, join } from 'node:path'
import { parseArgs } from 'node:util'
import { AllowedOrigin } from '@cardwire/protocol/origin'
import * as z from 'zod/mini'
import { root } from './paths.ts'
import { UsageError } from './terminal.ts'

export interface Options {
  /** Origins whose pages can use the connector, in addition to the example's page. */
  readonly allow: readonly string[]
  /** The folder of all data, also of the service's; undefined: that of the settings. */
  readonly data: string | undefined
  readonly help: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** How many origins one command can name, and how much of a wrong value an error repeats, in characters. */
const maxOrigins = 100
const maxShown = 80

const seeHelp = 'For all options, run npm start -- --help'

/** Throws a UsageError that names the option and what to do. */
export function parseOptions(args: readonly string[], environment: Environment = {}): Options {
  refuseOptionsOfNpm(environment)
  const { values, positionals } = parse(args)
  const [first] = positionals
  if (first !== undefined) {
    throw new UsageError(
      `Cannot use "${cut(first)}": it has no option in front. To allow an origin, write --allow ${AllowedOrigin.safeParse(first).success ? first : 'and the origin'}. ${seeHelp}`,
    )
  }
  const { allow = [], data, help = false } = values
  if (allow.length > maxOrigins) {
    throw new UsageError(`--allow: expected at most ${maxOrigins} origins, got ${allow.length}`)
  }
  if (data === '') throw new UsageError('--data: expected a folder, such as --data data/another')
  return { allow: [...new Set(allow.map(parseOrigin))], data, help }
}

/** The environment in which everything is in the folder that `--data` names. */
export function getDataVariables(folder: string | undefined): Readonly<Record<string, string>> {
  if (folder === undefined) return {}
  const data = isAbsolute(folder) ? folder : join(root, folder)
  return {
    EXAMPLE_DATA: join(data, 'example'),
    DS_DATABASE: join(data, 'cardwire.sqlite'),
    DS_PACKAGES_DIR: join(data, 'packages'),
    DS_KEYSTORES_DIR: join(data, 'keystores'),
  }
}

/** Takes `--data FOLDER` out of the arguments of a command whose other arguments are not for the example. */
export function takeDataOption(args: readonly string[]) {
  const at = args.findIndex((arg) => arg === '--data' || arg.startsWith('--data='))
  if (at < 0) return { data: undefined, rest: args }
  const [, value] = args[at]?.split(/=(.*)/s) ?? []
  const data = value ?? args[at + 1]
  if (!data) throw new UsageError('--data: expected a folder, such as --data data/another')
  return { data, rest: args.toSpliced(at, value === undefined ? 2 : 1) }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        allow: { type: 'string', multiple: true },
        data: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(describeParseError(error))
  }
}

function describeParseError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const option = cut(/'(-[^' ]*)/.exec(message)?.[1] ?? '')
  if (message.startsWith('Unknown option')) return `There is no option ${option}. ${seeHelp}`
  if (option === '--allow') {
    return '--allow: expected an origin, such as --allow http://localhost:5173'
  }
  if (option === '--data') return '--data: expected a folder, such as --data data/another'
  return `${cut(message)}. ${seeHelp}`
}

function parseOrigin(value: string): string {
  const { success, data, error } = z.safeParse(AllowedOrigin, value)
  if (success) return data
  // The rule repeats the value, which may be long.
  const reason = error.issues[0]?.message.replace(`"${value}": `, '') ?? 'expected an origin'
  throw new UsageError(
    `--allow "${cut(value)}": ${cut(reason, 2 * maxShown)}. Give the scheme, the host and the port of the page, without a path, such as --allow http://localhost:5173`,
  )
}

/** Without `--` in front, npm takes the options, and passes none on. */
function refuseOptionsOfNpm(environment: Environment): void {
  for (const name of ['allow', 'data']) {
    if (environment[`npm_config_${name}`] === undefined) continue
    throw new UsageError(
      `npm took --${name} for itself. Put -- in front of the options: npm start -- --${name} …`,
    )
  }
}

/** In one line. */
const cut = (text: string, length = maxShown) => {
  const line = text.replaceAll(/\p{C}/gu, ' ')
  return line.length > length ? `${line.slice(0, length)}…` : line
}

export const help = `npm start runs Cardwire on this computer: the service, the connector and an example page.

  npm start -- --allow http://localhost:5173   also allows your page, at once. Repeat it for more origins
  npm start -- --data data/another             keeps all data in another folder, so that you can run a
                                               second one at the same time
  npm start -- --help                          shows this

An origin is a scheme, a host and a port, without a path. It stays on the allowlist of the service until
you remove it in the admin console.

When everything runs, .env in the example's data folder (data/example/.env) has what your back end needs:
the URL of the service, the API key and the CA file of the connector. Use it with node --env-file

In a second terminal:

  npm run trust       makes your browsers trust the connector
  npm run sync        makes the connector get a changed allowlist now
  npm run consents    lists the sites that you allowed, and revokes access

Settings, as environment variables: EXAMPLE_PORT, DS_PORT and CARDWIRE_REGISTRY_PORT choose the ports
(0 means any free port). For all settings, see docs/example.md.

Exit status: 0 after Ctrl-C, 1 if a program cannot start or stops, 2 if an option is wrong.
`
