/** When the registry handles a body that it has received, and whether: other accounts must not wait for one that sends very many. */
import { Problem } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import { type ApiEnv, getUser } from '../http/route-types.ts'
import { registerAgent } from '../system/ipc/registry-messages.ts'
import { createBodyTurns } from './body-turns.ts'
import { getBodyBytes } from './limit-bodies.ts'
import { createRegistrationLimit } from './registration-limit.ts'
import type { RegistryServices } from './registry-services.ts'

/** Resolves when it is the turn of the body. Throws `too-many-requests` for a registration of an account that has registered too much. */
export function createBodyAcceptance({
  log,
  clock,
}: Pick<RegistryServices, 'clock' | 'log'>): (context: Context<ApiEnv>) => Promise<void> {
  const waitForTurn = createBodyTurns(setImmediate)
  const limitRegistration = createRegistrationLimit(clock)
  return async ({ req, get }) => {
    const user = getUser(get('account'))
    await waitForTurn(user)
    if (req.raw.signal.aborted) {
      throw new Problem('body-malformed', 'Cannot respond: the connection was closed meanwhile')
    }
    if (req.path !== registerAgent.path) return
    const waitMs = limitRegistration(user, getBodyBytes(req))
    if (waitMs === 0) return
    log.warn('too many registrations', { user })
    throw new Problem('too-many-requests', 'Cannot register: this account does it too often', {
      retryAfterS: Math.ceil(waitMs / 1000),
    })
  }
}
