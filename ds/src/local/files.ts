/** Packages in a folder of this machine, for Node and Deno. */
import { createHash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Package, Packages } from '../packages/packages.ts'
import { FileStream } from './file-stream.ts'

export function filePackages(folder: string): Packages {
  return {
    async find(key) {
      try {
        const root = await realpath(folder)
        const path = await realpath(join(root, key))
        // A link may point elsewhere in the folder, never out of it.
        if (!path.startsWith(root + sep)) return undefined
        const facts = await lstat(path, { bigint: true })
        return facts.isFile() ? filePackage(path, facts) : undefined
      } catch (error) {
        if (isAbsence(error)) return undefined
        throw error
      }
    },
  }
}

function filePackage(path: string, facts: BigIntStats): Package {
  const size = Number(facts.size)
  const file: Package = {
    size,
    etag: `"${facts.ino.toString(36)}-${facts.size.toString(36)}-${facts.mtimeNs.toString(36)}"`,
    async read(start, end) {
      const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
      return new FileStream(handle, start, end)
    },
    async digest() {
      const hash = createHash('sha256')
      if (size > 0) for await (const part of await file.read(0, size - 1)) hash.update(part)
      return hash.digest('hex')
    },
  }
  return file
}

// No such file, a file where a folder should be, a name too long, links in a circle, no permission: nothing to send.
const absences = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES', 'EPERM'])
const isAbsence = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  absences.has(error.code)
