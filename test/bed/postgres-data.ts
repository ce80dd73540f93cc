/** The data of a PostgreSQL server: `initdb` runs once in a run, and every server gets a copy. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runProgram } from './program.ts'
import { makeShared } from './shared-folder.ts'

interface DataOptions {
  /** The folder of `initdb`. */
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
  const { data } = given
  const shared = await makeShared('postgres', async (folder) => {
    // The account of the server may not enter the shared folder.
    await runInitdb(given)
    await copyFolder(data, join(folder, 'data'))
  })
  if (!existsSync(data)) await copyFolder(join(shared, 'data'), data)
}

async function runInitdb({ programs, data, user, password, run }: DataOptions): Promise<void> {
  const passwordFile = join(dirname(data), 'password')
  await writeFile(passwordFile, password)
  const place = ['--pgdata', data, '--username', user, '--pwfile', passwordFile]
  await run(join(programs, 'initdb'), ...place, ...options)
}

/** With the owner of the files. */
async function copyFolder(from: string, to: string): Promise<void> {
  const { status, err } = await runProgram(['cp', '--archive', '--reflink=auto', from, to])
  if (status !== 0) throw new Error(`cp: ${status}\n${err}`)
}
