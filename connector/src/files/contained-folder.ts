/** Folders below that of a type: reached segment by segment, never over a link, and held while they are used. */
import { constants } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '@cardwire/client/protocol'
import { createFileUnknown, createLinkRefused, onDisk } from './file-problem.ts'

export interface ContainedFolder {
  /** Where it lies, for the person and for pages. */
  readonly path: string
  /** The path of an entry, for calls of the system while the folder is held. */
  at(name: string): string
  /** Throws when the folder is not the same any more; where it is held by the system it always is. */
  check(): Promise<void>
  /** Makes what was written there last, also after a power failure. */
  sync(): Promise<void>
}

/** Opens the folder at `segments` below `root` while `act` runs. Throws problems. */
export type UseFolder = <T>(
  root: string,
  segments: readonly string[],
  act: (folder: ContainedFolder) => Promise<T>,
) => Promise<T>

/** `platform` as Node spells it. */
export const createUseFolder = (platform: string): UseFolder =>
  platform === 'linux' ? useHeldFolder : usePathFolder

const useHeldFolder: UseFolder = async (root, segments, act) => {
  let handle = await openRoot(root)
  try {
    for (const segment of segments) {
      const next = await openBelow(`/proc/self/fd/${handle.fd}/${segment}`)
      await handle.close()
      handle = next
    }
    const base = `/proc/self/fd/${handle.fd}`
    return await onDisk(() =>
      act({
        path: join(root, ...segments),
        at: (name) => `${base}/${name}`,
        check: async () => undefined,
        sync: () => handle.sync(),
      }),
    )
  } finally {
    await handle.close()
  }
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

const openRoot = (root: string) =>
  open(root, folderFlags).catch(() => {
    throw createUnmapped()
  })

const openBelow = (path: string) =>
  onDisk(async () => {
    // Linux reports a link as ENOTDIR, like a file.
    if ((await lstat(path)).isSymbolicLink()) throw createLinkRefused()
    return open(path, folderFlags)
  })

/** Where no open folder stands for a path: each segment is looked at, and where the whole leads, before and after each step. */
const usePathFolder: UseFolder = async (root, segments, act) => {
  const path = join(root, ...segments)
  const expected = await realpath(root).catch(() => {
    throw createUnmapped()
  })
  if (!(await lstat(expected)).isDirectory()) throw createUnmapped()
  const check = async () => {
    const found = await realpath(path)
    if (found.toLowerCase() !== join(expected, ...segments).toLowerCase()) throw createLinkRefused()
  }
  return onDisk(async () => {
    for (const at of segments.keys()) {
      const found = await lstat(join(root, ...segments.slice(0, at + 1)))
      if (found.isSymbolicLink()) throw createLinkRefused()
      if (!found.isDirectory()) throw createFileUnknown()
    }
    await check()
    const result = await act({
      path,
      at: (name) => join(path, name),
      check,
      sync: async () => undefined,
    })
    await check()
    return result
  })
}

const createUnmapped = () =>
  new Problem(
    'file-type-unmapped',
    'Cannot use the folder of this type: it is not there any more; the person can choose another one',
  )
