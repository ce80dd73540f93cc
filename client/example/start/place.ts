/** Where the repository is, its programs, and how a start that cannot be is told. */
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url))

const executable = process.platform === 'win32' ? '.exe' : ''
export const connectorBinary = join(root, 'connector/dist', `cardwire${executable}`)

/** What a person can do something about: shown without a stack. */
export class StartError extends Error {}

/** Progress is for people, not for whoever reads standard output. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
