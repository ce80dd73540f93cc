/** Devices that wait for news: their requests stay open. */
import { waitForNews } from '@cardwire/client/protocol'
import { requireDevice } from '../auth/authorize.ts'
import type { Bind } from '../http/bind.ts'
import type { Services } from '../services.ts'
import type { Waiters } from '../sync/waiters.ts'

export function bindWaitRoutes(
  bind: Bind,
  { holdResponse }: Pick<Services, 'holdResponse'>,
  waiters: Waiters,
): void {
  bind(waitForNews, async ({ caller, query: { since } }, context) => {
    const { signal: gone } = context.req.raw
    const hold = () => holdResponse?.(context)
    return { data: await waiters.wait(requireDevice(caller), since, { gone, hold }) }
  })
}
