/** Keys are read by their owner alone: finds what is too open, and closes it. */
import { chmod, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Run } from '../trust/run.ts'
import { fileNames } from './folder.ts'

/** What was found of one path, and whether it is private now. */
export interface Protection {
  readonly path: string
  /** Octal mode such as `0600`; on Windows the principals that may read. */
  readonly access: string
  readonly private: boolean
  /** What it was before it was repaired; undefined when nothing had to be done. */
  readonly before?: string
  readonly reason?: string
}

/** The folder is its owner's, keys too; certificates are public. */
const wanted: readonly { readonly name: string; readonly mode: number }[] = [
  { name: '', mode: 0o700 },
  { name: fileNames.rootKey, mode: 0o600 },
  { name: fileNames.leafKey, mode: 0o600 },
]

/** Checks the folder and its keys; with `repair`, closes what is open to others. Absent files are passed over. */
export async function protect(
  folder: string,
  options: { readonly repair: boolean },
): Promise<readonly Protection[]> {
  const found: Protection[] = []
  for (const { name, mode } of wanted) {
    const path = join(folder, name)
    const now = await stat(path).catch(() => undefined)
    if (now === undefined) continue
    const before = octal(now.mode)
    if ((now.mode & 0o077) === 0) {
      found.push({ path, access: before, private: true })
    } else if (!options.repair) {
      found.push({ path, access: before, private: false, reason: 'others may read it' })
    } else {
      const failure = await chmod(path, mode).then(
        () => undefined,
        (error: unknown) => String(error),
      )
      found.push(
        failure === undefined
          ? { path, access: octal(mode), private: true, before }
          : { path, access: before, private: false, before, reason: failure },
      )
    }
  }
  return found
}

/**
 * The same on Windows: the folder inherits nothing and is this account's and the system's alone; files inherit from it.
 * `S-1-5-18` is the system, `S-1-5-32-544` the administrators (learn.microsoft.com, well-known SIDs).
 */
export async function protectOnWindows(
  folder: string,
  account: string,
  run: Run,
  options: { readonly repair: boolean },
): Promise<readonly Protection[]> {
  if ((await stat(folder).catch(() => undefined)) === undefined) return []
  const before = await listAccess(folder, run)
  if (isPrivate(before)) return [{ path: folder, access: before, private: true }]
  if (!options.repair) return [{ path: folder, access: before, private: false, reason: notPrivate }]
  const rights = [`${account}:(OI)(CI)F`, '*S-1-5-18:(OI)(CI)F', '*S-1-5-32-544:(OI)(CI)F']
  await run('icacls.exe', [folder, '/inheritance:r', '/grant:r', ...rights])
  // Asked again: an exit status alone is no proof.
  const access = await listAccess(folder, run)
  return isPrivate(access)
    ? [{ path: folder, access, private: true, before }]
    : [{ path: folder, access, private: false, before, reason: notPrivate }]
}

const notPrivate = 'icacls does not show that it is private'

const listAccess = async (folder: string, run: Run) => {
  const { status, output } = await run('icacls.exe', [folder])
  return status === 0 ? output.trim() : ''
}

/** Entries look like `name:(OI)(CI)(F)`; `(I)` marks what comes from the folder above. No entries prove nothing. */
const isPrivate = (access: string) => access.includes(':(') && !access.includes('(I)')

const octal = (mode: number) => `0${(mode & 0o777).toString(8).padStart(3, '0')}`
