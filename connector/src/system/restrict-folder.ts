/** Restricts a folder and the files in it to their owner, and reports what was open to others. */
import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { errorText } from './error-text.ts'

/** A path that others could open. */
export interface OpenPath {
  readonly path: string
  /** Its octal mode, such as `0644`. */
  readonly before: string
  /** Why it is still open; undefined when it is closed now. */
  readonly reason?: string
}

/**
 * Folder 0700, files 0600. Links are not followed, and what another account owns is left to it. On Windows the folders of
 * a user inherit an access list that keeps others out, and modes mean nothing. Never throws.
 */
export function restrictFolder(
  folder: string,
  { platform, uid }: { readonly platform: string; readonly uid: number | undefined } = {
    platform: process.platform,
    uid: process.getuid?.(),
  },
): readonly OpenPath[] {
  if (platform === 'win32') return []
  const own = restrict(folder, 0o700, uid)
  return [...own, ...listNames(folder).flatMap((name) => restrict(join(folder, name), 0o600, uid))]
}

/** The folder belongs to another account. */
export class ForeignFolder extends Error {}

/**
 * Throws ForeignFolder when the folder, or the link to it, is another account's: that account could put links and pipes in the place
 * of the files. So it is for an administrator who has the home of a user in the environment.
 */
export function requireOwnFolder(
  folder: string,
  uid: number | undefined = process.getuid?.(),
): void {
  if (uid !== undefined) requireOwner(folder, [uid])
}

/** The same for a folder that is only read: root may have provided it. */
export function requireTrustedFolder(
  folder: string,
  uid: number | undefined = process.getuid?.(),
): void {
  if (uid !== undefined) requireOwner(folder, [uid, 0])
}

function requireOwner(folder: string, owners: readonly number[]): void {
  if ([lstatSync(folder), statSync(folder)].every(({ uid }) => owners.includes(uid))) return
  throw new ForeignFolder(
    `Cannot use "${folder}": it belongs to another account; start the connector as that account, or with another HOME`,
  )
}

function restrict(path: string, mode: number, uid: number | undefined): readonly OpenPath[] {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found || (mode === 0o700 ? !found.isDirectory() : !found.isFile())) return []
  if ((found.mode & 0o077) === 0 || (uid !== undefined && found.uid !== uid)) return []
  const before = `0${(found.mode & 0o777).toString(8).padStart(3, '0')}`
  try {
    chmodSync(path, mode)
    return [{ path, before }]
  } catch (error) {
    return [{ path, before, reason: errorText(error) }]
  }
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
