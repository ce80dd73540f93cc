/** The texts of the packages: files with @NAMES@, which are replaced. */
import { readFileSync } from 'node:fs'

/** Throws when the file names a fact that is not given. */
export function fillIn(file: string, facts: Readonly<Record<string, string>>): string {
  return readFileSync(file, 'utf8').replaceAll(/@([A-Z_]+)@/g, (_, fact) => {
    const value = facts[fact]
    if (value === undefined) throw new Error(`Cannot write "${file}": nothing is known as ${fact}`)
    return value
  })
}
