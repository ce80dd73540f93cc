/** Files of a repository appear as a whole: under another name first. */
import { chmodSync, copyFileSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What the names of files begin with that have not appeared yet: no reader asks for names with a dot in front. */
export const unfinished = '.new-'

const getNewPath = (path: string) => join(dirname(path), `${unfinished}${basename(path)}`)

export function replaceFile(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(getNewPath(path), content, { mode: 0o644 })
  renameSync(getNewPath(path), path)
}

/** `prepare` changes the copy before it appears. */
export function addCopy(from: string, path: string, prepare?: (copy: string) => void): void {
  mkdirSync(dirname(path), { recursive: true })
  const copy = getNewPath(path)
  copyFileSync(from, copy)
  prepare?.(copy)
  chmodSync(copy, 0o644)
  renameSync(copy, path)
}

/** Has `path` lead to `target`, in one step. */
export function replaceLink(path: string, target: string): void {
  symlinkSync(target, getNewPath(path))
  renameSync(getNewPath(path), path)
}
