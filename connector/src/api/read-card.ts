/** Reads of cards for a request: what waits for its turn ends with the page and its access, and so does the answer. */
import type { Context } from 'hono'
import type { ApiEnv } from '../http/route-types.ts'
import type { CardOperation, CardResult } from '../system/ipc/card-messages.ts'
import type { AccessServices } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { createRequirePage } from './page-watch.ts'
import { toOrigin } from './work-queue.ts'

export type CardReadServices = Pick<ApiServices, 'cardAccess'> & AccessServices

/** As `CardAccess.run`, for what needs neither a PIN nor an answer of the user. Throws a Problem. */
export type ReadCard = <O extends CardOperation>(
  context: Context<ApiEnv>,
  reader: string,
  operation: O,
) => Promise<Extract<CardResult, { kind: O['kind'] }>>

export function createReadCard({ cardAccess, ...services }: CardReadServices): ReadCard {
  const requirePage = createRequirePage(services)
  return async (context, reader, operation) => {
    const requireWanted = () => requirePage(context)
    const origin = toOrigin(context.get('caller'))
    const result = await cardAccess.run(reader, operation, { requireWanted, origin })
    requireWanted()
    return result
  }
}
