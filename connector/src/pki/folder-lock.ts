/** Lets one process at a time work in a folder, by a lock file for each; files of processes that have ended do not count. */
import { randomBytes } from 'node:crypto'
import { readdir, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findStats } from '../system/missing-file.ts'

const prefix = '.lock-'
/** How long to wait for another process, in milliseconds: creating a root takes two seconds. */
const maxWaitMs = 30_000
/** An older lock is a leftover, in milliseconds: another process may have got its process number. */
const staleMs = 60_000

/**
 * Runs `work` while no other process does so in this folder. A process that wants the lock writes a file named by its
 * process number, and has the lock when there is no file of another running process; else it removes its file and tries
 * again. Two processes can never both find no other file, and any process can remove the file of one that has ended, as
 * no name is used twice. Throws when the folder cannot be written or another process keeps the lock for 30 s.
 */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const own = `${prefix}${process.pid}-${randomBytes(6).toString('hex')}`
  const giveUp = performance.now() + maxWaitMs
  for (;;) {
    await writeFile(join(folder, own), '', { flag: 'wx', mode: 0o600 })
    const holder = await findOtherHolder(folder, own).catch(async (error: unknown) => {
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

/** Another process that has or wants the lock; removes the files of processes that have ended. */
async function findOtherHolder(folder: string, own: string): Promise<number | undefined> {
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
    // EPERM: the process runs, under another account.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function isStale(path: string): Promise<boolean> {
  const found = await findStats(path)
  return found === undefined || Date.now() - found.mtimeMs > staleMs
}

const remove = (folder: string, name: string) => unlink(join(folder, name)).catch(() => undefined)
