/** Files that go over the wire, as legacy clients name the directions: download writes to the disk, upload reads from it. */
import { downloadFile, uploadFile } from '@cardwire/protocol/file-exchange'
import type { Context } from 'hono'
import type { ApiEnv, Bind } from '../http/route-types.ts'
import type { OriginFileType } from '../user/consent/file-types.ts'
import { createAccessWatch } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { createUseCounter } from './counters/use-counter.ts'
import { requireOrigin, requireType } from './file-origin.ts'
import { createTypeChoice, type TypeChoiceServices } from './file-type-choice.ts'
import { type ReceivedForm, receiveForm } from './receive-form.ts'
import { createTransferNotifications, type NotificationServices } from './transfer-notifications.ts'
import type { QueueWork } from './work-queue.ts'

/** `queueWork`: of what has a whole file in memory. */
export function bindFileTransferRoutes(
  bind: Bind,
  services: TypeChoiceServices & Pick<ApiServices, 'counters'> & NotificationServices,
  queueWork: QueueWork,
): void {
  const { fileExchange, counters, log } = services
  const notify = createTransferNotifications(services)
  const { find, choose } = createTypeChoice(services)
  const { requireAccess } = createAccessWatch(services)
  const count = createUseCounter(counters, log)('fileexchange')

  const write = async (
    context: Context<ApiEnv>,
    type: OriginFileType,
    { fields, file }: ReceivedForm,
  ) => {
    const { relPath, fileName, notifyOnCompletion } = fields
    const { path, name } = await fileExchange.write({ type, relPath, fileName }, file)
    count(context, 'file-download')
    if (notifyOnCompletion === 'true') notify(context.get('caller'), 'fileWritten', name)
    return { data: path }
  }

  bind(downloadFile, async ({ caller, body }, context) => {
    requireOrigin(caller)
    context.env.keepOpen()
    const contentType = context.req.header('content-type') ?? ''
    const received = await queueWork(context, async () => {
      const form = await receiveForm(body, contentType)
      // It may have ended while the file came.
      requireAccess(caller)
      const { entity, type, implicitCreationType } = form.fields
      const found =
        implicitCreationType === 'true'
          ? await find(context, form.fields)
          : requireType(services, caller, entity, type)
      return found ? write(context, found, form) : form
    })
    if ('data' in received) return received
    // Outside of its turn, for users take their time: a page has one request at a time with which they are asked.
    const chosen = await choose(context, received.fields)
    return queueWork(context, () => write(context, chosen, received))
  })

  bind(uploadFile, ({ caller, body }, context) =>
    queueWork(context, async () => {
      const { entity, type, fileName, relPath, notifyOnCompletion } = body
      const found = requireType(services, caller, entity, type)
      const bytes = await fileExchange.read({ type: found, relPath, fileName })
      requireAccess(caller)
      count(context, 'file-upload')
      if (notifyOnCompletion) notify(caller, 'fileRead', fileName)
      return new Response(bytes, { headers: { 'content-type': 'application/octet-stream' } })
    }),
  )
}
