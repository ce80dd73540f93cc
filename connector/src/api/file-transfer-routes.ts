/** Files that go over the wire, as deployed clients name the directions: download writes to the disk, upload reads from it. */
import { downloadFile, uploadFile } from '@cardwire/client/protocol'
import { createUseCounter } from '../counters/use-counter.ts'
import type { Bind } from '../http/route-types.ts'
import { requireOrigin, requireType } from './file-origin.ts'
import { receiveForm } from './receive-form.ts'
import type { Services } from './services.ts'
import { createTurns } from './turns.ts'

/** Files are in memory as a whole: so many at once, the others wait. */
const maxTransfers = 2

export function bindFileTransferRoutes(
  bind: Bind,
  services: Pick<Services, 'fileTypes' | 'fileExchange' | 'counters' | 'log'>,
): void {
  const { fileExchange, counters, log } = services
  const count = createUseCounter(counters, log)('fileexchange')
  const takeTurn = createTurns(maxTransfers)

  bind(downloadFile, ({ caller, body }, context) =>
    takeTurn(async () => {
      requireOrigin(caller)
      context.env.keepOpen()
      const { fields, file } = await receiveForm(body, context.req.header('content-type') ?? '')
      const { entity, type, fileName, relPath } = fields
      const found = requireType(services, caller, entity, type)
      const entry = await fileExchange.write({ type: found, relPath, fileName }, file)
      count(context, 'file-download')
      return { data: entry.path }
    }),
  )

  bind(uploadFile, ({ caller, body }, context) =>
    takeTurn(async () => {
      const { entity, type, fileName, relPath } = body
      const found = requireType(services, caller, entity, type)
      const bytes = await fileExchange.read({ type: found, relPath, fileName })
      count(context, 'file-upload')
      return new Response(bytes, { headers: { 'content-type': 'application/octet-stream' } })
    }),
  )
}
