/** Sessions of pages with cards: the module remoteloading of legacy clients, and the transaction of the current library. */

import { Problem } from '@cardwire/protocol/problem'
import * as contract from '@cardwire/protocol/remote-loading'
import type { Bind } from '../http/route-types.ts'
import { findPresentCard } from './find-card.ts'
import { bindRawCommandRoutes, fromHex } from './raw-command-routes.ts'
import { createRawUse, endWithPage, idleS, type RawUseServices } from './raw-use.ts'

export function bindRawRoutes(bind: Bind, services: RawUseServices): void {
  const { readers } = services
  const { requirePage, find, open, use } = createRawUse(services)

  bind(contract.openRawSession, async ({ params, body }, context) => {
    const { aid, timeout } = body ?? {}
    const selected = typeof aid === 'string' ? fromHex(aid) : undefined
    const { id } = await open(context, params, timeout ?? idleS.normal, selected)
    return { data: id }
  })
  bind(contract.holdRawSession, async ({ params, body }, context) => {
    const session = find(requirePage(context), params.reader, body.sessionId)
    context.env.keepOpen()
    session.hold()
    const stop = endWithPage(context, session)
    const data = await session.ended
    stop()
    return { data }
  })
  bind(contract.closeRawSession, async ({ params, body }, context) => {
    const id = body?.sessionId ?? ''
    await find(requirePage(context), params.reader, id).close()
    return { data: id }
  })
  bind(contract.isRawCardPresent, async ({ params }, context) => {
    requirePage(context)
    const found = readers.snapshot().readers.find(({ id }) => id === params.reader)
    if (found) return { data: found.card !== undefined }
    throw new Problem('reader-unknown', `Cannot find reader "${params.reader}": it is not there`)
  })
  bind(contract.getRawAtr, async ({ params }, context) => {
    requirePage(context)
    return { data: (await findPresentCard(services, params.reader)).atr }
  })
  // A page could have a PIN verified by them.
  bind(contract.getCcidFeatures, async ({ params }, context) => {
    requirePage(context)
    await findPresentCard(services, params.reader)
    return { data: '' }
  })
  bindRawCommandRoutes(bind, { use })
}
