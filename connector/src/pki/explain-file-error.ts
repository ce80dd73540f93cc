/** Turns errors of the file system into a problem. */
import { Problem } from '@cardwire/protocol/problem'
import { findFileErrorMeaning } from '../system/file-error.ts'

/** The problem `certificate-refused` for an error of the file system; any other error is returned as it is. */
export function explainFileError(error: unknown, path: string): unknown {
  const meaning = findFileErrorMeaning(error)
  return meaning === undefined
    ? error
    : new Problem('certificate-refused', `Cannot use "${path}": ${meaning}`)
}
