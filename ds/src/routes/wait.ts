/** Devices that wait for news: their requests stay open. */
import { waitForNews } from '@cardwire/protocol'
import { readClientAddress, requireDevice } from '../auth/authorize.ts'
import type { Bind } from '../http/bind.ts'
import type { Services } from '../services.ts'
import type { Waiters } from '../sync/waiters.ts'

export function bindWaitRoutes(
  bind: Bind,
  services: Pick<Services, 'holdResponse' | 'settings' | 'getPeerAddress'>,
  waiters: Waiters,
): void {
  bind(waitForNews, async ({ caller, query: { since } }, context) => {
    const request = {
      address: readClientAddress(services, context),
      gone: context.req.raw.signal,
      hold: () => services.holdResponse?.(context),
    }
    return { data: await waiters.wait(requireDevice(caller), since, request) }
  })
}
