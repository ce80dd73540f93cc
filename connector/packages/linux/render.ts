/** The texts of the packages: files of `files` and `scripts`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fillIn } from '../fill-in.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

export const render = (name: string, facts: Readonly<Record<string, string>> = {}): string =>
  fillIn(join(folder, 'files', name), facts)

/** A maintainer script without its first line: what all of them share, then its own. */
export const renderScript = (name: string): string =>
  ['set -e\n', ...['functions', name].map(readScript)].join('\n')

const readScript = (name: string) => readFileSync(join(folder, 'scripts', `${name}.sh`), 'utf8')
