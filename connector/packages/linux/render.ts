/** The texts of the packages: files of `files` and `scripts`, with their @NAMES@ replaced. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** Throws when the file names a fact that is not given. */
export function render(name: string, facts: Readonly<Record<string, string>> = {}): string {
  return readFileSync(join(folder, 'files', name), 'utf8').replaceAll(/@([A-Z_]+)@/g, (_, fact) => {
    const value = facts[fact]
    if (value === undefined) throw new Error(`Cannot write "${name}": nothing is known as ${fact}`)
    return value
  })
}

/** A maintainer script without its first line: what all of them share, then its own. */
export const renderScript = (name: string): string =>
  ['set -e\n', ...['functions', name].map(readScript)].join('\n')

const readScript = (name: string) => readFileSync(join(folder, 'scripts', `${name}.sh`), 'utf8')
