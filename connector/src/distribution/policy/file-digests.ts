/** Compares the files of the installation with the digests in the policy. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Policy } from '../client/verify-reply.ts'

/** The service accepts no longer list from an administrator. */
const maxFiles = 2000

export type FileList = Policy['files']

export type FileCheck =
  | { readonly kind: 'intact' }
  /** The paths of files that are missing or have another digest. */
  | { readonly kind: 'altered'; readonly paths: readonly string[] }
  /** The list itself cannot be checked. */
  | { readonly kind: 'invalid-list'; readonly reason: string }

/** `folder` is the folder of the installation. Never throws. */
export async function checkFileDigests(folder: string, files: FileList): Promise<FileCheck> {
  const reason = findListFault(files)
  if (reason !== undefined) return { kind: 'invalid-list', reason }
  const altered: string[] = []
  for (const { path, digest } of files) {
    // One at a time, so that requests of pages are served meanwhile.
    const file = join(folder, ...path.split('/'))
    if (!(await hasDigest(file, digest.toLowerCase()))) altered.push(path)
  }
  return altered.length === 0 ? { kind: 'intact' } : { kind: 'altered', paths: altered }
}

function findListFault(files: FileList): string | undefined {
  if (files.length > maxFiles) {
    return `the list of digests has ${files.length} files, more than ${maxFiles}`
  }
  const outside = files.find(({ path }) => !isInsideFolder(path))
  if (outside) return `the list of digests names a path outside the installation: ${outside.path}`
  const unknown = files.find(({ digest }) => !/^([0-9a-f]{32}|sha256:[0-9a-f]{64})$/i.test(digest))
  return unknown && `the list of digests has none for ${unknown.path}: ${unknown.digest}`
}

/** A relative path that every system reads alike: no drive, no backslash, no parent folder. */
const isInsideFolder = (path: string) =>
  !/^[a-z]:|[\\\p{Cc}]/iu.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/** `expected` is MD5, or SHA-256 behind `sha256:`, in lower-case hexadecimal. */
async function hasDigest(path: string, expected: string): Promise<boolean> {
  const hash = createHash(expected.startsWith('sha256:') ? 'sha256' : 'md5')
  try {
    await pipeline(createReadStream(path), hash)
  } catch {
    // Missing or unreadable: not the file that was installed.
    return false
  }
  return hash.digest('hex') === expected.replace(/^sha256:/, '')
}
