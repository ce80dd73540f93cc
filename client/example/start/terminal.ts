/** Messages for the user at the terminal. */
import { isAbsolute, relative } from 'node:path'
import process from 'node:process'
import { root } from './paths.ts'

/** An error that the user can do something about: shown without a stack. */
export class StartError extends Error {
  readonly exitStatus: number = 1
}

/** An option that is wrong. */
export class UsageError extends StartError {
  override readonly exitStatus = 2
}

/** Writes to standard error, so that standard output has nothing but results. */
export function printLine(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Prints the error; returns the exit status. */
export function reportError(error: unknown): number {
  if (error instanceof StartError) {
    printLine(error.message)
    return error.exitStatus
  }
  printLine(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return 1
}

/** The path as a user of this repository types it. */
export function toShownPath(path: string): string {
  const shown = relative(root, path)
  return shown.startsWith('..') || isAbsolute(shown) ? path : shown
}
