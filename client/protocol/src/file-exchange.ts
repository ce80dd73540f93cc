/** File exchange: folders of the user's disk, as types of an origin, and the files in them. */
import * as z from 'zod/mini'
import { data, operation } from './operation.ts'

/** The largest file that is read or written, in bytes. */
export const maxFileBytes = 50 * 1024 * 1024

/** How many files and folders of one folder are listed and counted at most. */
export const maxListedFiles = 50_000

/** How deep folders below that of a type may lie. */
export const maxFileDepth = 32

const hasControl = (text: string) => /\p{Cc}/u.test(text)
/** The rule of the administrator's folders. */
const key = (what: string) =>
  z.string().check(
    z.minLength(1),
    z.maxLength(255),
    z.refine((text) => !/[\p{Cc}/\\]/u.test(text), 'expected a name without / and \\'),
    z.describe(what),
  )
const entity = key('The owner of the files, by a name that the page chooses')
const type = key('Stands for one folder of the user')
const fileName = z.string().check(
  z.minLength(1),
  z.maxLength(255),
  z.refine((text) => !hasControl(text), 'expected a name without control characters'),
)
/** Segments, which legacy clients also join with `/` or `\`. */
const relPath = z
  .array(z.string().check(z.maxLength(4096)))
  .check(
    z.maxLength(maxFileDepth),
    z.describe('The path from the folder of the type, as segments; you can join segments with /'),
  )

/** Which part of a list, by name. */
export const FilePage = z.strictObject({
  start: z._default(z.int().check(z.minimum(0)), 0),
  size: z._default(z.int().check(z.minimum(0), z.maximum(10_000)), 10_000),
  sort: z._default(z.enum(['ASC', 'DESC']), 'ASC'),
})
export type FilePage = z.output<typeof FilePage>

const access = z
  .enum(['', 'r', 'w', 'rw'])
  .check(z.describe('What this connector can do: r reads, w writes'))

/** A type that belongs to the page's origin. */
export const FileType = z.object({
  entity: z.string(),
  type: z.string(),
  path: z.string().check(z.describe('The folder, as an absolute path of this system')),
  access,
  status: z.enum(['MAPPED', 'UNMAPPED']).check(z.describe('UNMAPPED: the folder no longer exists')),
  files: z.int().check(z.describe(`Files and folders directly in it, at most ${maxListedFiles}`)),
})
export type FileType = z.output<typeof FileType>

/** A file or folder in the folder of a type. */
export const FileEntry = z.object({
  extension: z.string().check(z.describe('Without the dot; empty for a folder')),
  name: z.string(),
  path: z.string().check(z.describe('An absolute path of this system')),
  relPath: z.array(z.string()).check(z.describe('The folders that lead to it')),
  type: z.string(),
  entity: z.string(),
  size: z.int().check(z.describe('Bytes; 0 for a folder')),
  lastModificationTime: z.iso.datetime(),
  isDir: z.boolean(),
  access,
})
export type FileEntry = z.output<typeof FileEntry>

/** All files and folders, or some of them. */
export const FileList = z.object({
  files: z.array(FileEntry),
  total: z.int().check(z.describe('The length of the whole list')),
})
/** All files and folders, or some of them. */
export type FileList = z.output<typeof FileList>

export const FileTypeList = z.object({ types: z.array(FileType), total: z.int() })
export type FileTypeList = z.output<typeof FileTypeList>

const place = '/v3/modules/fileexchange/apps/file'
const fileOperation = {
  tag: 'Files',
  access: 'consented',
  method: 'POST',
} as const

const typeProblems = ['management-refused', 'file-type-unknown', 'file-type-unmapped'] as const
const fileProblems = [...typeProblems, 'file-path-refused', 'file-unknown', 'disk-failed'] as const
const writeProblems = [...fileProblems, 'file-taken', 'disk-full'] as const

