/** Checks that only their owner may read the keys, and repairs the access rights. */
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { errorText } from '../system/error-text.ts'
import { findStats } from '../system/missing-file.ts'
import { fileNames } from './certificate-folder.ts'
import { type FileAccess, windowsAccess } from './windows-access.ts'

/** The access rights of one path, and whether it is private now. */
export interface Protection {
  readonly path: string
  /** Octal mode such as `0600`; on Windows the SIDs that have access. */
  readonly access: string
  readonly private: boolean
  /** The access rights before the repair; undefined when there was none. */
  readonly before?: string
  readonly reason?: string
}

/** Folder and keys are for their owner alone; certificates are public. */
const wanted: readonly { readonly name: string; readonly mode: number }[] = [
  { name: '', mode: 0o700 },
  { name: fileNames.rootKey, mode: 0o600 },
  { name: fileNames.leafKey, mode: 0o600 },
]

/** Checks the folder and its keys; with `repair`, closes what is open to others. Missing files are left out. */
export async function checkFolderAccess(
  folder: string,
  options: { readonly repair: boolean },
): Promise<readonly Protection[]> {
  const found: Protection[] = []
  for (const { name, mode } of wanted) {
    const path = join(folder, name)
    const now = await findStats(path)
    if (now === undefined) continue
    const before = toOctal(now.mode)
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
          ? { path, access: toOctal(mode), private: true, before }
          : { path, access: before, private: false, before, reason: failure },
      )
    }
  }
  return found
}

// learn.microsoft.com, well-known SIDs: the system and the administrators, who may take every file anyway.
const system = 'S-1-5-18'
const administrators = 'S-1-5-32-544'

/** The same on Windows, where access lists say who may: this account, the system and the administrators alone. */
export async function checkFolderAccessOnWindows(
  folder: string,
  options: { readonly repair: boolean },
  access: () => FileAccess = windowsAccess,
): Promise<readonly Protection[]> {
  const found: Protection[] = []
  for (const { name } of wanted) {
    const path = join(folder, name)
    if ((await findStats(path)) !== undefined)
      found.push(protectFile(path, access(), options.repair))
  }
  return found
}

function protectFile(path: string, access: FileAccess, repair: boolean): Protection {
  const mine = [access.ownAccount, system, administrators]
  const others = (allowed: readonly string[]) => allowed.filter((sid) => !mine.includes(sid))
  let before: string | undefined
  let allowed: readonly string[] = []
  try {
    allowed = access.listAllowed(path)
    if (others(allowed).length === 0) return { path, access: allowed.join(', '), private: true }
    if (repair) {
      before = allowed.join(', ')
      access.restrict(path, mine)
      // Read again: the result of the call alone is no proof.
      allowed = access.listAllowed(path)
    }
  } catch (error) {
    const reason = errorText(error)
    return { path, access: allowed.join(', '), private: false, reason }
  }
  const left = others(allowed)
  return {
    path,
    access: allowed.join(', '),
    private: left.length === 0,
    ...(before === undefined ? {} : { before }),
    ...(left.length === 0 ? {} : { reason: `${left.join(', ')} may open it` }),
  }
}

const toOctal = (mode: number) => `0${(mode & 0o777).toString(8).padStart(3, '0')}`
