/** Prints lines on the terminal: with colours where it shows them, and without any control character of another. */
import { randomUUID } from 'node:crypto'
import { toPrintableLine } from '@cardwire/protocol/printable'

/** Stands before the number of a colour until it is printed. Texts that came from elsewhere cannot know it. */
const colourMark = randomUUID()

const createColour = (code: number) => (text: string, on: boolean) =>
  on ? `${colourMark}(${code})${text}${colourMark}(0)` : text

export const green = createColour(32)
export const yellow = createColour(33)
export const red = createColour(31)
export const dim = createColour(2)

/** Whether a stream shows colours (no-color.org). */
export const hasColours = (stream: { readonly isTTY?: boolean }): boolean =>
  stream.isTTY === true && process.env['NO_COLOR'] === undefined && process.env['TERM'] !== 'dumb'

/** Whether a user can be asked. */
export const hasTerminal = () => process.stdin.isTTY && process.stdout.isTTY

/** Prints one line; a line end or another control character in it is shown as an escape. */
export function print(line: string): void {
  process.stdout.write(`${formatLine(line)}\n`)
}

/** The same on standard error. */
export function printError(line: string): void {
  process.stderr.write(`${formatLine(line)}\n`)
}

const markedColours = new RegExp(String.raw`${colourMark}\((\d+)\)`, 'g')

/** A line as it is written to a terminal. */
export const formatLine = (line: string): string =>
  toPrintableLine(line).replaceAll(markedColours, '\u001b[$1m')

const width = 24

/** The progress of a download in one line; `all` is undefined when the size is not known. Bytes. */
export function formatProgress(bytes: number, all: number | undefined): string {
  if (all === undefined || all === 0) return `${toMegabytes(bytes)} MB`
  const part = Math.min(bytes / all, 1)
  const full = Math.round(part * width)
  const bar = `${'█'.repeat(full)}${'░'.repeat(width - full)}`
  return `${bar} ${String(Math.floor(part * 100)).padStart(3)} %  ${toMegabytes(bytes)} of ${toMegabytes(all)} MB`
}

export const toMegabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(1)

/** A bar where there is a terminal, nothing elsewhere. */
export function createProgressBar() {
  let shown = ''
  return {
    show(bytes: number, all: number | undefined): void {
      const line = formatProgress(bytes, all)
      if (!process.stdout.isTTY || line === shown) return
      process.stdout.write(`\r${line}`)
      shown = line
    },
    end(): void {
      if (shown !== '') process.stdout.write('\n')
    },
  }
}
