/** Files that are copied, moved and renamed, also from a type of a page's origin to another one. */
import { copyFile, moveFile, renameFile } from '@cardwire/protocol/file-exchange'
import type { Bind, Caller } from '../http/route-types.ts'
import type { ApiServices } from './api-services.ts'
import { createFilePlaces } from './file-places.ts'
import type { QueueWork } from './work-queue.ts'

/** `queueWork`: of what has a whole file in memory. */
export function bindFileMoveRoutes(
  bind: Bind,
  services: Pick<ApiServices, 'fileTypes' | 'fileExchange'>,
  queueWork: QueueWork,
): void {
  const { fileExchange } = services
  const { toFile } = createFilePlaces(services)

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
  bind(copyFile, async ({ caller, body }, context) => ({
    data: await queueWork(context, () => fileExchange.copy(...between(caller, body))),
  }))
  bind(moveFile, async ({ caller, body }, context) => ({
    data: await queueWork(context, () => fileExchange.move(...between(caller, body))),
  }))
  bind(renameFile, async ({ caller, body }) => {
    const file = toFile(caller, body)
    return { data: await fileExchange.move(file, { ...file, fileName: body.newFileName }) }
  })
}
