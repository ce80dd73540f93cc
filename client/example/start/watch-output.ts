/** The output of a running process: its log, and what the start waits for in it. */
import type { ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { toPrintableLine } from '@cardwire/protocol/printable'
import { StartError, toShownPath } from './terminal.ts'

export interface ExpectedOutput {
  readonly pattern: RegExp
  /** In milliseconds. */
  readonly withinMs: number
  /** In its output: it will not be ready. */
  readonly failure?: RegExp
}

export interface WatchedOutput {
  /** Resolves with the match of the pattern in the output; rejects with a StartError that has the last lines. */
  waitFor(expected: ExpectedOutput): Promise<RegExpExecArray>
  /** The last lines, indented; empty: there was no output. */
  lastLines(): string
}

/** How much of the output is kept: to search it, and to show it when a process fails. In characters, lines, and characters of a line. */
const maxSearched = 65_536
const maxKept = 4000
const maxShownLines = 12
const maxLineLength = 1000

/** `ended` resolves with a sentence when the process has ended. The log has everything from the first byte. */
export function watchOutput(
  name: string,
  child: ChildProcess,
  { logFile, ended }: { readonly logFile: string; readonly ended: Promise<string> },
): WatchedOutput {
  const log = createWriteStream(logFile, { mode: 0o600 })
  // What a full disk keeps out of the log is on the terminal when it matters.
  log.on('error', () => undefined)
  void ended.then(() => log.end())
  let output = ''
  let check: (() => void) | undefined
  const read = (part: Buffer) => {
    log.write(part)
    output = (output + part.toString()).slice(check ? -maxSearched : -maxKept)
    check?.()
  }
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)
  const lastLines = () => formatLastLines(output)
  return {
    lastLines,
    async waitFor({ pattern, withinMs, failure }) {
      const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
      const fail = (reason: string) =>
        reject(
          new StartError(
            `Cannot start: ${reason}.${lastLines() && ` Its log (${toShownPath(logFile)}) ends with:\n${lastLines()}`}`,
          ),
        )
      check = () => {
        const match = pattern.exec(output)
        if (match) resolve(match)
        else if (failure?.test(output)) fail(`${name} isn’t ready`)
      }
      const timer = setTimeout(
        () => fail(`${name} isn’t ready after ${Math.round(withinMs / 1000)} s`),
        withinMs,
      )
      void ended.then((sentence) => reject(new StartError(`Cannot start: ${sentence}`)))
      check()
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        check = undefined
      }
    },
  }
}

function formatLastLines(output: string): string {
  const lines = output.trim().split('\n').slice(-maxShownLines)
  return lines
    .map((line) => toPrintableLine(line).slice(0, maxLineLength))
    .filter(Boolean)
    .map((line) => `  ${line}`)
    .join('\n')
}
