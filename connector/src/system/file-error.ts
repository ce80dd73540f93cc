/** Explains errors of the file system to the user whose disk it is. */
import { errorText } from './error-text.ts'

const meanings: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than the limit of this session (ulimit -f)',
  EROFS: 'the file system is read-only',
  EACCES: 'this user may not write or read there',
  EPERM: 'this user may not change it',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder where a file should be',
}

/** As `the disk is full (ENOSPC)`; undefined for any other error. */
export function findFileErrorMeaning(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const meaning = meanings[code]
  return meaning && `${meaning} (${code})`
}

/** A sentence with the path for an error of the file system, the message of any other. */
export function describeError(error: unknown): string {
  const meaning = findFileErrorMeaning(error)
  if (meaning === undefined) return errorText(error)
  // An error of a write alone has no path.
  const path = error instanceof Error && 'path' in error ? ` use "${error.path}"` : ' write a file'
  return `Cannot${path}: ${meaning}`
}

/** Whether there is no room on the disk, or none for this account. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && /^(?:SQLITE_FULL|ENOSPC|EDQUOT|EFBIG)$/.test(String(error.code))) ||
    isDiskFull(error.cause))

/** Whether the disk is at fault, or what the account may do there: nothing that a stack would explain. */
export const isFileError = (error: unknown): boolean =>
  error instanceof Error &&
  (findFileErrorMeaning(error) !== undefined ||
    ('code' in error && /^SQLITE_(FULL|READONLY|CANTOPEN|IOERR)/.test(String(error.code))) ||
    isFileError(error.cause))