const flag = z.boolean()
const ofType = { entity, type }
const ofFile = { ...ofType, fileName, relPath: z.optional(relPath) }
const json = <S extends z.core.$ZodLooseShape>(fields: S) =>
  // Legacy clients send more than they say.
  ({ type: 'json', schema: z.object(fields) }) as const

export const existFileType = operation({
  ...fileOperation,
  name: 'existFileType',
  path: `${place}/exist-type`,
  summary: 'Check whether the page’s origin has a type of this name',
  body: json(ofType),
  reply: data(flag),
  problems: ['management-refused'],
})

const askProblems = [
  'management-refused',
  'file-type-refused',
  'dialog-unavailable',
  'pin-busy',
] as const
const folderChoice =
  'The user chooses the folder in a system window that names the origin, then confirms the choice.'
const dialog = {
  // Accepted, and without effect.
  modal: z.optional(z.unknown()),
  timeout: z.optional(
    z.number().check(z.describe('How many seconds the user has, limited to 10 to 180')),
  ),
}

export const createFileType = operation({
  ...fileOperation,
  name: 'createFileType',
  path: `${place}/create-type`,
  summary: 'Create a type for the page’s origin',
  description: `${folderChoice} If the type already has a folder, you get the type unchanged, and the connector does not ask the user.`,
  body: json({ ...ofType, initPath: z.optional(relPath), ...dialog }),
  reply: data(FileType),
  problems: askProblems,
})

export const createFileTypeFolders = operation({
  ...fileOperation,
  name: 'createFileTypeFolders',
  path: `${place}/create-type-dirs`,
  summary: 'Create a type, and a folder in it for each path of relPath',
  description: `${folderChoice} If the type already has a folder, the connector uses it, and does not ask the user.`,
  body: json({ ...ofType, relPath, ...dialog }),
  reply: data(FileList),
  problems: [...askProblems, ...writeProblems],
})

export const updateFileType = operation({
  ...fileOperation,
  name: 'updateFileType',
  path: `${place}/update-type`,
  summary: 'Change the folder of a type',
  description: `${folderChoice} The files stay where they are.`,
  body: json({ ...ofType, ...dialog }),
  reply: data(FileType),
  problems: [...askProblems, 'file-type-unknown', 'file-type-managed'],
})

export const deleteFileType = operation({
  ...fileOperation,
  name: 'deleteFileType',
  path: `${place}/delete-type`,
  summary: 'Delete a type, but keep its folder and files',
  body: json(ofType),
  reply: data(flag),
  problems: ['management-refused', 'file-type-unknown', 'file-type-managed'],
})

export const getFileType = operation({
  ...fileOperation,
  name: 'getFileType',
  path: `${place}/list-type`,
  summary: 'Get a type of the page’s origin',
  body: json(ofType),
  reply: data(FileType),
  problems: ['management-refused', 'file-type-unknown'],
})

export const listFileTypes = operation({
  ...fileOperation,
  name: 'listFileTypes',
  path: `${place}/list-types`,
  summary: 'List the types of the page’s origin, by entity and name',
  body: json({ entity: z.optional(entity), page: z.optional(FilePage) }),
  reply: data(FileTypeList),
  problems: ['management-refused'],
})

export const listEntityFiles = operation({
  ...fileOperation,
  name: 'listEntityFiles',
  path: `${place}/list-content`,
  summary: 'List what is directly in the folders of all types of an entity',
  body: json({ entity, page: z.optional(FilePage) }),
  reply: data(FileList),
  problems: ['management-refused', 'disk-failed'],
})

export const listFiles = operation({
  ...fileOperation,
  name: 'listFiles',
  path: `${place}/list-type-content`,
  summary: 'List what is directly in the folder of a type, or in a folder below it',
  description: `The list leaves out links, hidden files, and anything that is neither a file nor a folder. It has at most ${maxListedFiles} files and folders; of a folder with more, the rest is missing.`,
  body: json({ ...ofType, relPath: z.optional(relPath), page: z.optional(FilePage) }),
  reply: data(FileList),
  problems: fileProblems,
})

