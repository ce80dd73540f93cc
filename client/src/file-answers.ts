/** Validators for the answers of the file exchange, as `endpoints.ts` has them for the rest. */

import type { FileEntry, FileList, FileType, FileTypeList } from '@cardwire/protocol/file-exchange'
import {
  array,
  boolean,
  number,
  object,
  oneOf,
  string,
  type Validator,
} from '@cardwire/protocol/validators'
import { maxItems } from './max-items.ts'

const access = oneOf('', 'r', 'w', 'rw')

export const fileType: Validator<FileType> = object({
  ...{ entity: string, type: string, path: string, access },
  ...{ status: oneOf('MAPPED', 'UNMAPPED'), files: number },
})

export const fileEntry: Validator<FileEntry> = object({
  ...{ extension: string, name: string, path: string, type: string, entity: string },
  ...{ relPath: array(string, maxItems.folders), size: number, lastModificationTime: string },
  ...{ isDir: boolean, access },
})

export const fileList: Validator<FileList> = object({
  files: array(fileEntry, maxItems.files),
  total: number,
})

export const fileTypeList: Validator<FileTypeList> = object({
  types: array(fileType, maxItems.fileTypes),
  total: number,
})
