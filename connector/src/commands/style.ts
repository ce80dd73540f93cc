/** Colours for the terminal, and only for a terminal. */

const colour = (code: number) => (text: string, on: boolean) =>
  on ? `\u001b[${code}m${text}\u001b[0m` : text

export const green = colour(32)
export const yellow = colour(33)
export const red = colour(31)
export const dim = colour(2)

/** Whether a stream shows colours (no-color.org). */
export const coloured = (stream: { readonly isTTY?: boolean }): boolean =>
  stream.isTTY === true && process.env['NO_COLOR'] === undefined && process.env['TERM'] !== 'dumb'

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
