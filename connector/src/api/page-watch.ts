/** Whether a page that waits for a dialog, or for its turn, is there still and may go on. */
import { Problem } from '@cardwire/protocol/problem'
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

/** Throws the Problem for a request whose page has gone, or has lost the access that it was authorized with. */
export type RequirePage = (context: Context<ApiEnv>) => void

export function createRequirePage(services: AccessServices): RequirePage {
  const { requireAccess } = createAccessWatch(services)
  return (context) => {
    if (context.req.raw.signal.aborted) throw createPageGone()
    requireAccess(context.get('caller'))
  }
}

const createPageGone = () => new Problem('pin-cancelled', 'Cannot continue: the page has gone')

export function createPageWatch(services: AccessServices) {
  const access = createAccessWatch(services)
  return (context: Context<ApiEnv>): PageWatch => {
    const caller = context.get('caller')
    const ended = new AbortController()
    const { signal: page } = context.req.raw
    const closePage = () => ended.abort(createPageGone())
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
