/** Failures at start that the administrator can fix: printed as a sentence, without a stack. */

import process from 'node:process'
import { toPrintableText } from '@cardwire/protocol/printable'
import { explainError, formatError } from '../db/describe-error.ts'
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
    throw new StartError(`Cannot ${action}: ${fault ?? explainError(error)}`)
  }
}

/** Prints why the program ends: of an error that is not `known`, everything but the values of statements, which may be secrets. */
export function printError(error: unknown, known: boolean): void {
  const text = known && error instanceof Error ? error.message : formatError(error)
  process.stderr.write(`${toPrintableText(text)}\n`)
}

/** Without this, the runtime prints uncaught errors with all of their fields. */
export function printUncaughtErrors(): void {
  process.on('uncaughtException', (error) => {
    printError(error, false)
    process.exit(1)
  })
}
