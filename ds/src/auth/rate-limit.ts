/** Refuses what comes more often than a limit allows. */
import { Problem } from '@cardwire/protocol'
import type { LimitName, Limits } from '../ports.ts'

/** Counts one for `key`. `action` is what the caller tried, for the message. */
export async function enforceLimit(
  limits: Limits,
  name: LimitName,
  key: string,
  action: string,
): Promise<void> {
  const retryAfterS = await limits.consume(name, key)
  if (retryAfterS !== undefined) throw createTooManyProblem(action, retryAfterS)
}

export const createTooManyProblem = (action: string, retryAfterS: number) =>
  new Problem('too-many-requests', `Cannot ${action}: try again in ${Math.ceil(retryAfterS)} s`, {
    retryAfterS,
  })
