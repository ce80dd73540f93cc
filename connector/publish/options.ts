/** The arguments of `npm run publish -w connector`, and its help. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findSkippedChecks, isLoopbackHost, VersionId } from '@cardwire/protocol'

/** A failure that the user at the terminal can act on. */
export class PublishError extends Error {}

/** A package repository, for apt and dnf. */
export interface RepositoryOptions {
  readonly folder: string
  /** The one that signs it, as gpg names it. */
  readonly key: string
}

export interface ClientOptions {
  readonly id: string
  readonly secretFile: string | undefined
  /** A token of a CI system, which is exchanged. */
  readonly subjectTokenFile: string | undefined
}

export interface PublishOptions {
  /** The address of the service, without a slash at its end. */
  readonly ds: string | undefined
  readonly repository: RepositoryOptions | undefined
  readonly version: string
  readonly files: readonly string[]
  readonly folder: string
  readonly user: string
  readonly passwordFile: string | undefined
  readonly tokenFile: string | undefined
  /** An API client in place of an account. */
  readonly client: ClientOptions | undefined
  readonly isDryRun: boolean
  /** Whose configurations a new version gets: those of the latest one, of none, or of this version. */
  readonly configurations: 'latest' | 'none' | { readonly of: string }
  /** It must not affect more devices than these. */
  readonly maxReach: number
  /** By one of which the manifest has to be signed: raw Ed25519, base64url; empty: its signature is not verified. */
  readonly releaseKeys: readonly string[]
}

const defaultFolder = fileURLToPath(new URL('../dist/packages', import.meta.url))

export const help = `Uploads the packages of a version to a distribution service, and registers the version with them:
npm run publish -w connector -- --ds URL --version X.Y.Z [OPTIONS] [FILES]

  --ds URL              the address of the service
  --repository FOLDER   adds deb and rpm to a package repository, for apt and dnf: a folder for any web server; with or without --ds
  --repository-key KEY  the key that signs it, as gpg names it: a fingerprint, an address
  --version X.Y.Z       the version; what it has already is kept: flags, key, installers for other systems
  FILES                 the packages (all of connector/dist/packages, with their manifest)
  --folder FOLDER       where the packages are when no files are named
  --user NAME           the administrator (admin)
  --password-file FILE  its password, on the first line
  --token-file FILE     an access token in place of name and password, for another identity provider
  --client ID           an API client in place of an account. In GitHub Actions, a job with the permission id-token: write needs
                        nothing else, if the client trusts its tokens
  --client-secret-file FILE
                        its secret, on the first line
  --subject-token-file FILE
                        a token of another CI system that the client trusts, such as an ID token of GitLab
  --release-keys KEYS   public keys with commas between them, one of which has to have signed the manifest
                        (CARDWIRE_RELEASE_KEYS)
  --without-configurations
                        a new version gets the allowlist and the other configurations of the latest one; with this, none
  --configurations-of X.Y.Z
                        a new version gets those of this version
  --max-reach NUMBER    the most devices it may affect (1); it says how many it does, and changes nothing when they are more
  --dry-run             says what it would do, and changes nothing
  --help                shows this

The password is asked for on a terminal; elsewhere it is the first line of standard input. No option takes it: every account of a
machine reads the arguments of programs. What the service has already is not uploaded again, so the command can be repeated.
`

/** undefined: help was asked for. Throws a PublishError with what is wrong. */
export function readOptions(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): PublishOptions | undefined {
  const { values, positionals } = parse(args)
  if (values.help) return undefined
  const fault = findSkippedChecks(environment)
  if (fault !== undefined) throw new PublishError(`Cannot publish: ${fault}`)
  if (!VersionId.safeParse(values.version).success || values.version === undefined)
    throw new PublishError('Cannot publish: give the version, such as --version 4.0.1')
  return {
    ...readTargets(values.ds, values.repository, values['repository-key']),
    version: values.version,
    files: positionals,
    folder: values.folder ?? defaultFolder,
    user: values.user ?? 'admin',
    passwordFile: values['password-file'],
    tokenFile: values['token-file'],
    client: readClient(values),
    isDryRun: values['dry-run'] === true,
    configurations: readConfigurations(
      values['without-configurations'] === true,
      values['configurations-of'],
    ),
    maxReach: readNumber(values['max-reach'] ?? '1'),
    releaseKeys: readKeys(values['release-keys'] ?? environment['CARDWIRE_RELEASE_KEYS'] ?? ''),
  }
}

function readClient(values: {
  readonly client?: string | undefined
  readonly 'client-secret-file'?: string | undefined
  readonly 'subject-token-file'?: string | undefined
}): ClientOptions | undefined {
  const secretFile = values['client-secret-file']
  const subjectTokenFile = values['subject-token-file']
  const given = [secretFile, subjectTokenFile].filter((file) => file !== undefined)
  if (given.length > 1)
    throw new PublishError(
      'Cannot publish: --client-secret-file and --subject-token-file exclude each other',
    )
  if (values.client !== undefined) return { id: values.client, secretFile, subjectTokenFile }
  if (given.length === 0) return undefined
  throw new PublishError('Cannot publish: give the API client, such as --client pipeline')
}

function readTargets(
  ds: string | undefined,
  folder: string | undefined,
  key: string | undefined,
): Pick<PublishOptions, 'ds' | 'repository'> {
  if ((folder === undefined) !== (key === undefined))
    throw new PublishError('Cannot publish: --repository and --repository-key go together')
  const repository = folder && key ? { folder: resolve(folder), key } : undefined
  // Without a repository the address is what is missing.
  const needsAddress = ds !== undefined || repository === undefined
  return { ds: needsAddress ? readAddress(ds) : undefined, repository }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ds: { type: 'string' },
        repository: { type: 'string' },
        'repository-key': { type: 'string' },
        version: { type: 'string' },
        folder: { type: 'string' },
        user: { type: 'string' },
        'password-file': { type: 'string' },
        'token-file': { type: 'string' },
        client: { type: 'string' },
        'client-secret-file': { type: 'string' },
        'subject-token-file': { type: 'string' },
        'release-keys': { type: 'string' },
        'dry-run': { type: 'boolean' },
        'without-configurations': { type: 'boolean' },
        'configurations-of': { type: 'string' },
        'max-reach': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new PublishError(error instanceof Error ? error.message : String(error))
  }
}

function readConfigurations(
  isWithout: boolean,
  of: string | undefined,
): PublishOptions['configurations'] {
  if (of === undefined) return isWithout ? 'none' : 'latest'
  if (isWithout)
    throw new PublishError(
      'Cannot publish: --without-configurations and --configurations-of exclude each other',
    )
  return { of }
}

function readNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new PublishError('Cannot publish: give a number of devices, such as --max-reach 1200')
}

function readKeys(text: string): readonly string[] {
  const keys = text.split(',').filter(Boolean)
  const wrong = keys.find((key) => !/^[\w-]{43}$/.test(key))
  if (wrong === undefined) return keys
  throw new PublishError(`Cannot read the keys of releases: "${wrong}" is not a public key`)
}

function readAddress(text: string | undefined): string {
  const url = URL.parse(text ?? '')
  const isSafe = url?.protocol === 'https:' || (url !== null && isLoopbackHost(url.hostname))
  if (url && isSafe && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '')
  throw new PublishError(
    'Cannot publish: give the address of the service, such as --ds https://ds.example; http:// only of this machine',
  )
}
