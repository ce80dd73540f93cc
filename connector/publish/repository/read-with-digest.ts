/** Files that a signed list names by their SHA-256. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { PublishError } from '../options.ts'

/** SHA-256, hex. */
export const computeDigest = (content: Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

/** The bytes that the list means. Throws a PublishError with the path for others. */
export function readWithDigest(path: string, sha256: string): Buffer {
  const content = existsSync(path) ? readFileSync(path) : undefined
  if (content !== undefined && computeDigest(content) === sha256) return content
  throw new PublishError(
    `Cannot use "${path}": it is not what the signed list names; restore it from a backup`,
  )
}
