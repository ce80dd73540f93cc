/** Watches what a dialog is about while it is open: it ends with the card, the page, or the access of the page. */
import { Problem } from '@cardwire/client/protocol'
import type { Context } from 'hono'
import type { ApiEnv } from '../http/route-types.ts'
import { type AccessParts, createAccessWatch } from './access-watch.ts'
import type { FoundCard } from './find-card.ts'
import type { Services } from './services.ts'

export interface DialogWatch {
  /** Its reason is a Problem. */
  readonly signal: AbortSignal
  /** Throws that Problem, also when the end of the access has not been reported yet. */
  check(): void
  stop(): void
}

export function createDialogWatch(services: Pick<Services, 'readers'> & AccessParts) {
  const { readers } = services
  const access = createAccessWatch(services)
  return (context: Context<ApiEnv>, { reader, atr }: FoundCard): DialogWatch => {
    const caller = context.get('caller')
    const ended = new AbortController()
    const { signal: page } = context.req.raw
    const closePage = () =>
      ended.abort(new Problem('pin-cancelled', 'Cannot go on: the page has gone'))
    const unwatch = access.onRevoked(caller, () => ended.abort(access.findRevocation(caller)))
    const unsubscribe = readers.subscribe((snapshot) => {
      const found = snapshot.readers.find(({ name }) => name === reader)
      if (found?.card?.atr === atr) return
      const message = 'Cannot go on: the card was taken out or swapped'
      ended.abort(new Problem('card-changed', message))
    })
    page.addEventListener('abort', closePage)
    if (page.aborted) closePage()
    return {
      signal: ended.signal,
      check() {
        if (ended.signal.aborted) throw ended.signal.reason
        const revocation = access.findRevocation(caller)
        if (revocation) throw revocation
      },
      stop() {
        unwatch()
        unsubscribe()
        page.removeEventListener('abort', closePage)
      },
    }
  }
}
