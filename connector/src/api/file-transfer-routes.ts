/** Files that go over the wire, as deployed clients name the directions: download writes to the disk, upload reads from it. */
import { downloadFile, uploadFile } from '@cardwire/client/protocol'
import { createUseCounter } from '../counters/use-counter.ts'
import type { Bind, Caller } from '../http/route-types.ts'
import { requireOrigin, requireType } from './file-origin.ts'
import { createTypeChoice, type TypeChoiceParts } from './file-type-choice.ts'
import { receiveForm } from './receive-form.ts'
import type { Services } from './services.ts'
import { createTurns } from './turns.ts'

/** Files are in memory as a whole: so many at once, the others wait. */
const maxTransfers = 2

export function bindFileTransferRoutes(
  bind: Bind,
  services: TypeChoiceParts & Pick<Services, 'counters' | 'notifier'>,
): void {
  const { fileExchange, counters, log, notifier } = services
  const { obtain } = createTypeChoice(services)
  const count = createUseCounter(counters, log)('fileexchange')
  const takeTurn = createTurns(maxTransfers)

  /** Nobody waits for it, and where no desktop shows it the answer says the same. */
  const notify = (caller: Caller, act: string, name: string) =>
    void notifier.show({ title: 'Cardwire', text: `${requireOrigin(caller)} ${act} ${name}` })

  bind(downloadFile, async ({ caller, body }, context) => {
    requireOrigin(caller)
    context.env.keepOpen()
    const contentType = context.req.header('content-type') ?? ''
    const { fields, file } = await takeTurn(() => receiveForm(body, contentType))
    const { entity, type, fileName, relPath, implicitCreationType, notifyOnCompletion } = fields
    const found =
      implicitCreationType === 'true'
        ? await obtain(context, { entity, type })
        : requireType(services, caller, entity, type)
    const { path, name } = await fileExchange.write({ type: found, relPath, fileName }, file)
    count(context, 'file-download')
    if (notifyOnCompletion === 'true') notify(caller, 'has written', name)
    return { data: path }
  })

  bind(uploadFile, ({ caller, body }, context) =>
    takeTurn(async () => {
      const { entity, type, fileName, relPath, notifyOnCompletion } = body
      const found = requireType(services, caller, entity, type)
      const bytes = await fileExchange.read({ type: found, relPath, fileName })
      count(context, 'file-upload')
      if (notifyOnCompletion) notify(caller, 'has read', fileName)
      return new Response(bytes, { headers: { 'content-type': 'application/octet-stream' } })
    }),
  )
}
