/** Renames a file without replacing another one: in one step where the system has such a call. */
import { lstat, rename } from 'node:fs/promises'
import { createFileTaken } from './file-problem.ts'
import { openRenameCall } from './native.ts'

/** Throws `file-taken`, or the error of the system; EXDEV where both lie on different disks. */
export type RenameFile = (from: string, to: string) => Promise<void>

/** `renameExclusively`: whether the system has done it. */
export const createRenameFile =
  (renameExclusively = openRenameCall(process.platform)): RenameFile =>
  async (from, to) => {
    if (renameExclusively(from, to)) return
    await lstat(from)
    if (await exists(to)) throw createFileTaken()
    // A file system without such a call, or an error, which this call reports.
    await rename(from, to)
  }

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )
