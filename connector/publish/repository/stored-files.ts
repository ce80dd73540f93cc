/** Files that lie in a repository: read only as regular files of a limited size, since another program may have put them there. */
import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PublishError } from '../options.ts'

/** SHA-256, hex. */
export const computeDigest = (content: Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

/** A list of a thousand versions has a few megabytes. */
const maxBytes = 64 * 1024 * 1024

/** Throws a PublishError with the path of a link, a pipe, a device, or of what is too large. */
export function readStoredFile(path: string): Buffer {
  const content = readRegularFile(path)
  if (content !== undefined) return content
  throw new PublishError(
    `Cannot use "${path}": it is not a regular file of at most 64 MiB; restore it from a backup`,
  )
}

/** The bytes that the list means. Throws a PublishError with the path for others. */
export function readWithDigest(path: string, sha256: string): Buffer {
  const content = readRegularFile(path)
  if (content !== undefined && computeDigest(content) === sha256) return content
  throw new PublishError(
    `Cannot use "${path}": it is not what the signed list names; restore it from a backup`,
  )
}

/** A file that createrepo_c has named by its SHA-256. Undefined for anything else: a link, a device, or other bytes. */
export function readEarlierList(folder: string, name: string): Buffer | undefined {
  const sha256 = /^([0-9a-f]{64})-[\w.-]+$/.exec(name)?.[1]
  const content = sha256 === undefined ? undefined : readRegularFile(join(folder, name))
  return content !== undefined && computeDigest(content) === sha256 ? content : undefined
}

function readRegularFile(path: string): Buffer | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  let descriptor: number
  try {
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const stats = fstatSync(descriptor)
    return stats.isFile() && stats.size <= maxBytes ? readFileSync(descriptor) : undefined
  } finally {
    closeSync(descriptor)
  }
}
