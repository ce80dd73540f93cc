/** What goes wrong on a disk, as problems for the page: without the paths of the user. */
import { Problem } from '@cardwire/protocol/problem'

export const getErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

const missing = new Set(['ENOENT', 'ENOTDIR'])
const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Runs what uses a disk; its errors come out as problems. */
export async function onDisk<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw toFileProblem(error)
  }
}

/** Problems stay what they are, and so does what is no error of the system. */
export function toFileProblem(error: unknown): unknown {
  const code = getErrorCode(error)
  if (error instanceof Problem || code === undefined) return error
  if (missing.has(code)) return createFileUnknown()
  if (code === 'EEXIST') return createFileTaken()
  if (code === 'ELOOP') return createLinkRefused()
  if (full.has(code)) {
    return new Problem('disk-full', 'Cannot write the file: the disk is full, nothing was written')
  }
  if (code === 'ENAMETOOLONG') {
    return new Problem('file-path-refused', 'Cannot use the path: it is too long for the disk')
  }
  return new Problem('disk-failed', `Cannot use the disk: it refuses, with ${code}`)
}

export const createFileUnknown = () =>
  new Problem('file-unknown', 'Cannot find the file or folder: there is none of this name')

export const createFileTaken = () =>
  new Problem(
    'file-taken',
    'Cannot write the file: a file with this name exists and is not replaced, choose a different name',
  )

export const createLinkRefused = () =>
  new Problem('file-path-refused', 'Cannot use the path: it leads over a link')
