/** The types of files that a page's origin has. */
import {
  deleteFileType,
  existFileType,
  type FileType,
  getFileType,
  listFileTypes,
  Problem,
} from '@cardwire/client/protocol'
import type { OriginFileType } from '../consent/file-types.ts'
import { takePage, wholeList } from '../files/file-entries.ts'
import type { Bind } from '../http/route-types.ts'
import { requireOrigin, requireType } from './file-origin.ts'
import type { Services } from './services.ts'

export function bindFileTypeRoutes(
  bind: Bind,
  services: Pick<Services, 'fileTypes' | 'fileExchange'>,
): void {
  const { fileTypes, fileExchange } = services

  const describe = async (found: OriginFileType): Promise<FileType> => {
    const { entity, type, path } = found
    try {
      return { entity, type, path, status: 'MAPPED', ...(await fileExchange.describe(found)) }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return { entity, type, path, status: 'UNMAPPED', access: '', files: 0 }
    }
  }

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
