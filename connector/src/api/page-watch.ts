/** Watches whether a page that waits for a dialog is there still, and may go on. */
import { Problem } from '@cardwire/client/protocol'
import type { Context } from 'hono'
import type { ApiEnv } from '../http/route-types.ts'
import { type AccessServices, createAccessWatch } from './access-watch.ts'

export interface PageWatch {
  /** Its reason is a Problem. */
  readonly signal: AbortSignal
  /** Throws that Problem, also when the end of the access has not been reported yet. */
  check(): void
  stop(): void
}

export function createPageWatch(services: AccessServices) {
  const access = createAccessWatch(services)
  return (context: Context<ApiEnv>): PageWatch => {
    const caller = context.get('caller')
    const ended = new AbortController()
    const { signal: page } = context.req.raw
    const closePage = () =>
      ended.abort(new Problem('pin-cancelled', 'Cannot go on: the page has gone'))
    const unwatch = access.onRevoked(caller, () => ended.abort(access.findRevocation(caller)))
    page.addEventListener('abort', closePage)
    if (page.aborted) closePage()
    return {
      signal: ended.signal,
      check() {
        if (ended.signal.aborted) throw ended.signal.reason
        access.requireAccess(caller)
      },
      stop() {
        unwatch()
        page.removeEventListener('abort', closePage)
      },
    }
  }
}
