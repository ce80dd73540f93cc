/** Whether the folder of the connector's log stays within its bounds, and whether its lines are whole. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Results } from './results.ts'

/** As `connector/src/system/log.ts` has it: five files of 2 MB, of the log and of what is kept longer. */
const maxFiles = 5
const maxBytes = 2 * 1024 * 1024
/** A line that comes when there is room for a part of it only. */
const maxLineBytes = 64 * 1024

export interface LogFolder {
  readonly files: number
  readonly bytes: number
}

export function checkLogFolder(folder: string, newestLine: number, results: Results): LogFolder {
  const names = readdirSync(folder)
  const sizes = names.map((name) => statSync(join(folder, name)).size)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  for (const kind of new Set(names.map((name) => name.split('.', 1)[0]))) {
    const files = names.filter((name) => name.startsWith(`${kind}.`))
    results.check(
      'log-bounded',
      files.length <= maxFiles,
      () => `of ${kind} there are ${files.length} files: ${files.join(', ')}`,
    )
  }
  for (const [at, name] of names.entries()) {
    const { mode } = statSync(join(folder, name))
    results.check(
      'log-bounded',
      (sizes[at] ?? 0) <= maxBytes + maxLineBytes && (mode & 0o077) === 0,
      () => `${name} has ${sizes[at]} bytes and mode ${(mode & 0o777).toString(8)}`,
    )
  }
  checkLines(folder, names, newestLine, results)
  return { files: names.length, bytes }
}

/** From the oldest file to the newest each line is whole, and no number is missing. */
function checkLines(
  folder: string,
  names: readonly string[],
  newestLine: number,
  results: Results,
): void {
  const number = (name: string) => Number(/\d+$/.exec(name)?.[0] ?? 0)
  const kept = names
    .filter((name) => /^api\.log(\.\d+)?$/.test(name))
    .toSorted((one, other) => number(other) - number(one))
  let before: number | undefined
  for (const name of kept) {
    const text = readFileSync(join(folder, name), 'utf8')
    results.check('log-whole', text === '' || text.endsWith('\n'), () => `${name} ends in a line`)
    for (const line of text.split('\n').slice(0, -1)) {
      const current = readLine(line)
      if (current === 'other') continue
      results.check(
        'log-whole',
        current !== 'broken' && (before === undefined || current === before + 1),
        () => `${name} has ${current} after ${before}: ${line.slice(0, 80)}`,
      )
      if (current !== 'broken') before = current
    }
  }
  results.check('log-whole', before === newestLine, () => `ends at ${before}, not ${newestLine}`)
}

/** The number of a line; `other`: a whole line without one. */
function readLine(line: string): number | 'other' | 'broken' {
  try {
    const { line: number } = JSON.parse(line)
    return typeof number === 'number' ? number : 'other'
  } catch {
    return 'broken'
  }
}
