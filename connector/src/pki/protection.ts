/** Keys are read by their owner alone: finds what is too open, and closes it. */
import { chmod, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileNames } from './folder.ts'
import { type FileAccess, windowsAccess } from './windows-access.ts'

/** What was found of one path, and whether it is private now. */
export interface Protection {
  readonly path: string
  /** Octal mode such as `0600`; on Windows the SIDs that are let in. */
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

// learn.microsoft.com, well-known SIDs: the system and the administrators, who may take every file anyway.
const system = 'S-1-5-18'
const administrators = 'S-1-5-32-544'

/** The same on Windows, where access lists say who may: this account, the system and the administrators alone. */
export async function protectOnWindows(
  folder: string,
  options: { readonly repair: boolean },
  access: () => FileAccess = windowsAccess,
): Promise<readonly Protection[]> {
  const found: Protection[] = []
  for (const { name } of wanted) {
    const path = join(folder, name)
    if ((await stat(path).catch(() => undefined)) !== undefined)
      found.push(protectFile(path, access(), options.repair))
  }
  return found
}

function protectFile(path: string, access: FileAccess, repair: boolean): Protection {
  const mine = [access.self, system, administrators]
  const others = (allowed: readonly string[]) => allowed.filter((sid) => !mine.includes(sid))
  let before: string | undefined
  let allowed: readonly string[] = []
  try {
    allowed = access.allowed(path)
    if (others(allowed).length === 0) return { path, access: allowed.join(', '), private: true }
    if (repair) {
      before = allowed.join(', ')
      access.restrict(path, mine)
      // Asked again: what a call answers alone is no proof.
      allowed = access.allowed(path)
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
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

const octal = (mode: number) => `0${(mode & 0o777).toString(8).padStart(3, '0')}`
