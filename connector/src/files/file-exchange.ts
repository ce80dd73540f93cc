/** The files of types: listing, reading, writing, copying, moving and renaming, each within the folders of its types. */
import { lstat, mkdir, unlink } from 'node:fs/promises'
import type { FileEntry, FilePage } from '@cardwire/protocol/file-exchange'
import { Problem } from '@cardwire/protocol/problem'
import type { ContainedFolder, UseFolder } from './contained-folder.ts'
import {
  type FilePlace,
  type Listing,
  listEntries,
  listNames,
  readAccess,
  readEntry,
} from './file-entries.ts'
import { findNewFileFault, findNewFolderFault, parseSegments, requireName } from './file-names.ts'
import { createFileTaken, getErrorCode } from './file-problem.ts'
import { type FileWriter, readWholeFile, requireFile, writeWholeFile } from './whole-files.ts'

/** A type that has a folder. */
export interface MappedType {
  /** The origin whose pages use it: files that they write are marked with it. */
  readonly origin: string
  readonly entity: string
  readonly type: string
  /** Absolute. */
  readonly path: string
}

/** A folder of a type, as a page names it; undefined: that of the type itself. */
export interface FolderName {
  readonly type: MappedType
  readonly relPath?: readonly string[] | undefined
}

export interface FileName extends FolderName {
  readonly fileName: string
}

/** Every function throws the problems of the contract. */
export interface FileExchange {
  list(folder: FolderName, page?: FilePage): Promise<Listing>
  /** How many files and folders lie directly in the folder of a type, and what may be done there. */
  describe(
    type: MappedType,
  ): Promise<{ readonly files: number; readonly access: FileEntry['access'] }>
  exists(folder: FolderName): Promise<boolean>
  find(file: FileName): Promise<FileEntry>
  /** `recursive`: also the folders on the way, and a folder that is there already is none too many. */
  createFolder(folder: FolderName, recursive: boolean): Promise<FileEntry>
  read(file: FileName): Promise<Uint8Array<ArrayBuffer>>
  write(file: FileName, bytes: Uint8Array): Promise<FileEntry>
  copy(from: FileName, to: FileName): Promise<FileEntry>
  /** Within a folder it is a new name. */
  move(from: FileName, to: FileName): Promise<FileEntry>
}

export function createFileExchange(useFolder: UseFolder, writer: FileWriter): FileExchange {
  const inFolder = async <T>(
    { type, relPath }: FolderName,
    act: (folder: ContainedFolder, place: FilePlace) => Promise<T>,
  ): Promise<T> => {
    const segments = parseSegments(relPath)
    const place = { entity: type.entity, type: type.type, segments }
    return useFolder(type.path, segments, (folder) => act(folder, place))
  }
  const read = async ({ fileName, ...folder }: FileName) => {
    requireName(fileName)
    return inFolder(folder, (held) => readWholeFile(held, fileName))
  }
  const write = async ({ fileName, ...folder }: FileName, bytes: Uint8Array) => {
    requireName(fileName, findNewFileFault)
    return inFolder(folder, async (held, place) => {
      await writeWholeFile(held, fileName, { bytes, origin: folder.type.origin }, writer)
      return readEntry(held, place, fileName)
    })
  }

  /** Across disks: the copy is whole before the original goes, which is kept when it has changed meanwhile. */
  const moveByCopy = async (from: FileName, to: FileName): Promise<FileEntry> => {
    const { bytes, stats } = await read(from)
    const entry = await write(to, bytes)
    await inFolder(from, async (held) => {
      const now = await requireFile(held.at(from.fileName))
      const isSame =
        now.ino === stats.ino && now.mtimeMs === stats.mtimeMs && now.size === stats.size
      if (isSame) await unlink(held.at(from.fileName))
    })
    return entry
  }

  return {
    list: (folder, page) => inFolder(folder, (held, place) => listEntries(held, place, page)),
    describe: (type) =>
      inFolder({ type }, async (held) => ({
        files: (await listNames(held)).length,
        access: await readAccess(held.at('.')),
      })),
    async exists({ type, relPath }) {
      const segments = parseSegments(relPath)
      const name = segments.at(-1)
      const act = async (held: ContainedFolder, place: FilePlace) => {
        if (name !== undefined) await readEntry(held, place, name)
      }
      try {
        await inFolder({ type, relPath: segments.slice(0, -1) }, act)
        return true
      } catch (error) {
        if (error instanceof Problem && error.name === 'file-unknown') return false
        throw error
      }
    },
    async find({ fileName, ...folder }) {
      requireName(fileName)
      return inFolder(folder, (held, place) => readEntry(held, place, fileName))
    },
    async createFolder({ type, relPath }, recursive) {
      const segments = parseSegments(relPath)
      if (segments.length === 0) throw createFileTaken()
      const createOne = (depth: number, mayExist: boolean) =>
        inFolder({ type, relPath: segments.slice(0, depth - 1) }, (held, place) =>
          createFolderIn(held, place, segments[depth - 1] ?? '', mayExist),
        )
      for (let depth = recursive ? 1 : segments.length; depth < segments.length; depth += 1) {
        await createOne(depth, true)
      }
      return createOne(segments.length, recursive)
    },
    read: async (file) => (await read(file)).bytes,
    write,
    copy: async (from, to) => write(to, (await read(from)).bytes),
    async move(from, to) {
      requireName(from.fileName)
      requireName(to.fileName, findNewFileFault)
      const moved = await inFolder(from, (source) =>
        inFolder(to, (target, place) =>
          renameBetween([source, from.fileName], [target, to.fileName], place, writer.rename),
        ),
      )
      return moved ?? moveByCopy(from, to)
    },
  }
}

/** `mayExist`: a folder that has the name already is the result. */
async function createFolderIn(
  parent: ContainedFolder,
  place: FilePlace,
  name: string,
  mayExist: boolean,
): Promise<FileEntry> {
  const found = await lstat(parent.at(name)).catch(() => undefined)
  if (found && !(mayExist && found.isDirectory())) throw createFileTaken()
  if (!found) {
    requireName(name, findNewFolderFault)
    await mkdir(parent.at(name)).catch((error) => {
      // Another call has made it meanwhile.
      if (!mayExist || getErrorCode(error) !== 'EEXIST') throw error
    })
  }
  return readEntry(parent, place, name)
}

/** undefined: the two folders are on different disks. */
async function renameBetween(
  [source, name]: readonly [ContainedFolder, string],
  [target, newName]: readonly [ContainedFolder, string],
  place: FilePlace,
  rename: FileWriter['rename'],
): Promise<FileEntry | undefined> {
  const path = source.at(name)
  await requireFile(path)
  try {
    await rename(path, target.at(newName))
  } catch (error) {
    if (getErrorCode(error) === 'EXDEV') return undefined
    throw error
  }
  await target.sync()
  return readEntry(target, place, newName)
}
