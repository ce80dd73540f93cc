/** Accounts of this machine that are there for a test alone; needs root. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly home: string
  remove(): Promise<void>
}

/** Makes an account with a home below `folder`, which everybody must be able to pass. */
export async function newAccount(folder: string): Promise<Account> {
  const name = `cw-${randomBytes(4).toString('hex')}`
  const home = join(folder, name)
  must('useradd', ['--system', '--user-group', '--no-create-home', '--home-dir', home, name])
  const [uid, gid] = ['-u', '-g'].map((what) => Number(must('id', [what, name])))
  if (uid === undefined || gid === undefined) throw new Error(`Cannot find ${name}`)
  await mkdir(home, { mode: 0o755 })
  await chown(home, uid, gid)
  return {
    name,
    uid,
    gid,
    home,
    async remove() {
      await rm(home, { recursive: true, force: true })
      must('userdel', [name])
    },
  }
}

function must(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  return stdout.trim()
}
