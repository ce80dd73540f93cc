/** Watches whether a caller still has access: token, allowlist and consent can end in the middle of a request, and end it then. */
import { isOriginAllowed } from '@cardwire/protocol/origin'
import { Problem } from '@cardwire/protocol/problem'
import type { Caller } from '../http/route-types.ts'
import type { ApiServices } from './api-services.ts'
import { createPolicyProblem, needsPolicy } from './policy-problem.ts'

export type AccessServices = Pick<
  ApiServices,
  'allowlist' | 'onAllowlist' | 'findPolicyEnd' | 'clock'
> & {
  /** By id only: an origin that has a consent may have lost the one that the caller was authorized with. */
  readonly consents: Pick<ApiServices['consents'], 'isActive' | 'onEnd'>
}

export interface AccessWatch {
  /** Why a caller who passed the checks before would be refused now; undefined: it would not. */
  findRevocation(caller: Caller): Problem | undefined
  /** Throws that problem. */
  requireAccess(caller: Caller): void
  /** Calls back, once, when the access of this caller has ended. Returns a function that stops watching. */
  onRevoked(caller: Caller, listener: () => void): () => void
}

/** How often access is checked, in milliseconds: a timer does not notice that the machine slept or its clock was set. */
const checkMs = 5000

export function createAccessWatch({
  consents,
  allowlist,
  onAllowlist,
  findPolicyEnd,
  clock,
}: AccessServices): AccessWatch {
  function findRevocation(caller: Caller): Problem | undefined {
    if (caller.kind === 'anyone' || clock() >= caller.expiresAt) {
      return new Problem('token-refused', 'Cannot continue: the token has expired')
    }
    const end = needsPolicy(caller) ? findPolicyEnd() : undefined
    if (end !== undefined) return createPolicyProblem(end)
    if (caller.kind === 'program') return undefined
    if (!isOriginAllowed(caller.origin, allowlist())) {
      return new Problem(
        'origin-refused',
        'Cannot continue: the origin of this page is no longer on the allowlist',
      )
    }
    if (!consents.isActive(caller.consentId)) {
      return new Problem('consent-required', 'Cannot continue: the consent for this page has ended')
    }
    return undefined
  }

  return {
    findRevocation,
    requireAccess(caller) {
      const revocation = findRevocation(caller)
      if (revocation) throw revocation
    },
    onRevoked(caller, listener) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const check = () => {
        if (findRevocation(caller) === undefined) return schedule()
        stop()
        listener()
      }
      const unsubscribe = [consents.onEnd(check), onAllowlist(check)]
      const stop = () => {
        clearTimeout(timer)
        for (const each of unsubscribe.splice(0)) each()
      }
      const schedule = () => {
        clearTimeout(timer)
        const remainingMs = caller.kind === 'anyone' ? 0 : caller.expiresAt - clock()
        timer = setTimeout(check, Math.min(checkMs, Math.max(1, remainingMs)))
      }
      check()
      return stop
    },
  }
}
