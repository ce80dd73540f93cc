/** The problem of a request that finds no database. */
import { Problem } from '@cardwire/protocol'
import { findStorageFault } from '../db/storage-fault.ts'
import type { Random } from '../ports.ts'

/** When a request may find the database again, at a random moment: all that failed must not come back at once. In seconds. */
const retryS = { min: 2, max: 10 }

/** Undefined when `error` is another failure. */
export function createStorageProblem(error: unknown, random: Random): Problem | undefined {
  const fault = findStorageFault(error)
  if (fault === undefined) return undefined
  const [byte = 0] = random.bytes(1)
  const retryAfterS = retryS.min + Math.round(((retryS.max - retryS.min) * byte) / 255)
  return new Problem('database-unavailable', `Cannot respond: ${fault}`, { retryAfterS })
}
