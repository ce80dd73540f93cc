/** The folder and the file that a request names, below a type of its page's origin. */
import type { Caller } from '../http/route-types.ts'
import type { ApiServices } from './api-services.ts'
import { requireType } from './file-origin.ts'

interface FileBody {
  readonly entity: string
  readonly type: string
  readonly relPath?: readonly string[] | undefined
}

/** Both throw as `requireType` does. */
export function createFilePlaces(services: Pick<ApiServices, 'fileTypes'>) {
  const toFolder = (caller: Caller, { entity, type, relPath }: FileBody) => ({
    type: requireType(services, caller, entity, type),
    relPath,
  })
  const toFile = (caller: Caller, body: FileBody & { readonly fileName: string }) => ({
    ...toFolder(caller, body),
    fileName: body.fileName,
  })
  return { toFolder, toFile }
}
