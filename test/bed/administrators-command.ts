/** The administrators' command as packages have it: bundled, so it starts in a fraction of the time. */
import { join } from 'node:path'
import { root, toolPath } from './repository.ts'

/** The start of its command line. `npm run build -w ds` makes it. */
export const administratorsCommand: readonly string[] = [
  toolPath('node'),
  join(root, 'ds/dist/admin.js'),
]
