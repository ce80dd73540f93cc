/** Where the repository lies, and the programs that are built or installed in it. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const connectorProgram = join(root, 'connector/dist/cardwire')
export const toolPath = (name: string): string => join(root, 'node_modules/.bin', name)
