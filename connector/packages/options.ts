/** The arguments of `npm run package -w connector`, and its help. */
import { resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ReleaseError } from '../../.ci/packaging/written-at.ts'
import about from '../package.json' with { type: 'json' }
import { type FormatName, formatNames } from './formats.ts'
import { type Architecture, architectures } from './package-facts.ts'

export interface PackageOptions {
  readonly formats: readonly FormatName[]
  readonly architectures: readonly Architecture[]
  readonly version: string
  readonly isFast: boolean
  readonly out: string
  /** The file of the key that signs the manifest. */
  readonly signingKey: string | undefined
}

const defaultOut = fileURLToPath(new URL('../dist/packages', import.meta.url))

export const help = `Makes the packages of the connector: npm run package -w connector [-- OPTIONS]

  --formats LIST        of ${formatNames.join(',')} (all)
  --architectures LIST  of ${architectures.join(',')}, for the formats that have several (all)
  --version X.Y.Z       what they call themselves (${about.version}, that of the sources)
  --fast                larger files in less time
  --out FOLDER          where they go (connector/dist/packages); earlier ones are removed first
  --signing-key FILE    signs the manifest (npm run release-key -w connector -- --help)
  --help                shows this

  CARDWIRE_RELEASE_KEYS public keys with commas between them, by one of which the programs recognise
                        later releases; the one of --signing-key is among them by itself
  CARDWIRE_SIGN_WINDOWS a command that signs programs and packages for Windows; it gets the file to
                        sign and the file to write as two more arguments
  SOURCE_DATE_EPOCH     the time of every file, in seconds since 1970 (that of the commit):
                        the same sources with the same time make the same bytes
`

/** undefined: help was asked for. Throws a ReleaseError with what is wrong. */
export function readOptions(args: readonly string[]): PackageOptions | undefined {
  const values = parse(args)
  if (values.help) return undefined
  const { version = about.version } = values
  // https://semver.org, without build metadata, which neither dpkg nor rpm orders.
  if (!/^\d+\.\d+\.\d+(-[\da-z.]+)?$/i.test(version))
    throw new ReleaseError(`Cannot make version "${version}": expected X.Y.Z or X.Y.Z-rc.1`)
  return {
    formats: choose('format', values.formats, formatNames),
    architectures: choose('architecture', values.architectures, architectures),
    version,
    isFast: values.fast === true,
    out: values.out === undefined ? defaultOut : findPath(values.out),
    signingKey: values['signing-key'] && findPath(values['signing-key']),
  }
}

/** npm runs in the folder of the workspace, and says where it was started. */
const findPath = (path: string) => resolve(process.env['INIT_CWD'] ?? '', path)

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        formats: { type: 'string' },
        architectures: { type: 'string' },
        version: { type: 'string' },
        fast: { type: 'boolean' },
        out: { type: 'string' },
        'signing-key': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    throw new ReleaseError(error instanceof Error ? error.message : String(error))
  }
}

/** The names of a list, in the order of the table. */
function choose<N extends string>(
  what: string,
  list: string | undefined,
  known: readonly N[],
): readonly N[] {
  if (list === undefined) return known
  const names = list.split(',')
  const unknown = names.find((name) => !known.some((one) => one === name))
  if (unknown !== undefined)
    throw new ReleaseError(`Cannot make the ${what} "${unknown}": expected ${known.join(', ')}`)
  return known.filter((name) => names.includes(name))
}
