/** What tests of one run make once and share: keys, programs, packages, roots of machines. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { access, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

/** Names the folder of a run. The run makes and removes it. */
export const sharedFolderSetting = 'TEST_SHARED_FOLDER'

/** How often to look whether another process is done, in milliseconds. */
const pollMs = 50

let ownFolder: string | undefined

/** The folder of the run. A process that is no part of a run has its own, until it ends. */
function getSharedFolder(): string {
  const given = process.env[sharedFolderSetting]
  if (given) return given
  if (ownFolder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'cardwire-shared-'))
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    ownFolder = made
  }
  return ownFolder
}

/**
 * Resolves with a folder that `make` has filled in this run, here or in another process. Tests copy what they change.
 * If `make` fails, the next caller tries again.
 */
export async function makeShared(
  name: string,
  make: (folder: string) => Promise<void> | void,
): Promise<string> {
  const path = join(getSharedFolder(), name)
  const lock = `${path}.lock`
  for (;;) {
    if (await exists(path)) return path
    if (await takeLock(lock)) break
    await wait(pollMs)
  }
  try {
    if (await exists(path)) return path
    // Processes of another namespace do not see each other's numbers: two may make it, and the first is used.
    const draft = `${path}.${randomUUID()}`
    await mkdir(draft)
    await make(draft)
    await rename(draft, path).catch(async (error: unknown) => {
      if (!(await exists(path))) throw error
      await rm(draft, { recursive: true, force: true })
    })
    return path
  } finally {
    await rm(lock, { force: true })
  }
}

/** Whether no other process of the run has claimed this name in the last `ms` milliseconds; from now on it is claimed. */
export async function claimForAWhile(name: string, ms: number): Promise<boolean> {
  const path = join(getSharedFolder(), name)
  const claimed = await stat(path).catch(() => undefined)
  if (claimed && Date.now() - claimed.mtimeMs > ms) await rm(path, { force: true })
  return createFile(path, '')
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Takes the lock unless a running process has it. */
async function takeLock(lock: string): Promise<boolean> {
  if (await createFile(lock, String(process.pid))) return true
  const holder = Number(await readFile(lock, 'utf8').catch(() => ''))
  if (holder > 0 && !isRunning(holder)) await rm(lock, { force: true })
  return false
}

/** Whether it did not exist before. */
async function createFile(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
