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
} from '@cardwire/protocol/file-exchange'
import { Problem } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import { takePage, wholeList } from '../files/file-entries.ts'
import type { ApiEnv, Bind } from '../http/route-types.ts'
import type { OriginFileType } from '../user/consent/file-types.ts'
import { requireOrigin, requireType } from './file-origin.ts'
import { createTypeChoice, type TypeChoiceServices } from './file-type-choice.ts'
import type { QueueWork } from './work-queue.ts'

/** `queueLists`: of what reads a whole folder. */
export function bindFileTypeRoutes(
  bind: Bind,
  services: TypeChoiceServices,
  queueLists: QueueWork,
): void {
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

  /** The users are asked outside of a turn: they take their time. */
  const describeInTurn = (context: Context<ApiEnv>, found: OriginFileType) =>
    queueLists(context, () => describe(found))

  bind(createFileType, async ({ body }, context) => ({
    data: await describeInTurn(context, await obtain(context, body)),
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
    return { data: await describeInTurn(context, await choose(context, body)) }
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
  bind(getFileType, async ({ caller, body: { entity, type } }, context) => ({
    data: await describeInTurn(context, requireType(services, caller, entity, type)),
  }))
  bind(listFileTypes, ({ caller, body: { entity, page = wholeList } }, context) =>
    queueLists(context, async () => {
      const all = fileTypes
        .list(requireOrigin(caller))
        .filter((one) => entity === undefined || one.entity === entity)
      const types: FileType[] = []
      for (const type of takePage(all, page)) types.push(await describe(type))
      return { data: { types, total: all.length } }
    }),
  )
}

const createManaged = () =>
  new Problem(
    'file-type-managed',
    'Cannot change this type: the administrator has given it its folder',
  )
