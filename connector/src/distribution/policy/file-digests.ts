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
  /** The list is wrong, or the system has no means to read a file now. */
  | { readonly kind: 'unchecked'; readonly reason: string }

/** `folder` is the folder of the installation. Never throws. */
export async function checkFileDigests(folder: string, files: FileList): Promise<FileCheck> {
  const reason = findListFault(files)
  if (reason !== undefined) return { kind: 'unchecked', reason }
  const altered: string[] = []
  for (const { path, digest } of files) {
    // One at a time, so that requests of pages are served meanwhile.
    const found = await compareDigest(join(folder, ...path.split('/')), digest.toLowerCase())
    if (found === 'exhausted')
      return { kind: 'unchecked', reason: `the system has no means to read ${path} now` }
    if (found === 'different') altered.push(path)
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

/** Errors of a system that ran out of descriptors or memory, which other accounts can cause (errno(3)). */
const exhaustion: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])

/** `expected` is MD5, or SHA-256 behind `sha256:`, in lower-case hexadecimal. */
async function compareDigest(
  path: string,
  expected: string,
): Promise<'same' | 'different' | 'exhausted'> {
  const hash = createHash(expected.startsWith('sha256:') ? 'sha256' : 'md5')
  try {
    await pipeline(createReadStream(path), hash)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Missing or unreadable: not the file that was installed.
    return exhaustion.has(code) ? 'exhausted' : 'different'
  }
  return hash.digest('hex') === expected.replace(/^sha256:/, '') ? 'same' : 'different'
}
