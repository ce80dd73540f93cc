/** Limits the bodies that a registry has in memory at the same time: text and values of each need several times its bytes. */
import { Problem } from '@cardwire/protocol/problem'
import type { HonoRequest, MiddlewareHandler } from 'hono'
import { type ApiEnv, getUser } from '../http/route-types.ts'
import type { Log } from '../system/log.ts'

/** Bytes, until the request is answered. An account that the system does not name may be any: only the total limits it. */
export const bodyLimits = { perAccount: 8 * 1024 ** 2, total: 32 * 1024 ** 2 } as const

/** The largest body that is received; one in chunks does not say how large it is. */
const maxBodyBytes = 1024 ** 2

/** Refuses requests whose body is one too many. The connection stays: what comes of the body is not kept. */
export function limitBodies({
  log,
}: {
  readonly log: Pick<Log, 'warn'>
}): MiddlewareHandler<ApiEnv> {
  const held = new Map<string | undefined, number>()
  let total = 0

  return async (context, next) => {
    const bytes = getBodyBytes(context.req)
    const user = getUser(context.get('account'))
    const ofUser = (held.get(user) ?? 0) + bytes
    const maxOfUser = user === undefined ? bodyLimits.total : bodyLimits.perAccount
    if (bytes > 0 && (ofUser > maxOfUser || total + bytes > bodyLimits.total)) {
      log.warn('too many bodies at once', { user })
      throw new Problem('too-many-requests', 'Cannot read the body: too many come at once', {
        retryAfterS: 1,
      })
    }
    held.set(user, ofUser)
    total += bytes
    try {
      await next()
    } finally {
      total -= bytes
      const left = (held.get(user) ?? 0) - bytes
      if (left > 0) held.set(user, left)
      else held.delete(user)
    }
  }
}

/** What is held of a body at most. A longer one than the largest is refused before any of it is read. */
export function getBodyBytes(req: HonoRequest): number {
  if (req.header('transfer-encoding') !== undefined) return maxBodyBytes
  const length = Number(req.header('content-length') ?? 0)
  // A length that is no number, such as two of them, may be any.
  if (!Number.isSafeInteger(length) || length < 0) return maxBodyBytes
  return length > maxBodyBytes ? 0 : length
}
