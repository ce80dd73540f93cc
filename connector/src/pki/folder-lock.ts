/** Lets one process at a time work in a folder, by a lock file for each; files of processes that have ended do not count. */
import { randomBytes } from 'node:crypto'
import { readdir, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findStats } from '../system/missing-file.ts'

const prefix = '.lock-'
/** In milliseconds. */
export const lockTimes = {
  /** How long to wait for another process: creating a root takes two seconds. */
  maxWaitMs: 30_000,
  /** How often a process that has the lock touches its file. */
  touchMs: 5000,
  /**
   * A file of a running process that is older, and that was not touched for so long while we waited, is a leftover: another
   * process may have got that process number. Its age alone could be a jump of the clock.
   */
  staleMs: 60_000,
  untouchedMs: 20_000,
} as const
type LockTimes = { readonly [name in keyof typeof lockTimes]: number }

/**
 * Runs `work` while no other process does so in this folder. A process that wants the lock writes a file named by its
 * process number, and has the lock when there is no file of another running process; else it removes its file and tries
 * again. Two processes can never both find no other file, and any process can remove the file of one that has ended, as
 * no name is used twice. Throws when the folder cannot be written or another process keeps the lock for `maxWaitMs`.
 */
export async function withFolderLock<T>(
  folder: string,
  work: () => Promise<T>,
  times: LockTimes = lockTimes,
): Promise<T> {
  const own = `${prefix}${process.pid}-${randomBytes(6).toString('hex')}`
  const giveUp = performance.now() + times.maxWaitMs
  const isLeftover = createLeftoverCheck(times)
  for (;;) {
    await writeFile(join(folder, own), '', { flag: 'wx', mode: 0o600 })
    const holder = await findOtherHolder(folder, own, isLeftover).catch(async (error: unknown) => {
      await remove(folder, own)
      throw error
    })
    if (holder === undefined) break
    await remove(folder, own)
    if (performance.now() > giveUp)
      throw new Error(
        `Cannot lock "${folder}": process ${holder} has held it for ${times.maxWaitMs / 1000} s`,
      )
    await wait(10 + Math.random() * 40)
  }
  const touch = () => utimes(join(folder, own), new Date(), new Date()).catch(() => undefined)
  const touching = setInterval(touch, times.touchMs)
  try {
    return await work()
  } finally {
    clearInterval(touching)
    await remove(folder, own)
  }
}

/** Another process that has or wants the lock; removes the files of processes that have ended. */
async function findOtherHolder(
  folder: string,
  own: string,
  isLeftover: (path: string) => Promise<boolean>,
): Promise<number | undefined> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || name === own) continue
    const holder = Number(name.slice(prefix.length).split('-')[0])
    if (isAlive(holder) && !(await isLeftover(join(folder, name)))) return holder
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

/** For one process that waits. */
function createLeftoverCheck({ staleMs, untouchedMs }: LockTimes) {
  const seen = new Map<string, { readonly touchedAt: number; readonly since: number }>()
  return async (path: string): Promise<boolean> => {
    const found = await findStats(path)
    if (found === undefined) return true
    const before = seen.get(path)
    if (before?.touchedAt !== found.mtimeMs) {
      seen.set(path, { touchedAt: found.mtimeMs, since: performance.now() })
      return false
    }
    const isOld = Math.abs(Date.now() - found.mtimeMs) > staleMs
    return isOld && performance.now() - before.since > untouchedMs
  }
}

const remove = (folder: string, name: string) => unlink(join(folder, name)).catch(() => undefined)
