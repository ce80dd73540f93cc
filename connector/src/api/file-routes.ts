/** The files of the types of a page's origin, but for those whose bytes go over the wire. */
import {
  copyFile,
  createFileFolder,
  existFile,
  getFileAccess,
  getFileInfo,
  listEntityFiles,
  listFiles,
  moveFile,
  Problem,
  renameFile,
} from '@cardwire/client/protocol'
import { takePage, wholeList } from '../files/file-entries.ts'
import type { Bind, Caller } from '../http/route-types.ts'
import type { ApiServices } from './api-services.ts'
import { requireOrigin, requireType } from './file-origin.ts'
import type { QueueWork } from './work-queue.ts'

interface FileBody {
  readonly entity: string
  readonly type: string
  readonly relPath?: readonly string[] | undefined
}

/** `queueWork`: of what has a whole file in memory. */
export function bindFileRoutes(
  bind: Bind,
  services: Pick<ApiServices, 'fileTypes' | 'fileExchange'>,
  queueWork: QueueWork,
): void {
  const { fileTypes, fileExchange } = services
  const toFolder = (caller: Caller, { entity, type, relPath }: FileBody) => ({
    type: requireType(services, caller, entity, type),
    relPath,
  })
  const toFile = (caller: Caller, body: FileBody & { readonly fileName: string }) => ({
    ...toFolder(caller, body),
    fileName: body.fileName,
  })

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

  const between = (
    caller: Caller,
    body: {
      readonly entity: string
      readonly fromType: string
      readonly toType: string
      readonly fileName: string
      readonly newFileName?: string | undefined
      readonly fromRelPath?: readonly string[] | undefined
      readonly toRelPath?: readonly string[] | undefined
    },
  ) => {
    const { entity, fileName, newFileName = fileName } = body
    const from = { entity, type: body.fromType, relPath: body.fromRelPath }
    const to = { entity, type: body.toType, relPath: body.toRelPath }
    return [
      toFile(caller, { ...from, fileName }),
      toFile(caller, { ...to, fileName: newFileName }),
    ] as const
  }
  bind(copyFile, async ({ caller, body }) => ({
    data: await queueWork(() => fileExchange.copy(...between(caller, body))),
  }))
  bind(moveFile, async ({ caller, body }) => ({
    data: await queueWork(() => fileExchange.move(...between(caller, body))),
  }))
  bind(renameFile, async ({ caller, body }) => {
    const file = toFile(caller, body)
    return { data: await fileExchange.move(file, { ...file, fileName: body.newFileName }) }
  })
}

/** The folders of the other types are listed all the same. */
function leaveOutUnmapped(error: unknown) {
  if (error instanceof Problem && error.name === 'file-type-unmapped')
    return { files: [], total: 0 }
  throw error
}
