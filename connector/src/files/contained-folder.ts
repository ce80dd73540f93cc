/** Folders below that of a type: reached segment by segment, never over a link, and held while they are used. */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '@cardwire/protocol/problem'
import {
  createFileUnknown,
  createLinkRefused,
  getErrorCode,
  onDisk,
  toFileProblem,
} from './file-problem.ts'
import type { JudgeFolder } from './judge-folder.ts'

export interface ContainedFolder {
  /** Where it lies, for the user and for pages. */
  readonly path: string
  /** The path of an entry, for calls of the system while the folder is held. */
  at(name: string): string
  /** Throws when the folder is not the same any more; where it is held by the system it always is. */
  check(): Promise<void>
  /** Makes what was written there last, also after a power failure. */
  sync(): Promise<void>
}

/** Opens the folder at `segments` below `root` while `act` runs. Throws problems; for a root that no page may have, `file-type-unmapped`. */
export type UseFolder = <T>(
  root: string,
  segments: readonly string[],
  act: (folder: ContainedFolder) => Promise<T>,
) => Promise<T>

/** `platform` as Node spells it. `judge` is asked at each use, where the root lies then, regardless of who named it and when. */
export const createUseFolder = (platform: string, judge: JudgeFolder): UseFolder =>
  platform === 'linux' ? createUseHeldFolder(judge) : createUsePathFolder(judge)

const createUseHeldFolder =
  (judge: JudgeFolder): UseFolder =>
  async (root, segments, act) => {
    let handle = await openRoot(root)
    try {
      await requireAllowed(judge, await readPlace(handle))
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

/** Where an open folder lies; proc(5). */
const readPlace = (handle: FileHandle) => onDisk(() => readlink(`/proc/self/fd/${handle.fd}`))

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

const openRoot = (root: string) =>
  open(root, folderFlags).catch((error) => {
    throw toRootProblem(error)
  })

/** Only what is not there, or is no folder, can be chosen anew: a disk that fails, or too many open files, pass. */
const toRootProblem = (error: unknown) =>
  ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(getErrorCode(error) ?? '')
    ? createUnmapped()
    : toFileProblem(error)

const openBelow = (path: string) =>
  onDisk(async () => {
    // Linux reports a link as ENOTDIR, like a file.
    if ((await lstat(path)).isSymbolicLink()) throw createLinkRefused()
    return open(path, folderFlags)
  })

/** Where no open folder stands for a path: the root without links is judged and used; each segment, and where the whole leads, is looked at before and after each step. */
const createUsePathFolder =
  (judge: JudgeFolder): UseFolder =>
  async (root, segments, act) => {
    const place = await realpath(root).catch((error) => {
      throw toRootProblem(error)
    })
    if (!(await lstat(place)).isDirectory()) throw createUnmapped()
    await requireAllowed(judge, place)
    const path = join(place, ...segments)
    const check = async () => {
      const found = await realpath(path)
      if (found.toLowerCase() !== path.toLowerCase()) throw createLinkRefused()
    }
    return onDisk(async () => {
      for (const at of segments.keys()) {
        const found = await lstat(join(place, ...segments.slice(0, at + 1)))
        if (found.isSymbolicLink()) throw createLinkRefused()
        if (!found.isDirectory()) throw createFileUnknown()
      }
      await check()
      const result = await act({
        path: join(root, ...segments),
        at: (name) => join(path, name),
        check,
        sync: async () => undefined,
      })
      await check()
      return result
    })
  }

async function requireAllowed(judge: JudgeFolder, place: string): Promise<void> {
  if ((await judge(place)) === undefined) return
  throw new Problem(
    'file-type-unmapped',
    'Cannot use the folder of this type: pages may not have it; choose another folder, or ask the administrator for one',
  )
}

const createUnmapped = () =>
  new Problem(
    'file-type-unmapped',
    'Cannot use the folder of this type: it no longer exists; the user can choose another one',
  )
