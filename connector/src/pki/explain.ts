/** Says what a system error means for the person whose disk it is. */
import { Problem } from '@cardwire/client/protocol'

const meanings: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'this user may not write or read there',
  EPERM: 'this user may not change it',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder where a file should be',
}

/** The problem `certificate-refused` for an error of the file system; anything else stays what it is. */
export function explain(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const meaning = meanings[code]
  return meaning === undefined
    ? error
    : new Problem('certificate-refused', `Cannot use "${path}": ${meaning} (${code})`)
}