export const existFile = operation({
  ...fileOperation,
  name: 'existFile',
  path: `${place}/exist-file`,
  summary: 'Check whether a file or folder exists',
  body: json({ ...ofType, relPath }),
  reply: data(flag),
  problems: [...typeProblems, 'file-path-refused', 'disk-failed'],
})

export const getFileInfo = operation({
  ...fileOperation,
  name: 'getFileInfo',
  path: `${place}/get-file-info`,
  summary: 'Get the size, time and access of a file or folder',
  body: json(ofFile),
  reply: data(FileEntry),
  problems: fileProblems,
})

export const getFileAccess = operation({
  ...fileOperation,
  name: 'getFileAccess',
  path: `${place}/get-access-mode`,
  summary: 'Get the access to a file: r, w, rw, or empty',
  body: json(ofFile),
  reply: data(access),
  problems: fileProblems,
})

export const createFileFolder = operation({
  ...fileOperation,
  name: 'createFileFolder',
  path: `${place}/create-dir`,
  summary: 'Create a folder',
  body: json({ ...ofType, relPath, recursive: z.optional(z.boolean()) }),
  reply: data(FileEntry),
  problems: writeProblems,
})

const betweenTypes = {
  entity,
  fromType: type,
  toType: type,
  fileName,
  fromRelPath: z.optional(relPath),
  toRelPath: z.optional(relPath),
}

export const copyFile = operation({
  ...fileOperation,
  name: 'copyFile',
  path: `${place}/copy-file`,
  summary: 'Copy a file within an entity, without replacing another file',
  body: json({ ...betweenTypes, newFileName: z.optional(fileName) }),
  reply: data(FileEntry),
  problems: [...writeProblems, 'file-too-large'],
})

export const moveFile = operation({
  ...fileOperation,
  name: 'moveFile',
  path: `${place}/move-file`,
  summary: 'Move a file within an entity, without replacing another file',
  body: json(betweenTypes),
  reply: data(FileEntry),
  problems: [...writeProblems, 'file-too-large'],
})

export const renameFile = operation({
  ...fileOperation,
  name: 'renameFile',
  path: `${place}/rename-file`,
  summary: 'Rename a file, without replacing another file',
  body: json({ ...ofFile, newFileName: fileName }),
  reply: data(FileEntry),
  problems: writeProblems,
})

/** The fields of the form that `downloadFile` gets, beside `file`. `relPath` may occur several times, a segment each. */
export const DownloadFields = z.object({
  ...ofFile,
  implicitCreationType: z._default(z.enum(['true', 'false']), 'false'),
  notifyOnCompletion: z._default(z.enum(['true', 'false']), 'false'),
})
export type DownloadFields = z.output<typeof DownloadFields>

export const downloadFile = operation({
  ...fileOperation,
  name: 'downloadFile',
  path: `${place}/download`,
  summary: 'Write a file from the page to the disk, completely or not at all',
  description: `A form (multipart/form-data) with entity, type, fileName, file and, if needed, relPath (its segments joined by commas, or the field several times), implicitCreationType and notifyOnCompletion (true or false). At most ${maxFileBytes} bytes. Existing files are never replaced. A page can write only types of files that a system does not run, such as documents and images.`,
  body: { type: 'stream', media: ['multipart/form-data'] },
  reply: data(z.string().check(z.describe('The file, as an absolute path of this system'))),
  problems: [...askProblems, ...writeProblems, 'file-too-large', 'input-invalid', 'body-malformed'],
})

export const uploadFile = operation({
  ...fileOperation,
  name: 'uploadFile',
  path: `${place}/upload`,
  summary: 'Read a file from the disk into the page',
  body: json({ ...ofFile, notifyOnCompletion: z.optional(z.boolean()) }),
  reply: {
    kind: 'response',
    media: 'application/octet-stream',
    description: 'The bytes of the file',
  },
  problems: [...fileProblems, 'file-too-large'],
})
