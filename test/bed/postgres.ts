/** A PostgreSQL server of its own for a test file, and databases in it. */

import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from './free-port.ts'
import { initializePostgres } from './postgres-data.ts'
import {
  createEnvironment,
  type Program,
  runProgram,
  type Settings,
  startProgram,
} from './program.ts'

export interface PostgresServer {
  readonly port: number
  readonly password: string
  /** Creates a database; resolves with its address. */
  createDatabase(): Promise<string>
  /** Ends it: SIGTERM waits for the clients, SIGINT ends their connections, SIGQUIT does not even tell them. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again, with the data that it has. */
  start(): Promise<void>
  /** Stops it and deletes its data. */
  remove(): Promise<void>
}

const versionsFolder = '/usr/lib/postgresql'
const user = 'cardwire'
const password = 'a-password-of-the-database'

/** The newest version that Debian has installed. */
const findPrograms = (): string => {
  const versions = existsSync(versionsFolder) ? readdirSync(versionsFolder) : []
  const newest = versions.toSorted((one, other) => Number(one) - Number(other)).at(-1)
  if (newest === undefined) throw new Error(`Cannot find PostgreSQL in "${versionsFolder}"`)
  return join(versionsFolder, newest, 'bin')
}

/** The account that runs it: it refuses root. */
async function findAccount() {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (option) => Number((await runProgram(['id', option, 'postgres'])).out)),
  )
  if (!uid || !gid) throw new Error('Cannot find the account "postgres"')
  return { uid, gid }
}

/** `tls`: the certificate and the key that it answers with, PEM; `changes`: to its settings. */
export async function startPostgres(
  tls?: { readonly certificate: string; readonly key: string },
  changes: Settings = {},
): Promise<PostgresServer> {
  const programs = findPrograms()
  const account = await findAccount()
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-postgres-'))
  const asOwner = account
    ? ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
    : []
  const env = createEnvironment(folder)
  const run = async (...command: readonly string[]) => {
    const { status, out, err } = await runProgram([...asOwner, ...command], { env, cwd: '/' })
    if (status !== 0) throw new Error(`${command[0]}: ${status}\n${out}${err}`)
    return out
  }
  const data = join(folder, 'data')
  if (account) await runProgram(['chown', `${account.uid}:${account.gid}`, folder])
  await chmod(folder, 0o755)
  await initializePostgres({ programs, data, user, password, run })
  const port = await findFreePort()
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: '200',
    // Nothing outlives a test: a crash of the machine loses nothing that anybody wants.
    fsync: 'off',
    ...(tls && {
      ssl: 'on',
      ssl_cert_file: join(folder, 'cert.pem'),
      ssl_key_file: join(folder, 'key.pem'),
    }),
    ...changes,
  }
  if (tls) {
    await writeFile(join(folder, 'cert.pem'), tls.certificate)
    await writeFile(join(folder, 'key.pem'), tls.key, { mode: 0o600 })
    if (account) await runProgram(['chown', String(account.uid), join(folder, 'key.pem')])
  }
  let program: Program | undefined
  /** After a kill it refuses to start until the last of its processes has ended. */
  const start = async (attempts = 50): Promise<void> => {
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    program = startProgram([...asOwner, join(programs, 'postgres'), '-D', data, ...options], {
      env,
    })
    try {
      await program.waitForOutput(/database system is ready to accept connections/)
    } catch (error) {
      if (attempts === 1) throw error
      await start(attempts - 1)
    }
  }
  await start()
  let count = 0
  const toAddress = (database: string) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  return {
    port,
    password,
    async createDatabase() {
      count += 1
      const name = `service_${count}`
      await runProgram(
        [join(programs, 'psql'), '-q', toAddress('postgres'), '-c', `create database ${name}`],
        { env },
      )
      return toAddress(name)
    },
    start: () => start(),
    stop: async (signal = 'SIGINT') => {
      await program?.stop(signal)
    },
    async remove() {
      await program?.stop('SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
