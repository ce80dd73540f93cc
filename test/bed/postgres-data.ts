/** The data of a PostgreSQL server: `initdb` runs once on a machine, and every server gets a copy. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runProgram } from './program.ts'
import { root } from './repository.ts'

interface DataOptions {
  /** The folder of `initdb`, which has the version in its path. */
  readonly programs: string
  /** Where the data has to be. */
  readonly data: string
  readonly user: string
  readonly password: string
  /** Runs a program as the account of the server. */
  run(...command: readonly string[]): Promise<unknown>
}

const options = [
  '--auth',
  'scram-sha-256',
  '--encoding',
  'UTF8',
  '--locale',
  'C.UTF-8',
  '--no-sync',
]

export async function initializePostgres(given: DataOptions): Promise<void> {
  const { programs, data, user, password } = given
  const content = [programs, user, password, options, process.getuid?.()]
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)
  const template = join(root, 'node_modules/.cache', `postgres-${digest}`)
  if (existsSync(template)) return copyFolder(template, data)
  await runInitdb(given)
  await keepTemplate(data, template)
}

async function runInitdb({ programs, data, user, password, run }: DataOptions): Promise<void> {
  const passwordFile = join(dirname(data), 'password')
  await writeFile(passwordFile, password)
  const place = ['--pgdata', data, '--username', user, '--pwfile', passwordFile]
  await run(join(programs, 'initdb'), ...place, ...options)
}

/** Of several that start at the same moment, one leaves its data as the template. */
async function keepTemplate(data: string, template: string): Promise<void> {
  await mkdir(dirname(template), { recursive: true })
  const folder = await mkdtemp(`${template}-`)
  await copyFolder(data, join(folder, 'data'))
  // It fails where another has left its data.
  await rename(join(folder, 'data'), template).catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
}

/** With the owner of the files. */
async function copyFolder(from: string, to: string): Promise<void> {
  const { status, err } = await runProgram(['cp', '--archive', '--reflink=auto', from, to])
  if (status !== 0) throw new Error(`cp: ${status}\n${err}`)
}
