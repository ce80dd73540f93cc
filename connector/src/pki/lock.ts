/** One process at a time in a folder: a lock file each, and the files of the dead count for nothing. */
import { randomBytes } from 'node:crypto'
import { readdir, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const prefix = '.lock-'
/** How long another process is waited for, in milliseconds: it makes a root in two seconds. */
const patienceMs = 30_000
/** After this a lock is a leftover whose process number somebody else has been given. */
const staleMs = 60_000

/**
 * Runs `work` while no other process does so in this folder. Whoever wants the lock writes a file of its own, named by
 * its process, and has the lock when it then sees no file of another that lives; else it takes its file back and tries
 * again. Two can never both see nobody, and a dead one's file can be removed by anybody, since no name comes twice.
 * Throws when the folder cannot be written or another process does not let go within 30 s.
 */
export async function locked<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const own = `${prefix}${process.pid}-${randomBytes(6).toString('hex')}`
  const giveUp = performance.now() + patienceMs
  for (;;) {
    await writeFile(join(folder, own), '', { flag: 'wx', mode: 0o600 })
    const holder = await otherHolder(folder, own).catch(async (error: unknown) => {
      await remove(folder, own)
      throw error
    })
    if (holder === undefined) break
    await remove(folder, own)
    if (performance.now() > giveUp)
      throw new Error(`Cannot lock "${folder}": process ${holder} has held it for 30 s`)
    await wait(10 + Math.random() * 40)
  }
  try {
    return await work()
  } finally {
    await remove(folder, own)
  }
}

/** The process that has or wants the lock beside ours; removes what the dead left. */
async function otherHolder(folder: string, own: string): Promise<number | undefined> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || name === own) continue
    const holder = Number(name.slice(prefix.length).split('-')[0])
    if (isAlive(holder) && !(await isStale(join(folder, name)))) return holder
    await remove(folder, name)
  }
  return undefined
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found === undefined || Date.now() - found.mtimeMs > staleMs
}

const remove = (folder: string, name: string) => unlink(join(folder, name)).catch(() => undefined)
