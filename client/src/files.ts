/** Files of the user's disk, in the folders that the user has chosen for this site. */

import { type ClientOperation, readBody } from '@cardwire/protocol/call'
import type { Operation } from '@cardwire/protocol/operation'
import { boolean, string, unknown, type Validator } from '@cardwire/protocol/validators'
import type { CallOptions, CardwireClient } from './core-service.ts'
import { fileEntry, fileList, fileType, fileTypeList } from './file-answers.ts'
import type { FileEntry, FileList, FileType } from './file-types.ts'
import type { RequestTarget } from './request.ts'
import type { Session } from './session.ts'

export type { FileEntry, FileList, FileType } from './file-types.ts'

/** Where a file is: in the folder of a type, or in a folder below it. */
export interface FilePath {
  /** The name of the type. */
  readonly type: string
  /** The folders that lead to it; default: none. */
  readonly path?: readonly string[] | undefined
  /** The name of the file with its extension. */
  readonly name: string
}

/** Where the folder window starts, and how long it stays open. */
export interface FolderOptions extends CallOptions {
  /** The folder that the window shows first, relative to the user's home folder. */
  readonly start?: readonly string[] | undefined
  /** How many seconds the user has, 10 to 180; default: 120. */
  readonly timeoutS?: number | undefined
}

/** Which part of a folder to list. */
export interface FileListOptions extends CallOptions {
  /** A folder below the folder of the type. */
  readonly path?: readonly string[] | undefined
  /** The index of the first entry, from 0, in order of name. */
  readonly from?: number | undefined
  /** The maximum number of entries; by default 10,000, which is also the limit. */
  readonly size?: number | undefined
}

