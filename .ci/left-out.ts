/** The tests that this machine cannot run, as `npm test` has said before; with CI=true it does not get this far. */
import { existsSync } from 'node:fs'
import process from 'node:process'
import programs from './programs.json' with { type: 'json' }

export const leftOut: readonly string[] = programs
  .filter(({ path, root }) => !existsSync(path) || (root === true && process.getuid?.() !== 0))
  .flatMap(({ tests }) => tests)
