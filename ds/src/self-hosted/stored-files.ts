/** Changes the files of the packages folder: stores one as a whole, lists them, removes one. */
import { createHash, randomUUID } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { ListedPackage, Upload } from '../packages/packages.ts'

/** Holds what is still coming; on the same file system, so that a file can be moved to its place at once. */
export const uploadFolder = '.uploads'

/** An upload ends before that: older files are of a service that was killed. In milliseconds. */
const maxUploadMs = 3 * 3_600_000

/** Regular files, and links to such below the folder. */
export async function listFiles(folder: string): Promise<readonly ListedPackage[]> {
  const root = await realpath(folder)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const found = await Promise.all(entries.map((entry) => toListed(root, entry)))
  return found.filter((file) => file !== undefined).toSorted(byKey)
}

async function toListed(root: string, entry: Dirent): Promise<ListedPackage | undefined> {
  const key = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')
  if (key.startsWith(`${uploadFolder}/`) || !(entry.isFile() || entry.isSymbolicLink()))
    return undefined
  try {
    const path = await realpath(join(root, key))
    const stats = await stat(path)
    const isInside = path.startsWith(root + sep)
    return isInside && stats.isFile() ? { key, size: stats.size } : undefined
  } catch {
    // It is gone again, or a link leads nowhere.
    return undefined
  }
}

const byKey = (a: ListedPackage, b: ListedPackage) => (a.key < b.key ? -1 : 1)

/** Writes the bytes to a file of another name, which gets its name when all are on the disk. */
export async function storeFile(folder: string, { key, body, commit }: Upload): Promise<void> {
  const root = await realpath(folder)
  const uploads = join(root, uploadFolder)
  await mkdir(uploads, { recursive: true, mode: 0o700 })
  await removeAbandoned(uploads)
  const path = join(uploads, randomUUID())
  try {
    await commit(await writeAll(path, body))
    await rename(path, join(root, key))
    await syncFolder(root)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** Returns the SHA-256 of what was written, hex. */
async function writeAll(path: string, body: ReadableStream<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  // `wx` follows no link.
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const part of body) {
      hash.update(part)
      await file.writeFile(part)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}

/** After a power failure the file has its name. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function removeAbandoned(uploads: string): Promise<void> {
  const oldest = Date.now() - maxUploadMs
  for (const name of await readdir(uploads)) {
    const path = join(uploads, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < oldest) await rm(path, { force: true })
  }
}

/** A link is removed, not what it leads to. */
export async function removeFile(folder: string, key: string): Promise<void> {
  await rm(join(await realpath(folder), key), { force: true })
}
