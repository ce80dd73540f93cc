/** The tests that this machine cannot run, which `npm test` prints first; with CI=true it ends instead. */
import { existsSync } from 'node:fs'
import process from 'node:process'
import programs from './programs.json' with { type: 'json' }

export const skippedTests: readonly string[] = programs
  .filter(({ path, root }) => !existsSync(path) || (root === true && process.getuid?.() !== 0))
  .flatMap(({ tests }) => tests)
