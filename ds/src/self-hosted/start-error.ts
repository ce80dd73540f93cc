/** Failures at start that the administrator can fix: printed as a sentence, without a stack. */

import { PostgresError } from '../db/postgres-error.ts'
import { findStorageFault } from '../db/storage-fault.ts'

export class StartError extends Error {}

/** Runs `work`; when it fails, throws a StartError that names the action, its setting and the reason. */
export async function withStartError<T>(action: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StartError) throw error
    // The server's own words: which login it refuses, or where nobody listens.
    if (error instanceof PostgresError) throw new StartError(`Cannot ${action}: ${error.message}`)
    const fault = findStorageFault(error)
    const reason = fault ?? (error instanceof Error ? error.message : String(error))
    throw new StartError(`Cannot ${action}: ${reason}`)
  }
}
