/** Accounts of this machine that are there for a test alone; needs root. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly home: string
  remove(): Promise<void>
}

const run = promisify(execFile)

/** Makes an account with a home below `folder`, which everybody must be able to pass. */
export async function newAccount(folder: string): Promise<Account> {
  const name = `cw-${randomBytes(4).toString('hex')}`
  const home = join(folder, name)
  await run('useradd', [
    ...['--system', '--user-group', '--no-create-home', '--home-dir', home, name],
  ])
  const id = async (what: string) => Number((await run('id', [what, name])).stdout)
  const [uid, gid] = [await id('-u'), await id('-g')]
  await mkdir(home, { mode: 0o755 })
  await chown(home, uid, gid)
  return {
    name,
    uid,
    gid,
    home,
    async remove() {
      await rm(home, { recursive: true, force: true })
      await run('userdel', [name])
    },
  }
}

/** A program that runs as an account, for those who start one by its path. */
export async function programAs(
  account: Account | undefined,
  home: string,
  program: string,
): Promise<string> {
  if (!account) return program
  const { uid, gid } = account
  // What was made in the home for the account is the account's.
  await run('chown', ['-R', `${uid}:${gid}`, home])
  const path = join(home, `as-${program.split('/').pop()}`)
  const setpriv = `setpriv --reuid=${uid} --regid=${gid} --clear-groups`
  await writeFile(path, `#!/bin/sh\ncd /\nexec ${setpriv} ${program} "$@"\n`)
  await chmod(path, 0o755)
  return path
}
