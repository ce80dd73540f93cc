/** The problem of callers that need a policy of the service in force, when there is none any more. */
import { Problem } from '@cardwire/protocol/problem'
import type { PolicyEnd } from '../distribution/distribution.ts'
import type { Caller } from '../http/route-types.ts'

/** Pages, and programs with a token of an application; the holder of the management token is the user. */
export const needsPolicy = (caller: Caller): boolean =>
  caller.kind === 'page' || (caller.kind === 'program' && caller.label !== undefined)

const messages: Readonly<Record<PolicyEnd, string>> = {
  // It holds again as soon as the connector has synchronized, which it tries by itself.
  'policy-expired':
    'Cannot respond: this connector has been out of contact with its distribution service for too long; connect the computer to it, then run "cardwire sync"',
  'device-blocked':
    'Cannot respond: an administrator has blocked this device; once it is unblocked, run "cardwire sync"',
}

export const createPolicyProblem = (end: PolicyEnd): Problem => new Problem(end, messages[end])
