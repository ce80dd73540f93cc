/** SHA-256 of files, hex: each is computed once while its file stays the same, and few at once. */
import { createHash } from 'node:crypto'
import { Problem } from '@cardwire/protocol'
import { type Package, requireRequest } from '../packages/packages.ts'
import { createTurns } from './take-turns.ts'

/** A file has up to 500 MB, which takes a second of the thread that answers all requests. */
const limits = { maxConcurrent: 2, maxWaiting: 100 }

/** How many digests are kept, the newest. */
const maxKept = 1000

type File = Pick<Package, 'size' | 'etag' | 'read'>

/** Resolves with the digest of the file at `path`. Ends with its request: throws `service-busy` once `signal` is aborted. */
export type DigestFile = (path: string, file: File, signal?: AbortSignal) => Promise<string>

export function createFileDigests(): DigestFile {
  const kept = new Map<string, { readonly etag: string; readonly value: string }>()
  const runInTurn = createTurns(
    limits,
    () =>
      new Problem(
        'service-busy',
        'Cannot read the whole file: too many other requests are waiting, try again later',
        {
          retryAfterS: 5,
        },
      ),
  )
  return async (path, file, signal) => {
    const find = () => {
      const found = kept.get(path)
      return found?.etag === file.etag ? found.value : undefined
    }
    const compute = async () => {
      requireRequest(signal)
      const value = await digest(file, signal)
      kept.delete(path)
      kept.set(path, { etag: file.etag, value })
      const [first = path] = kept.keys()
      if (kept.size > maxKept) kept.delete(first)
      return value
    }
    return find() ?? runInTurn(async () => find() ?? compute())
  }
}

async function digest(file: File, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256')
  if (file.size === 0) return hash.digest('hex')
  // Leaving the loop closes the file.
  for await (const part of await file.read(0, file.size - 1)) {
    requireRequest(signal)
    hash.update(part)
  }
  return hash.digest('hex')
}
