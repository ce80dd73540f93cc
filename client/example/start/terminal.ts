/** Messages for the user at the terminal. */
import process from 'node:process'

/** An error that the user can do something about: shown without a stack. */
export class StartError extends Error {}

/** Writes to standard error, so that standard output has nothing but results. */
export function printLine(line: string): void {
  process.stderr.write(`${line}\n`)
}
