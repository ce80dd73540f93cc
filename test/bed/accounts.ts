/** Accounts of this machine that are there for a test alone; needs root. */
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { runProgram } from './program.ts'

export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly home: string
  remove(): Promise<void>
}

/** Makes an account with a home below `folder`, which everybody must be able to pass. */
export async function createAccount(folder: string): Promise<Account> {
  const name = `cw-${randomBytes(4).toString('hex')}`
  const home = join(folder, name)
  await run('useradd', '--system', '--user-group', '--no-create-home', '--home-dir', home, name)
  const [uid, gid] = [Number(await run('id', '-u', name)), Number(await run('id', '-g', name))]
  await mkdir(home, { mode: 0o755 })
  await chown(home, uid, gid)
  return {
    name,
    uid,
    gid,
    home,
    async remove() {
      await rm(home, { recursive: true, force: true })
      await run('userdel', name)
    },
  }
}

/** Makes a program in the account's home that starts `program` as the account. */
export async function createProgramAs(account: Account, program: string): Promise<string> {
  const { uid, gid, home } = account
  // What was made in the home for the account is the account's. Its programs run, and their files come and go.
  const own = ['-exec', 'chown', '--no-dereference', `${uid}:${gid}`, '{}', '+']
  await run('find', home, '-ignore_readdir_race', '!', '-uid', String(uid), ...own)
  const path = join(home, `as-${basename(program)}`)
  const setpriv = `setpriv --reuid=${uid} --regid=${gid} --clear-groups`
  await writeFile(path, `#!/bin/sh\ncd /\nexec ${setpriv} ${program} "$@"\n`)
  await chmod(path, 0o755)
  return path
}

async function run(...command: readonly string[]): Promise<string> {
  const { status, out, err } = await runProgram(command)
  if (status !== 0) throw new Error(`Cannot run "${command.join(' ')}": ${err}`)
  return out.trim()
}
