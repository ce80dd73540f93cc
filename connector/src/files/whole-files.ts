/** Files read and written as a whole: what is written is there with all its bytes, or not at all. */
import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { lstat, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { maxFileBytes } from '@cardwire/protocol/file-exchange'
import { Problem } from '@cardwire/protocol/problem'
import type { ContainedFolder } from './contained-folder.ts'
import { createFileTaken, createFileUnknown, createLinkRefused } from './file-problem.ts'
import type { MarkFile } from './mark-file.ts'
import type { PartJournal } from './part-journal.ts'
import type { RenameFile } from './rename-file.ts'

// Windows has neither of the two: there is no such link to a file that lstat would not show, and no named pipe in a folder.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>

export interface WholeFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly stats: Stats
}

/** Throws `file-unknown` for what is no file, `file-too-large`, `file-path-refused` for a link. */
export async function readWholeFile(folder: ContainedFolder, name: string): Promise<WholeFile> {
  const path = folder.at(name)
  await requireFile(path)
  const handle = await open(path, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    await folder.check()
    const stats = await handle.stat()
    if (!stats.isFile()) throw createFileUnknown()
    if (stats.size > maxFileBytes) throw createTooLarge()
    const buffer = new Uint8Array(stats.size)
    let length = 0
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return { bytes: buffer.subarray(0, length), stats }
  } finally {
    await handle.close()
  }
}

/** Of a file; throws for everything else. */
export async function requireFile(path: string): Promise<Stats> {
  const stats = await lstat(path)
  if (stats.isSymbolicLink()) throw createLinkRefused()
  if (!stats.isFile()) throw createFileUnknown()
  return stats
}

export const createTooLarge = () =>
  new Problem('file-too-large', `Cannot take the file: it has more than ${maxFileBytes} bytes`)

export interface FileWriter {
  readonly journal: PartJournal
  readonly rename: RenameFile
  readonly mark: MarkFile
  /** Called with the path of a folder whose disk keeps no marks. */
  readonly onUnmarked: (folder: string) => void
}

export interface NewFile {
  readonly bytes: Uint8Array
  /** Of the page that writes it. */
  readonly origin: string
}

/** Marked as a file of the origin, and without rights to execute it. Throws `file-taken` unless the file that has the name has these bytes. */
export async function writeWholeFile(
  folder: ContainedFolder,
  name: string,
  { bytes, origin }: NewFile,
  { journal, rename, mark, onUnmarked }: FileWriter,
): Promise<void> {
  if (bytes.length > maxFileBytes) throw createTooLarge()
  if (await isTaken(folder, name, bytes)) return
  const part = createPartName()
  const path = folder.at(part)
  const forget = journal.add(join(folder.path, part))
  try {
    const handle = await open(path, 'wx', 0o666)
    try {
      await folder.check()
      // Before the bytes: they are nowhere without it, whenever this ends.
      if (!mark({ descriptor: handle.fd, path }, origin)) onUnmarked(folder.path)
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await folder.check()
    await rename(path, folder.at(name))
    await folder.sync()
  } finally {
    await unlink(path).catch(() => undefined)
    forget()
  }
}

const partPattern = /^\.cardwire-[0-9a-f]{24}\.part$/
const createPartName = () => `.cardwire-${randomBytes(12).toString('hex')}.part`

/** Whether a file of this name is what a download that was killed has left. */
export const isPartName = (name: string): boolean => partPattern.test(name)

/** A page that repeats a download whose answer was lost has its file. */
async function isTaken(folder: ContainedFolder, name: string, bytes: Uint8Array): Promise<boolean> {
  const found = await lstat(folder.at(name)).catch(() => undefined)
  if (!found) return false
  if (!found.isFile() || found.size !== bytes.length) throw createFileTaken()
  const existing = await readWholeFile(folder, name)
  if (Buffer.compare(existing.bytes, bytes) !== 0) throw createFileTaken()
  return true
}
