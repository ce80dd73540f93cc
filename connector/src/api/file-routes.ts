/** The files of the types of a page's origin, but for those whose bytes go over the wire. */
import {
  createFileFolder,
  existFile,
  getFileAccess,
  getFileInfo,
  listEntityFiles,
  listFiles,
} from '@cardwire/client/protocol/file-exchange'
import { Problem } from '@cardwire/client/protocol/problem'
import { takePage, wholeList } from '../files/file-entries.ts'
import type { Bind } from '../http/route-types.ts'
import type { ApiServices } from './api-services.ts'
import { bindFileMoveRoutes } from './file-move-routes.ts'
import { requireOrigin } from './file-origin.ts'
import { createFilePlaces } from './file-places.ts'
import type { QueueWork } from './work-queue.ts'

/** `queueWork`: of what has a whole file in memory. */
export function bindFileRoutes(
  bind: Bind,
  services: Pick<ApiServices, 'fileTypes' | 'fileExchange'>,
  queueWork: QueueWork,
): void {
  const { fileTypes, fileExchange } = services
  const { toFolder, toFile } = createFilePlaces(services)

  bind(listEntityFiles, async ({ caller, body: { entity, page = wholeList } }) => {
    const types = fileTypes.list(requireOrigin(caller)).filter((one) => one.entity === entity)
    const lists = await Promise.all(
      types.map((type) => fileExchange.list({ type }).catch(leaveOutUnmapped)),
    )
    const files = lists.flatMap((list) => list.files)
    const total = lists.reduce((sum, list) => sum + list.total, 0)
    return { data: { files: [...takePage(files, page)], total } }
  })
  bind(listFiles, async ({ caller, body }) => {
    const { files, total } = await fileExchange.list(toFolder(caller, body), body.page)
    return { data: { files: [...files], total } }
  })
  bind(existFile, async ({ caller, body }) => ({
    data: await fileExchange.exists(toFolder(caller, body)),
  }))
  bind(getFileInfo, async ({ caller, body }) => ({
    data: await fileExchange.find(toFile(caller, body)),
  }))
  bind(getFileAccess, async ({ caller, body }) => ({
    data: (await fileExchange.find(toFile(caller, body))).access,
  }))
  bind(createFileFolder, async ({ caller, body }) => ({
    data: await fileExchange.createFolder(toFolder(caller, body), body.recursive ?? false),
  }))

  bindFileMoveRoutes(bind, services, queueWork)
}

/** The folders of the other types are listed all the same. */
function leaveOutUnmapped(error: unknown) {
  if (error instanceof Problem && error.name === 'file-type-unmapped')
    return { files: [], total: 0 }
  throw error
}
