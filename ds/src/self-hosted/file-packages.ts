/** Packages in a folder, for Node and Deno. */
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Problem } from '@cardwire/protocol'
import type { Package, Packages } from '../packages/packages.ts'
import { createFileDigests, type DigestFile } from './file-digests.ts'
import { FileStream } from './file-stream.ts'
import { listFiles, removeFile, storeFile, uploadFolder } from './stored-files.ts'

/** 500 MB; a connector with everything is a tenth of that. */
export const maxFileBytes = 500_000_000

/** `maxDownloads`: how many files an address downloads at once. */
export function createFilePackages(folder: string, maxDownloads: number): Packages {
  const begin = createDownloadCounter(maxDownloads)
  const digestFile = createFileDigests()
  return {
    maxBytes: maxFileBytes,
    list: () => listFiles(folder),
    store: (upload) => storeFile(folder, upload),
    remove: (key) => removeFile(folder, key),
    async find(key) {
      if (key.startsWith(`${uploadFolder}/`)) return undefined
      try {
        const root = await realpath(folder)
        const path = await realpath(join(root, key))
        // A link may point to another place in the folder, never out of it.
        if (!path.startsWith(root + sep)) return undefined
        const stats = await lstat(path, { bigint: true })
        return stats.isFile() ? createFilePackage(path, stats, { begin, digestFile }) : undefined
      } catch (error) {
        if (isAbsent(error)) return undefined
        throw error
      }
    },
  }
}

/** Counts the downloads of each address. */
export function createDownloadCounter(max: number) {
  const active = new Map<string, number>()
  /** Counts one until the returned function is called. Throws `too-many-requests`. */
  return (client: string): (() => void) => {
    const count = (active.get(client) ?? 0) + 1
    if (count > max) {
      throw new Problem(
        'too-many-requests',
        `Cannot send more than ${max} files at once to one address: try again in ${retryAfterS} s`,
        { retryAfterS },
      )
    }
    active.set(client, count)
    return () => {
      const left = (active.get(client) ?? 0) - 1
      if (left > 0) active.set(client, left)
      else active.delete(client)
    }
  }
}

/** Seconds until a download of the same address may have ended. */
const retryAfterS = 30

function createFilePackage(
  path: string,
  stats: BigIntStats,
  {
    begin,
    digestFile,
  }: { readonly begin: (client: string) => () => void; readonly digestFile: DigestFile },
): Package {
  const size = Number(stats.size)
  const file: Package = {
    size,
    etag: createEtag(stats),
    async read(start, end, client, overlay) {
      const finish = client === undefined ? undefined : begin(client)
      try {
        const handle = await openSame(path, file.etag)
        return new FileStream(handle, start, end, finish, overlay)
      } catch (error) {
        finish?.()
        throw error
      }
    },
    digest: (signal) => digestFile(path, file, signal),
  }
  return file
}

const createEtag = ({ ino, size, mtimeNs }: BigIntStats) =>
  `"${[ino, size, mtimeNs].map((value) => value.toString(36)).join('-')}"`

/** Throws when another file has come in its place since it was found: that one may lie elsewhere, or never end. */
async function openSame(path: string, etag: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  if (createEtag(await handle.stat({ bigint: true })) === etag) return handle
  await handle.close()
  throw new Problem(
    'packages-unavailable',
    'Cannot read the file: another one has come in its place, try again',
    { retryAfterS: 1 },
  )
}

// No such file, a file instead of a folder, a name too long, a circle of links, no permission: there is no package.
const absentCodes = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES', 'EPERM'])
const isAbsent = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  absentCodes.has(error.code)
