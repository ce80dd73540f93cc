/** Files of a repository appear as a whole: under another name first. */
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { withFolder } from './folder.ts'

/** What the names of files begin with that have not appeared yet: no reader asks for names with a dot in front. */
export const unfinished = '.new-'

/** `make` makes it under a name that nothing has: what waits there was left by an attempt that ended, or is a link that leads elsewhere. */
function replace(path: string, make: (free: string) => void): void {
  withFolder(dirname(path), (here) => {
    const free = join(here, `${unfinished}${basename(path)}`)
    rmSync(free, { recursive: true, force: true })
    make(free)
    renameSync(free, join(here, basename(path)))
  })
}

/** Fails where something is there already, also a link. */
export const createFile = (path: string, content: string | Uint8Array): void =>
  writeFileSync(path, content, { mode: 0o644, flag: 'wx' })

export const replaceFile = (path: string, content: string | Uint8Array): void =>
  replace(path, (free) => createFile(free, content))

/** `from`: a file in a private folder. */
export const addCopy = (from: string, path: string): void => replaceFile(path, readFileSync(from))

/** Has `path` lead to `target`, in one step. */
export const replaceLink = (path: string, target: string): void =>
  replace(path, (free) => symlinkSync(target, free))
