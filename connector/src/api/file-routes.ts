/** The files of the types of a page's origin, but for those whose bytes go over the wire. */
import {
  createFileFolder,
  existFile,
  type FileEntry,
  getFileAccess,
  getFileInfo,
  listEntityFiles,
  listFiles,
} from '@cardwire/protocol/file-exchange'
import { Problem } from '@cardwire/protocol/problem'
import { wholeList } from '../files/file-entries.ts'
import type { Bind } from '../http/route-types.ts'
import type { ApiServices } from './api-services.ts'
import { bindFileMoveRoutes } from './file-move-routes.ts'
import { requireOrigin } from './file-origin.ts'
import { createFilePlaces } from './file-places.ts'
import type { QueueWork } from './work-queue.ts'

/** `queueWork`: of what has a whole file in memory; `queueLists`: of what reads a whole folder. */
export function bindFileRoutes(
  bind: Bind,
  services: Pick<ApiServices, 'fileTypes' | 'fileExchange'>,
  { queueWork, queueLists }: Readonly<Record<'queueWork' | 'queueLists', QueueWork>>,
): void {
  const { fileTypes, fileExchange } = services
  const { toFolder, toFile } = createFilePlaces(services)

  bind(listEntityFiles, ({ caller, body: { entity, page = wholeList } }, context) =>
    queueLists(context, async () => {
      const types = fileTypes.list(requireOrigin(caller)).filter((one) => one.entity === entity)
      const { start, size, sort } = page
      const files: FileEntry[] = []
      let total = 0
      // One after the other, of each only what is on the page.
      for (const type of sort === 'DESC' ? types.toReversed() : types) {
        const first = Math.max(0, start - total)
        const part = { start: first, size: Math.max(0, start + size - total - first), sort }
        const list = await fileExchange.list({ type }, part).catch(leaveOutUnmapped)
        files.push(...list.files)
        total += list.total
      }
      return { data: { files, total } }
    }),
  )
  bind(listFiles, ({ caller, body }, context) =>
    queueLists(context, async () => {
      const { files, total } = await fileExchange.list(toFolder(caller, body), body.page)
      return { data: { files: [...files], total } }
    }),
  )
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