/** The folders that the user has chosen for this site, each with the name of a type, and the files in them. */
export interface Files {
  /** The types of this entity. */
  types(options?: CallOptions): Promise<FileType[]>
  /** Asks the user to choose the folder. If the type already has one, returns the type unchanged. Rejects with `file-type-refused` if the user chooses none. */
  createType(type: string, options?: FolderOptions): Promise<FileType>
  /** Asks the user to choose another folder. */
  updateType(type: string, options?: FolderOptions): Promise<FileType>
  /** Gives up access to the type; its folder and files stay. Rejects with `file-type-unknown` if there is no such type. */
  deleteType(type: string, options?: CallOptions): Promise<void>
  /** Files and folders directly in the folder of the type, or in one below it. */
  list(type: string, options?: FileListOptions): Promise<FileList>
  /** One file or folder. Rejects with `file-unknown` if it doesn't exist. */
  info(file: FilePath, options?: CallOptions): Promise<FileEntry>
  /** Creates the folders of this path that don't exist yet. */
  createFolder(type: string, path: readonly string[], options?: CallOptions): Promise<FileEntry>
  /** Rejects with `file-taken` if the name is already in use. So do `move`, `rename` and `write`. */
  copy(from: FilePath, to: FilePath, options?: CallOptions): Promise<FileEntry>
  /** Moves a file and keeps its name. */
  move(from: FilePath, to: Omit<FilePath, 'name'>, options?: CallOptions): Promise<FileEntry>
  /** Renames a file in its folder. */
  rename(file: FilePath, newName: string, options?: CallOptions): Promise<FileEntry>
  /** The bytes of a file, at most 50 MiB. */
  read(file: FilePath, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>>
  /** Writes a file completely or not at all, at most 50 MiB. Rejects with `file-path-refused` unless it is a known type of document. */
  write(
    file: FilePath,
    content: Blob | Uint8Array<ArrayBuffer>,
    options?: CallOptions,
  ): Promise<void>
}

/** Seconds that the user has for the window without `timeoutS`. */
const windowS = 120
/** Milliseconds that a file of full size may take. */
const waitMs = 60_000
/** As the contract has it, whose module would bring its schemas. */
const maxFileBytes = 50 * 1024 * 1024

interface WaitingOptions extends CallOptions {
  /** What the call may take beside its own time. */
  readonly waitMs?: number | undefined
}

/** Sends the requests of the file exchange. */
function createFileExchange(client: CardwireClient) {
  const toOperation = <T>(name: string, data: Validator<T>) => {
    const path = `/v3/modules/fileexchange/apps/file/${name}` as const
    return { method: 'POST', access: 'consented', path, data } as const
  }
  const exchange = <T>(
    name: string,
    body: object,
    options: WaitingOptions = {},
    data: Validator<T>,
  ): Promise<T> => {
    const parts: object = body instanceof FormData ? { form: body } : { body }
    const operation: ClientOperation<Operation> = toOperation(name, data)
    return client.call(
      async (session: Session, target: RequestTarget) =>
        (await session.call(operation, parts, target)) as T,
      options,
      options.waitMs ?? 0,
    )
  }
  const readBytes = (body: object, options: CallOptions = {}) =>
    client.call(
      async (session: Session, target: RequestTarget) => {
        let content = new Blob()
        const parts: object = { body }
        const operation: ClientOperation<Operation> = toOperation('upload', unknown)
        await session.stream(operation, parts, target, async (response) => {
          content = await readBody(response, maxFileBytes)
        })
        return new Uint8Array(await content.arrayBuffer())
      },
      options,
      waitMs,
    )
  return { exchange, readBytes }
}

/** The folders of this site, under an entity name that the site chooses. */
export function openFiles(client: CardwireClient, entity: string): Files {
  const { exchange, readBytes } = createFileExchange(client)
  const toFile = ({ type, path, name }: FilePath) => ({
    ...{ entity, type, fileName: name, relPath: path },
  })
  const between = (from: FilePath, to: Omit<FilePath, 'name'>) => ({
    ...{ entity, fromType: from.type, toType: to.type, fileName: from.name },
    ...{ fromRelPath: from.path, toRelPath: to.path },
  })
  const ask = (
    operation: string,
    type: string,
    { start, timeoutS: timeout = windowS, ...options }: FolderOptions = {},
  ) => {
    const body = { entity, type, initPath: start, timeout }
    return exchange(operation, body, { ...options, waitMs: timeout * 1000 }, fileType)
  }
  return {
    async types(options) {
      return (await exchange('list-types', { entity }, options, fileTypeList)).types
    },
    createType: (type, options) => ask('create-type', type, options),
    updateType: (type, options) => ask('update-type', type, options),
    async deleteType(type, options) {
      await exchange('delete-type', { entity, type }, options, boolean)
    },
    list: (type, { path, from, size, ...options } = {}) => {
      const body = { entity, type, relPath: path, page: { start: from, size } }
      return exchange('list-type-content', body, options, fileList)
    },
    info: (file, options) => exchange('get-file-info', toFile(file), options, fileEntry),
    createFolder: (type, relPath, options) =>
      exchange(
        ...([
          'create-dir',
          { entity, type, relPath, recursive: true },
          options,
          fileEntry,
        ] as const),
      ),
    copy: (from, to, options) => {
      const body = { ...between(from, to), newFileName: to.name }
      return exchange('copy-file', body, { ...options, waitMs }, fileEntry)
    },
    move: (from, to, options) =>
      exchange('move-file', between(from, to), { ...options, waitMs }, fileEntry),
    rename: (file, newFileName, options) =>
      exchange('rename-file', { ...toFile(file), newFileName }, options, fileEntry),
    read: (file, options) => readBytes(toFile(file), options),
    async write({ type, path = [], name }, content, options) {
      const form = new FormData()
      const fields = { entity, type, fileName: name }
      for (const [field, value] of Object.entries(fields)) form.append(field, value)
      // A second field, which is empty, says that a comma in the first is one.
      for (const segment of path.length === 1 ? [...path, ''] : path)
        form.append('relPath', segment)
      form.append('file', content instanceof Blob ? content : new Blob([content]))
      await exchange('download', form, { ...options, waitMs }, string)
    },
  }
}
