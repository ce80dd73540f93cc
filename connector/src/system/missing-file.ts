/** Tells a file that is not there from one that cannot be read: only the first may be replaced, or taken for removed. */
import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'

/** Whether the error of a call says that there is no file of this name. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** For `catch`: undefined for a file that is not there; throws any other error again. */
export function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

/** Whether there is a file at this path. Throws when that cannot be read. */
export function isPresent(path: string): boolean {
  try {
    statSync(path)
    return true
  } catch (error) {
    ignoreMissing(error)
    return false
  }
}

/** Of what a path leads to; undefined: there is nothing. Rejects when that cannot be read. */
export const findStats = (path: string) => stat(path).catch(ignoreMissing)
