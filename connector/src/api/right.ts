/** The right of a caller to what it waits for: it may end in the middle of a request, and the request ends with it. */
import { entriesFor, Problem } from '@cardwire/client/protocol'
import type { Caller } from './bind.ts'
import type { Services } from './services.ts'

export type RightParts = Pick<Services, 'consents' | 'allowlist' | 'onAllowlist' | 'clock'>

export interface Right {
  /** Why this caller, who was admitted, would be refused now; undefined: it would not. */
  lost(caller: Caller): Problem | undefined
  /** Calls back, once, when the right of this caller has ended; the answer stops that. */
  onLost(caller: Caller, listener: () => void): () => void
}

/** No timer knows that the machine slept or that its clock was set, so it is looked again, in milliseconds. */
const lookMs = 5000

export function rightOf({ consents, allowlist, onAllowlist, clock }: RightParts): Right {
  function lost(caller: Caller): Problem | undefined {
    if (caller.kind === 'anyone' || clock() >= caller.expiresAt) {
      return new Problem('token-refused', 'Cannot go on: the token has expired')
    }
    if (caller.kind === 'program') return undefined
    if (!entriesFor(caller.origin).some((entry) => allowlist().includes(entry))) {
      return new Problem(
        'origin-refused',
        'Cannot go on: the origin of this page is not on the allowlist any more',
      )
    }
    if (!consents.holds(caller.origin)) {
      return new Problem('consent-required', 'Cannot go on: the consent for this page has ended')
    }
    return undefined
  }

  return {
    lost,
    onLost(caller, listener) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const look = () => {
        if (lost(caller) === undefined) return wait()
        stop()
        listener()
      }
      const forget = [consents.onEnd(look), onAllowlist(look)]
      const stop = () => {
        clearTimeout(timer)
        for (const each of forget.splice(0)) each()
      }
      const wait = () => {
        clearTimeout(timer)
        const leftMs = caller.kind === 'anyone' ? 0 : caller.expiresAt - clock()
        timer = setTimeout(look, Math.min(lookMs, Math.max(1, leftMs)))
      }
      look()
      return stop
    },
  }
}
