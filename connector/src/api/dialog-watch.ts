/** Watches what a dialog is about while it is open: it ends with the card, the page, or the access of the page. */
import { Problem } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import type { ApiEnv } from '../http/route-types.ts'
import type { AccessServices } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import type { FoundCard } from './find-card.ts'
import { createPageWatch, type PageWatch } from './page-watch.ts'

export type DialogWatch = PageWatch

export function createDialogWatch(services: Pick<ApiServices, 'readers'> & AccessServices) {
  const { readers } = services
  const watchPage = createPageWatch(services)
  return (context: Context<ApiEnv>, { reader, atr }: FoundCard): DialogWatch => {
    const page = watchPage(context)
    const card = new AbortController()
    const unsubscribe = readers.subscribe((snapshot) => {
      const found = snapshot.readers.find(({ name }) => name === reader)
      if (found?.card?.atr === atr) return
      const message = 'Cannot continue: the card was removed or replaced'
      card.abort(new Problem('card-changed', message))
    })
    return {
      signal: AbortSignal.any([page.signal, card.signal]),
      check() {
        if (card.signal.aborted) throw card.signal.reason
        page.check()
      },
      stop() {
        page.stop()
        unsubscribe()
      },
    }
  }
}
