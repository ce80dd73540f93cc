/** Takes the time that an upload needs: two hours at most, in which a browser's session counts as used. */
import type { Role } from '@cardwire/protocol'
import type { Context } from 'hono'
import { type Caller, requireStillAllowed } from '../auth/authorize.ts'
import type { Services } from '../services.ts'

type LongBodyServices = Pick<
  Services,
  'db' | 'clock' | 'settings' | 'browserSessions' | 'allowLongBody'
>

/** `receive` calls what it gets when all has come, before it stores anything: it throws when the caller may no longer do it. */
export async function receiveLongBody<T>(
  services: LongBodyServices,
  caller: Caller,
  needed: Role,
  context: Context,
  receive: (requireAllowed: () => Promise<void>) => Promise<T>,
): Promise<T> {
  services.allowLongBody?.(context)
  const session = caller.kind === 'administrator' ? caller.identity.session : undefined
  const endUse = services.browserSessions.keepUsed(session ?? '')
  try {
    return await receive(() => requireStillAllowed(services, caller, needed))
  } finally {
    endUse()
  }
}
