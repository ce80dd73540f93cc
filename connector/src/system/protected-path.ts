/** Whether anybody else could change what lies at a path, or put something else in its place. */
import { accessSync, constants, lstatSync } from 'node:fs'
import { dirname, win32 } from 'node:path'
import { getWindowsSystemFolder } from './libraries/system-libraries.ts'

/** The user id of root. */
export const root = 0

/**
 * The place on the way to `path` that other accounts than `owners` (user ids) can write; undefined: there is none. `path` is absolute and has no links.
 * It is read from its end, so that no place is swapped unnoticed after it was read. On Windows, where a mode says nothing, only places for programs count.
 */
export function findWritablePlace(path: string, owners: readonly number[]): string | undefined {
  const uid = process.getuid?.()
  if (uid === undefined) return isProgramPlace(path) ? undefined : path
  for (let place = path; ; place = dirname(place)) {
    const { uid: owner, mode } = lstatSync(place)
    // In a folder with the sticky bit only owners replace what is theirs (inode(7)).
    const isSticky = place !== path && (mode & 0o1000) !== 0
    const isShared = !isSticky && ((mode & 0o022) !== 0 || hasExtraRights(place, uid, owners))
    if (!owners.includes(owner) || isShared) return place
    if (place === dirname(place)) return undefined
  }
}

/** An access control list, which a mode does not show on macOS, may let this account write. */
function hasExtraRights(place: string, uid: number, owners: readonly number[]): boolean {
  if (uid === root || owners.includes(uid)) return false
  try {
    accessSync(place, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Whether a path of Windows lies where only installers write by default: below Program Files of the system's drive, or directly in System32, which
 * has folders that every account may write. Pages get no folder there (`files/folder-rules.ts`).
 */
export function isProgramPlace(
  path: string,
  systemRoot = win32.dirname(getWindowsSystemFolder()),
): boolean {
  const drive = win32.parse(systemRoot).root
  const fold = (one: string) => win32.normalize(one).toLowerCase()
  const isBelow = (folder: string) => fold(path).startsWith(`${fold(win32.join(drive, folder))}\\`)
  const isInSystem = fold(win32.dirname(path)) === fold(win32.join(systemRoot, 'System32'))
  return isInSystem || isBelow('Program Files') || isBelow('Program Files (x86)')
}
