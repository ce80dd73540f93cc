/** Files of a repository appear as a whole: under another name first. */
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { PublishError } from '../options.ts'

/** What the names of files begin with that have not appeared yet: no reader asks for names with a dot in front. */
export const unfinished = '.new-'

/** The path without links: those on the way to the repository are its administrator's, others are not. */
export function resolveLinks(path: string): string {
  let there = path
  while (!existsSync(there)) there = dirname(there)
  return join(realpathSync(there), relative(there, path))
}

/** Throws a PublishError when the path leads through a link: who writes to the repository could choose where others write. */
export function refuseLinks(path: string): void {
  const real = resolveLinks(path)
  if (real !== path)
    throw new PublishError(
      `Cannot write to "${path}": a link leads to "${real}"; put a folder in its place`,
    )
}

/** A name that nothing has: what waits there was left by an attempt that ended, or is a link that leads elsewhere. */
function makeNewPath(path: string): string {
  const parent = dirname(path)
  refuseLinks(parent)
  mkdirSync(parent, { recursive: true })
  const free = join(parent, `${unfinished}${basename(path)}`)
  rmSync(free, { recursive: true, force: true })
  return free
}

export function replaceFile(path: string, content: string | Uint8Array): void {
  const file = makeNewPath(path)
  writeFileSync(file, content, { mode: 0o644, flag: 'wx' })
  renameSync(file, path)
}

export function addCopy(from: string, path: string): void {
  const copy = makeNewPath(path)
  copyFileSync(from, copy, constants.COPYFILE_EXCL)
  chmodSync(copy, 0o644)
  renameSync(copy, path)
}

/** Has `path` lead to `target`, in one step. */
export function replaceLink(path: string, target: string): void {
  const link = makeNewPath(path)
  symlinkSync(target, link)
  renameSync(link, path)
}
