/** The types of files that a page's origin has. */
import {
  createFileType,
  createFileTypeFolders,
  deleteFileType,
  existFileType,
  type FileEntry,
  type FileType,
  getFileType,
  listFileTypes,
  updateFileType,
} from '@cardwire/client/protocol/file-exchange'
import { Problem } from '@cardwire/client/protocol/problem'
import { takePage, wholeList } from '../files/file-entries.ts'
import type { Bind } from '../http/route-types.ts'
import type { OriginFileType } from '../user/consent/file-types.ts'
import { requireOrigin, requireType } from './file-origin.ts'
import { createTypeChoice, type TypeChoiceServices } from './file-type-choice.ts'

export function bindFileTypeRoutes(bind: Bind, services: TypeChoiceServices): void {
  const { fileTypes, fileExchange } = services
  const { choose, obtain } = createTypeChoice(services)

  const describe = async (found: OriginFileType): Promise<FileType> => {
    const { entity, type, path } = found
    try {
      return { entity, type, path, status: 'MAPPED', ...(await fileExchange.describe(found)) }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return { entity, type, path, status: 'UNMAPPED', access: '', files: 0 }
    }
  }

  bind(createFileType, async ({ body }, context) => ({
    data: await describe(await obtain(context, body)),
  }))
  bind(createFileTypeFolders, async ({ body: { relPath, ...body } }, context) => {
    const type = await obtain(context, body)
    const files: FileEntry[] = []
    for (const path of relPath) {
      files.push(await fileExchange.createFolder({ type, relPath: [path] }, true))
    }
    return { data: { files, total: files.length } }
  })
  bind(updateFileType, async ({ caller, body }, context) => {
    const { isManaged } = requireType(services, caller, body.entity, body.type)
    if (isManaged) throw createManaged()
    return { data: await describe(await choose(context, body)) }
  })
  bind(existFileType, async ({ caller, body: { entity, type } }) => ({
    data: fileTypes.find(requireOrigin(caller), entity, type) !== undefined,
  }))
  bind(deleteFileType, async ({ caller, body: { entity, type } }) => {
    const { isManaged } = requireType(services, caller, entity, type)
    if (isManaged) throw createManaged()
    fileTypes.remove(requireOrigin(caller), entity, type)
    return { data: true }
  })
  bind(getFileType, async ({ caller, body: { entity, type } }) => ({
    data: await describe(requireType(services, caller, entity, type)),
  }))
  bind(listFileTypes, async ({ caller, body: { entity, page = wholeList } }) => {
    const all = fileTypes
      .list(requireOrigin(caller))
      .filter((one) => entity === undefined || one.entity === entity)
    const types = await Promise.all(takePage(all, page).map(describe))
    return { data: { types, total: all.length } }
  })
}

const createManaged = () =>
  new Problem(
    'file-type-managed',
    'Cannot change this type: the administrator has given it its folder',
  )
