/** Folders of a repository, held open: a link that appears later in the place of one leads nowhere. */
import { closeSync, constants, existsSync, mkdirSync, openSync, readlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { PublishError } from '../options.ts'
import { resolveLinks } from './resolve-links.ts'

/** Where Linux names what a process has open (proc_pid_fd(5)). Other systems have no such names. */
const descriptors = '/proc/self/fd'

const isLinked = (path: string, real: string) =>
  new PublishError(
    `Cannot write to "${path}": a link leads to "${real}"; put a folder in its place`,
  )

/** Throws a PublishError when the path leads through a link: who writes to the repository could choose where others write. */
export function refuseLinks(path: string): void {
  const real = resolveLinks(path)
  if (real !== path) throw isLinked(path, real)
}

/**
 * Makes the folder unless it is there, and calls `act` with another path of it, which stays that of this folder until `act`
 * has ended. On systems other than Linux it is the same path: there a link that comes after the check is followed.
 */
export function withFolder<T>(path: string, act: (here: string) => T): T {
  const descriptor = openFolder(path)
  try {
    return act(existsSync(descriptors) ? join(descriptors, String(descriptor)) : path)
  } finally {
    closeSync(descriptor)
  }
}

function openFolder(path: string): number {
  refuseLinks(path)
  if (!existsSync(path))
    withFolder(dirname(path), (parent) =>
      mkdirSync(join(parent, basename(path)), { recursive: true }),
    )
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
  const descriptor = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  // What was opened counts: the path may lead elsewhere since it was looked at.
  const real = existsSync(descriptors)
    ? readlinkSync(join(descriptors, String(descriptor)))
    : resolveLinks(path)
  if (real === path) return descriptor
  closeSync(descriptor)
  throw isLinked(path, real)
}
