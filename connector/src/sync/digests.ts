/** Whether the files of the installation are those that the service knows. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Policy } from './state.ts'

/** The service lets nobody ask for more; a list that does is not from an administrator. */
const mostFiles = 2000

export type FileList = Policy['files']

export type Checked =
  | { readonly kind: 'good' }
  /** Paths that are not there, or are not what they were. */
  | { readonly kind: 'altered'; readonly paths: readonly string[] }
  /** No list that could be checked. */
  | { readonly kind: 'refused'; readonly reason: string }

/** `folder` is the one that the program was installed in. Never throws. */
export async function checkFiles(folder: string, files: FileList): Promise<Checked> {
  const reason = unfit(files)
  if (reason !== undefined) return { kind: 'refused', reason }
  const altered: string[] = []
  for (const { path, digest } of files) {
    // One after the other: whoever asks for readers meanwhile comes first.
    if (!(await matches(join(folder, ...path.split('/')), digest.toLowerCase()))) altered.push(path)
  }
  return altered.length === 0 ? { kind: 'good' } : { kind: 'altered', paths: altered }
}

function unfit(files: FileList): string | undefined {
  if (files.length > mostFiles) {
    return `the list of digests has ${files.length} files, more than ${mostFiles}`
  }
  const outside = files.find(({ path }) => !isBelow(path))
  if (outside) return `the list of digests names a path outside the installation: ${outside.path}`
  const unknown = files.find(({ digest }) => !/^([0-9a-f]{32}|sha256:[0-9a-f]{64})$/i.test(digest))
  return unknown && `the list of digests has none for ${unknown.path}: ${unknown.digest}`
}

/** Names that every system reads alike: no drive, no backslash, no way up. */
const isBelow = (path: string) =>
  !/^[a-z]:|[\\\p{Cc}]/iu.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

async function matches(path: string, expected: string): Promise<boolean> {
  const hash = createHash(expected.startsWith('sha256:') ? 'sha256' : 'md5')
  try {
    await pipeline(createReadStream(path), hash)
  } catch {
    // Not there, or not to be read: it is not what was installed.
    return false
  }
  return hash.digest('hex') === expected.replace(/^sha256:/, '')
}
