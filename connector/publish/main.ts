/** Uploads packages and registers their version, and adds them to a repository: `npm run publish -w connector`. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import type { ClientProof } from '@cardwire/protocol'
import { toPrintableLine } from '@cardwire/protocol/printable'
import { password as askHidden, isCancel } from '@clack/prompts'
import {
  type ClientOptions,
  help,
  PublishError,
  type PublishOptions,
  readOptions,
} from './options.ts'
import { findFiles } from './package-files.ts'
import { publish, type Terminal } from './publish.ts'
import { updateRepository } from './repository/update-repository.ts'
import {
  BearerToken,
  createClientLogin,
  createLogin,
  createService,
  type GetToken,
  readJobToken,
} from './service.ts'

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === undefined) {
    process.stdout.write(help)
    return
  }
  process.umask(0o022)
  const files = await findFiles(options)
  const { ds, repository, isDryRun } = options
  if (repository) {
    const { print } = terminal
    updateRepository({ ...repository, files, isDryRun, now: new Date(), print })
  }
  if (ds === undefined) return
  const service = createService(ds, await authenticate(ds, options))
  await publish(options, files, service, terminal)
}

async function authenticate(ds: string, { user, ...options }: PublishOptions): Promise<GetToken> {
  if (options.tokenFile !== undefined) {
    const token = readToken(options.tokenFile)
    return async () => token
  }
  if (options.client !== undefined) return authenticateClient(ds, options.client)
  const password = options.passwordFile ? readFirstLine(options.passwordFile) : await ask(user)
  const login = createLogin(ds, user, password)
  await login()
  return login
}

async function authenticateClient(ds: string, client: ClientOptions): Promise<GetToken> {
  const login = createClientLogin(ds, client.id, async (): Promise<ClientProof> => {
    const { secretFile, subjectTokenFile } = client
    if (secretFile !== undefined) return { kind: 'secret', secret: readFirstLine(secretFile) }
    const token = subjectTokenFile
      ? readToken(subjectTokenFile)
      : await readJobToken(process.env, ds)
    if (token !== undefined) return { kind: 'federated', token }
    throw new PublishError(
      `Cannot get access as the API client "${client.id}": give --client-secret-file or --subject-token-file; in GitHub Actions, give the job the permission id-token: write`,
    )
  })
  await login()
  return login
}

function readToken(file: string): string {
  const { data } = BearerToken.safeParse(readFirstLine(file))
  if (data !== undefined) return data
  throw new PublishError(`Cannot use "${file}": its first line is not an access token`)
}

function readFirstLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[0] ?? ''
  } catch {
    throw new PublishError(`Cannot read "${file}"`)
  }
}

/** On a terminal without echo; else the first line of standard input. */
async function ask(user: string): Promise<string> {
  if (process.stdin.isTTY) {
    const answer = await askHidden({ message: `Password of ${user}` })
    if (isCancel(answer)) throw new PublishError('Nothing was changed')
    return answer
  }
  for await (const line of createInterface({ input: process.stdin })) return line
  throw new PublishError('Cannot read the password: standard input is empty')
}

const terminal: Terminal = {
  // Names and reasons come from files and from the service.
  print: (line) => process.stdout.write(`${toPrintableLine(line)}\n`),
  showProgress(progress) {
    if (!process.stderr.isTTY) return
    const text = progress && `${progress.name}  ${Math.floor(progress.share * 100)} %`
    // ESC [ K clears the rest of the line (ECMA-48 §8.3.41).
    process.stderr.write(`\r\x1b[K${text ?? ''}`)
  },
}

main().catch((error) => {
  process.exitCode = 1
  const known = error instanceof PublishError || (error instanceof Error && 'code' in error)
  const text = known
    ? toPrintableLine(error.message)
    : error instanceof Error
      ? error.stack
      : String(error)
  process.stderr.write(`${text}\n`)
})
